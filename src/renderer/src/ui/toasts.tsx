import { X } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { durationWords } from '../../../core/pacing/duration-words.ts'
import { Button } from './button.tsx'
import { Prose } from './prose.tsx'
import styles from './toasts.module.css'
import { useNow } from './use-now.ts'
import { useUndoKey } from './use-undo-key.ts'

/** A `problem` stays until it is dismissed; the others disappear by themselves, a `notice` later. */
type ToastTone = 'plain' | 'notice' | 'problem'

/** A message at the bottom of the page. */
export interface Toast {
  readonly id: number
  readonly tone: ToastTone
  readonly text: string
  readonly undo: (() => void) | null
  /** Epoch ms until which it can be undone: it stays that long, and shows the time left. */
  readonly undoUntilMs?: number
  /** A further action. */
  readonly action?: { readonly label: string; readonly act: () => void }
  /** Address of the screen that it is about, and the text of the link to it ("View" if omitted). */
  readonly address?: string
  readonly addressLabel?: string
}

/** A notice takes longer to read, and may be opened. */
const SHOWN_MS = { plain: 8000, notice: 15_000 } as const

/**
 * Short messages at the bottom of the page, announced politely. Problems stay until they are dismissed; Ctrl/Cmd-Z undoes the latest that
 * can be undone.
 */
export function Toasts({ toasts, onDismiss }: { toasts: readonly Toast[]; onDismiss: (id: number) => void }) {
  const latest = toasts.findLast(({ undo }) => undo !== null)
  const undoLatest = useCallback(() => {
    if (latest === undefined) return
    onDismiss(latest.id)
    latest.undo?.()
  }, [latest, onDismiss])
  useUndoKey(latest === undefined ? null : undoLatest)
  return (
    <div className={styles.region} role="status" aria-label="Messages">
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} onDismiss={onDismiss} />
      ))}
    </div>
  )
}

function ToastLine({ toast, onDismiss }: { toast: Toast; onDismiss: (id: number) => void }) {
  const { id, tone, text, undo, undoUntilMs, action, address, addressLabel = 'View' } = toast
  useEffect(() => {
    if (tone === 'problem') return
    const shownMs = undoUntilMs === undefined ? SHOWN_MS[tone] : Math.max(0, undoUntilMs - Date.now())
    const timer = setTimeout(() => onDismiss(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, tone, undoUntilMs, onDismiss])
  return (
    <div className={styles.toast} data-tone={tone}>
      <p className={styles.text} dir="auto">
        <Prose text={text} />
      </p>
      {undo !== null && (
        <Button
          look="quiet"
          onClick={() => {
            onDismiss(id)
            undo()
          }}
        >
          Undo{undoUntilMs !== undefined && <TimeLeft untilMs={undoUntilMs} />}
        </Button>
      )}
      {action !== undefined && (
        <Button
          look="quiet"
          onClick={() => {
            onDismiss(id)
            action.act()
          }}
        >
          {action.label}
        </Button>
      )}
      {address !== undefined && (
        <a className={styles.show} href={address} onClick={() => onDismiss(id)}>
          {addressLabel}
        </a>
      )}
      <Button look="icon" aria-label="Dismiss" onClick={() => onDismiss(id)}>
        <X size={14} aria-hidden />
      </Button>
    </div>
  )
}

/** Hidden from screen readers, which would read a countdown without end. */
function TimeLeft({ untilMs }: { untilMs: number }) {
  const nowMs = useNow()
  return (
    <span className="faint figures" aria-hidden>
      {durationWords(untilMs - nowMs)}
    </span>
  )
}
