import { Ban, Circle, Hourglass, LoaderCircle } from 'lucide-react'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import styles from './task-item.module.css'
import type { RowState } from './task-rows.ts'

/** The icon at the start of a row. */
export function RowGlyph({ state }: { state: RowState }) {
  switch (state) {
    case 'running':
      return (
        <span className={styles.glyph} role="img" aria-label="Running">
          <LoaderCircle className={styles.spinning} size={18} aria-hidden />
        </span>
      )
    case 'open':
      return (
        <span className={styles.glyph} role="img" aria-label="Open" title="Open">
          <Circle size={14} strokeWidth={1.75} strokeDasharray="3 3" aria-hidden />
        </span>
      )
    case 'waiting':
      return (
        <span className={styles.glyph} role="img" aria-label="Waits for you" title="Waits for you">
          <Hourglass size={16} aria-hidden />
        </span>
      )
    case 'blocked':
      return (
        <span className={styles.glyph} role="img" aria-label="Blocked" title="Blocked">
          <Ban size={16} aria-hidden />
        </span>
      )
    default:
      return <VerdictGlyph kind={state} />
  }
}
