import { needsInWords } from '../../../core/vocabulary/need.ts'
import styles from './need-count.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

/** How many things in a workspace need the operator; shows nothing if there are none. `then`: text read aloud after that. */
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
