import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * If there is a text field, the focus starts there; otherwise the browser chooses the first control: *Close*, or the list around the field.
 */
const FIELD = 'input:not([type="checkbox"], [type="radio"]), textarea'

/**
 * Shows a dialog element modally while it is mounted. Closes it before it is removed from the page, in a layout effect: only then does the
 * browser give the focus back.
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
