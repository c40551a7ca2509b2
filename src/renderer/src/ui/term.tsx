import type { ReactNode } from 'react'
import { TERMS, type TermName } from '../format/terms.ts'
import styles from './term.module.css'
import { Tooltip } from './tooltip.tsx'

/** One of our own words with its explanation on hover and focus. */
export function Term({ name, children }: { name: TermName; children: ReactNode }) {
  return (
    <Tooltip text={TERMS[name]}>
      <button type="button" className={styles.term}>
        {children}
      </button>
    </Tooltip>
  )
}
