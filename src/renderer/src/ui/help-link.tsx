import { CircleQuestionMark } from 'lucide-react'
import type { ReactNode } from 'react'
import { helpAddress } from '../route/route.ts'
import styles from './help-link.module.css'

export interface HelpPlace {
  readonly page: string
  readonly anchor?: string
  /** To follow "Read about". */
  readonly about: string
}

/** A heading with that link beside it, and not in its name. */
export function WithHelp({ children, ...place }: HelpPlace & { children: ReactNode }) {
  return (
    <div className={styles.headed}>
      {children}
      <HelpLink {...place} />
    </div>
  )
}

/** Leads from a screen to what the documentation says about it. */
export function HelpLink({ page, anchor, about }: HelpPlace) {
  return (
    <a
      className={styles.link}
      href={helpAddress(page, anchor ?? null)}
      title={`Read about ${about}`}
      aria-label="Help on this screen"
    >
      <CircleQuestionMark size={16} strokeWidth={1.75} aria-hidden />
    </a>
  )
}
