import { useState } from 'react'
import { useApp } from './use-app.ts'

/** What was written and neither said nor cancelled, by place: going elsewhere on the page loses none of it. */
const unsaid = new Map<string, string>()

/** Words that the operator writes at a place. `forget` is for when they are said or cancelled; `keep`, for when they are only left, says so. */
export function useUnsaid(place: string): {
  readonly text: string
  readonly isEmpty: boolean
  readonly write: (words: string) => void
  readonly forget: () => void
  readonly keep: (what?: string) => void
} {
  const showToast = useApp((state) => state.showToast)
  const [text, setText] = useState(() => unsaid.get(place) ?? '')
  const isEmpty = text.trim() === ''
  return {
    text,
    isEmpty,
    write: (words) => {
      setText(words)
      if (words.trim() === '') unsaid.delete(place)
      else unsaid.set(place, words)
    },
    forget: () => {
      unsaid.delete(place)
    },
    keep: (what = 'What you wrote') => {
      if (!isEmpty) showToast({ tone: 'plain', text: `${what} is kept: open it again to go on.`, undo: null })
    },
  }
}
