import { useState } from 'react'
import { useApp } from './use-app.ts'

/** Text that was typed but neither sent nor canceled, by place, so that navigating does not lose it. */
const unsaid = new Map<string, string>()

/**
 * Keeps the text typed at a place, in a form that `onClose` closes. The text is deleted once it is sent or canceled. If the user just
 * leaves the form, a message says that the text is kept; `what` names it there.
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
      if (!isEmpty)
        showToast({ tone: 'plain', text: `${what} is kept: open it again to continue.`, undo: null })
      onClose()
    },
  }
}
