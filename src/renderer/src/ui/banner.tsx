import type { ReactNode } from 'react'
import styles from './banner.module.css'

export type BannerTone = 'plain' | 'warning' | 'problem' | 'environment'

/** A line across the page: what is wrong, and the most likely action. */
export function Banner({
  tone,
  icon,
  children,
  action,
}: {
  tone: BannerTone
  icon: ReactNode
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles.banner} data-tone={tone}>
      <span className={styles.icon} aria-hidden>
        {icon}
      </span>
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  )
}
