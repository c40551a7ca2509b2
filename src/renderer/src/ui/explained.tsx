import type { ReactNode } from 'react'
import styles from './explained.module.css'
import { Tooltip } from './tooltip.tsx'

/** Text with an explanation on hover and focus. */
export function Explained({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Tooltip text={text}>
      <button type="button" className={styles.explained}>
        {children}
      </button>
    </Tooltip>
  )
}
