import type { KeyboardEvent } from 'react'

/**
 * Returns a key handler for an element around buttons and the form that one of them opened: Escape closes the form and focuses its button
 * again.
 */
export function closeByKey(close: (() => void) | null) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || close === null) return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus()
    close()
  }
}
