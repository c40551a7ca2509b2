import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Where something is to be written, one begins there; else the browser begins with the first control: *Close*, or the list around the field. */
const FIELD = 'input:not([type="checkbox"], [type="radio"]), textarea'

/**
 * For a dialog element that is open over the page while it is mounted. Closed before it is taken out of the page, as a layout
 * effect is: only then does the browser give the focus back to what had it.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>(FIELD)?.focus()
    return () => element?.close()
  }, [])
  return dialog
}
