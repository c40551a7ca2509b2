import { CircleQuestionMark } from 'lucide-react'
import type { ReactNode } from 'react'
import { helpAddress } from '../route/route.ts'
import styles from './help-link.module.css'

export interface HelpPlace {
  readonly page: string
  readonly anchor?: string
  /** The text that follows "Read about". */
  readonly about: string
}

/** A heading with the link next to it, but not in its accessible name. */
export function WithHelp({ children, ...place }: HelpPlace & { children: ReactNode }) {
  return (
    <div className="row gap-1">
      {children}
      <HelpLink {...place} />
    </div>
  )
}

/** A link from a screen to its documentation. */
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
