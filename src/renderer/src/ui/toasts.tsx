import { X } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from './button.tsx'
import styles from './toasts.module.css'

interface ToastView {
  readonly id: number
  readonly tone: 'plain' | 'notice' | 'problem'
  readonly text: string
  readonly undo: (() => void) | null
  readonly address?: string
}

/** A notice is read, and may be followed. */
const SHOWN_MS = { plain: 8000, notice: 15_000 } as const

/** Short messages at the foot of the page, read out politely. Problems stay until they are dismissed. */
export function Toasts({
  toasts,
  onDismiss,
}: {
  toasts: readonly ToastView[]
  onDismiss: (id: number) => void
}) {
  return (
    <div className={styles.region} role="status" aria-label="Messages">
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} onDismiss={onDismiss} />
      ))}
    </div>
  )
}

function ToastLine({ toast, onDismiss }: { toast: ToastView; onDismiss: (id: number) => void }) {
  const { id, tone, text, undo, address } = toast
  useEffect(() => {
    if (tone === 'problem') return
    const timer = setTimeout(() => onDismiss(id), SHOWN_MS[tone])
    return () => clearTimeout(timer)
  }, [id, tone, onDismiss])
  return (
    <div className={styles.toast} data-tone={tone}>
      <p className={styles.text} dir="auto">
        {text}
      </p>
      {undo !== null && (
        <Button
          look="quiet"
          onClick={() => {
            onDismiss(id)
            undo()
          }}
        >
          Undo
        </Button>
      )}
      {address !== undefined && (
        <a className={styles.show} href={address} onClick={() => onDismiss(id)}>
          Show
        </a>
      )}
      <Button look="icon" aria-label="Dismiss" onClick={() => onDismiss(id)}>
        <X size={14} aria-hidden />
      </Button>
    </div>
  )
}
