import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** For a form that opens in the place of its button: once it is closed, the button has the focus that the form had. */
export function useOpener(): {
  readonly open: boolean
  readonly setOpen: (open: boolean) => void
  readonly opener: RefObject<HTMLButtonElement | null>
} {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const was = useRef(open)
  useLayoutEffect(() => {
    // It goes to the page when what had it is taken away.
    if (was.current && !open && document.activeElement === document.body) opener.current?.focus()
    was.current = open
  }, [open])
  return { open, setOpen, opener }
}
