import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { useModal } from './use-modal.ts'

/**
 * A modal dialog using the platform's own element: focus stays inside and is then given back, Escape closes, the page behind is inert.
 * Mount it to open it; `onClose` is called once the user has closed it.
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
  const dialog = useModal()
  const titleId = useId()
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId} onCancel={onClose}>
      <header className={styles.header}>
        <h2 id={titleId} className="large">
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
