import { useState } from 'react'
import { useApp } from './use-app.ts'

/** What was written and neither said nor cancelled, by place: going elsewhere on the page loses none of it. */
const unsaid = new Map<string, string>()

/**
 * Words that the operator writes at a place, in a form that `onClose` closes. They are forgotten once they are said or cancelled; where the
 * form is only left it says that they are kept, in which `what` names them.
 */
export function useUnsaid(
  place: string,
  onClose: () => void,
  what = 'What you wrote',
): {
  readonly text: string
  readonly isEmpty: boolean
  readonly write: (words: string) => void
  readonly forget: () => void
  readonly cancel: () => void
  readonly leave: () => void
} {
  const showToast = useApp((state) => state.showToast)
  const [text, setText] = useState(() => unsaid.get(place) ?? '')
  const isEmpty = text.trim() === ''
  const forget = () => {
    unsaid.delete(place)
  }
  return {
    text,
    isEmpty,
    write: (words) => {
      setText(words)
      if (words.trim() === '') unsaid.delete(place)
      else unsaid.set(place, words)
    },
    forget,
    cancel: () => {
      forget()
      onClose()
    },
    leave: () => {
      if (!isEmpty) showToast({ tone: 'plain', text: `${what} is kept: open it again to go on.`, undo: null })
      onClose()
    },
  }
}
