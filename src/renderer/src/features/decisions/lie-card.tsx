import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './lie-card.module.css'
import { LiePairs } from './lie-pairs.tsx'

/** Shows one contradiction in a box: the task, what it cost, the claimed value next to the measured one. */
export function LieCard({
  label,
  heading,
  isContradiction = true,
  taskId,
  points,
  comparisons,
  words = '',
  workspaceName,
  small = false,
  about,
  children,
}: {
  /** The accessible name of the region. */
  label: string
  /** Shown first, on one line. */
  heading?: string | undefined
  /** Shows ≠ before the heading, which is only for contradictions. */
  isContradiction?: boolean
  taskId: string | null
  /** `null`: nothing was scored. */
  points: number | null
  comparisons: AttemptRow['comparisons']
  /** Shown if there is no claim to compare with a measurement. */
  words?: string
  /** Given if there is more than one workspace. */
  workspaceName?: string | undefined
  small?: boolean
  /** Continues the first line. */
  about: ReactNode
  children?: ReactNode
}) {
  return (
    <section className={styles.lie} data-small={small} aria-label={label}>
      {heading !== undefined && (
        <h2 className={styles.heading}>
          {isContradiction ? <EqualitySign agrees={false} /> : <CircleAlert size={16} aria-hidden />}{' '}
          {heading}
        </h2>
      )}
      <p className={styles.where}>
        {workspaceName !== undefined && <bdi>{workspaceName}</bdi>}
        {taskId !== null && (
          <strong>
            <bdi>{taskId}</bdi>
          </strong>
        )}
        {points !== null && (
          <span className="problem strong figures">
            {formatSignedPoints(points)}
            <VisuallyHidden> points</VisuallyHidden>
          </span>
        )}
        {about}
      </p>
      {comparisons.some(({ agrees }) => agrees === false) ? (
        <LiePairs comparisons={comparisons} />
      ) : (
        <p className="breaks" dir="auto">
          {words}
        </p>
      )}
      {children}
    </section>
  )
}
