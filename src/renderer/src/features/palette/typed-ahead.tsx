import { type RefObject, useLayoutEffect } from 'react'

/** Keys pressed after the finder was opened and before it was loaded. */
export interface Ahead {
  text: string
  /** Enter came last: what is found first is chosen. */
  isEntered: boolean
}

export const NOTHING_AHEAD: Ahead = { text: '', isEntered: false }

/**
 * Keeps what is pressed while a finder that was asked for is being loaded; Escape asks for it no longer. The focus is still on the page
 * until then, where a letter answers the decision that has it: `a` of a name to be found would accept held work.
 */
export function TypedAhead({ into, onClose }: { into: RefObject<Ahead>; onClose: () => void }) {
  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') onClose()
      else into.current = withKey(into.current, event.key)
    }
    window.addEventListener('keydown', keep, true)
    return () => window.removeEventListener('keydown', keep, true)
  }, [into, onClose])
  return null
}

/** Adds a key to those pressed so far. Keys after Enter are dropped, because the finder is closed by then. */
export function withKey(ahead: Ahead, key: string): Ahead {
  const { text, isEntered } = ahead
  if (isEntered) return ahead
  if (key === 'Enter') return { text, isEntered: true }
  if (key === 'Backspace') return { text: [...text].slice(0, -1).join(''), isEntered }
  return [...key].length === 1 ? { text: text + key, isEntered } : ahead
}
