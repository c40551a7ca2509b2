import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.module.css'

/**
 * A modal dialog on the platform's own element: focus is kept inside, Escape closes, the page behind is inert. Mount it to
 * open it; `onClose` is called once the person has closed it.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId} onCancel={onClose}>
      <header className={styles.header}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <Button look="icon" aria-label="Close" onClick={onClose}>
          <X size={16} aria-hidden />
        </Button>
      </header>
      {children}
    </dialog>
  )
}
