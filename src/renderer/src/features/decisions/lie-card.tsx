import type { ReactNode } from 'react'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './lie-card.module.css'
import { LiePairs } from './lie-pairs.tsx'

/** The gravest contradiction of today in a box of its own: the task, what it cost, the claimed beside the measured. */
export function LieCard({
  attempt: { taskId, points, comparisons },
  workspaceName,
  small = false,
  about,
  children,
}: {
  attempt: AttemptRow
  /** Where more than one workspace is in question. */
  workspaceName?: string | undefined
  small?: boolean
  /** Goes on with the first line. */
  about: ReactNode
  children?: ReactNode
}) {
  return (
    <section className={styles.lie} data-small={small} aria-label="The gravest contradiction of today">
      <p className={styles.where}>
        {workspaceName !== undefined && <bdi>{workspaceName}</bdi>}
        <strong>
          <bdi>{taskId}</bdi>
        </strong>
        <span className={styles.points}>
          {formatSignedPoints(points)}
          <VisuallyHidden> points</VisuallyHidden>
        </span>
        {about}
      </p>
      <LiePairs comparisons={comparisons} />
      {children}
    </section>
  )
}
