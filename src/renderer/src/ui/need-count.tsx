import { needsInWords } from '../../../core/vocabulary/need.ts'
import styles from './need-count.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

/** How often a workspace asks for the operator; nothing if it does not. `then`: read behind the words. */
export function NeedCount({ count, then = '' }: { count: number; then?: string }) {
  if (count === 0) return null
  return (
    <span className={styles.count}>
      {count}
      <VisuallyHidden>
        {needsInWords(count).replace(/^\d+/u, '')}
        {then}
      </VisuallyHidden>
    </span>
  )
}
