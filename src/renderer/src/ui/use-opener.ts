import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** For a form that replaces its button while open: returns the focus to the button when it closes. */
export function useOpener(): {
  readonly open: boolean
  readonly setOpen: (open: boolean) => void
  readonly opener: RefObject<HTMLButtonElement | null>
} {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const was = useRef(open)
  useLayoutEffect(() => {
    // The focus falls to the page when the focused element is removed.
    if (was.current && !open && document.activeElement === document.body) opener.current?.focus()
    was.current = open
  }, [open])
  return { open, setOpen, opener }
}
