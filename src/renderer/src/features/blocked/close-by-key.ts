import type { KeyboardEvent } from 'react'

/** For what stands around buttons and the one form that they opened: Escape closes it, and its button has the focus again. */
export function closeByKey(close: (() => void) | null) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || close === null) return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus()
    close()
  }
}
