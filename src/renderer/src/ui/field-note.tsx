import type { ReactNode } from 'react'
import styles from './field.module.css'

/** Below a field: what there is to know, or what is wrong, which is read out as it comes. */
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
