import type { ReactNode } from 'react'
import styles from './field.module.css'

/** A note below a field, or its problem, which screen readers announce when it appears. */
export function FieldNote({
  id,
  hint,
  problem,
}: {
  id: string
  hint: ReactNode | undefined
  problem: string | null
}) {
  if (hint === undefined && problem === null) return null
  return (
    <p className={styles.hint} data-problem={problem !== null} id={id} aria-live="polite" dir="auto">
      {problem ?? hint}
    </p>
  )
}
