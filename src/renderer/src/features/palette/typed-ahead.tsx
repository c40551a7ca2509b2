import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps what is typed while a finder that was asked for is being loaded. The focus is still on the page until then, where a letter
 * answers the decision that has it: `a` of a name to be found would accept held work.
 */
export function TypedAhead({ into }: { into: RefObject<string> }) {
  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key.length === 1) into.current += event.key
    }
    window.addEventListener('keydown', keep, true)
    return () => window.removeEventListener('keydown', keep, true)
  }, [into])
  return null
}
