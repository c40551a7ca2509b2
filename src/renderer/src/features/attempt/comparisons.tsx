import { measuredInWords } from '../../../../core/read-model/lie-words.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { classNames } from '../../ui/class-names.ts'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './comparisons.module.css'

type Comparison = AttemptRow['comparisons'][number]

/**
 * Shows each claim next to its measurement, one comparison per line: `email_count 3 = 3`. With `spine`, the signs of all lists on the page
 * are aligned in one column; without it, each list is as narrow as its text.
 */
export function Comparisons({
  comparisons,
  label,
  spine = false,
  isContradiction,
}: {
  comparisons: readonly Comparison[]
  label: string
  spine?: boolean
  /** The verdict is a contradiction: differing values are red. */
  isContradiction: boolean
}) {
  return (
    <ul className={classNames(styles.comparisons, spine && styles.spine)} aria-label={label}>
      {comparisons.map((comparison) => (
        <ComparisonLine
          key={`${comparison.subject}\n${comparison.claimed}`}
          comparison={comparison}
          isContradiction={isContradiction}
        />
      ))}
    </ul>
  )
}

function ComparisonLine({
  comparison,
  isContradiction,
}: {
  comparison: Comparison
  isContradiction: boolean
}) {
  const { subject, claimed, measured, agrees } = comparison
  return (
    <li className={styles.comparison} data-agrees={String(agrees)} data-calm={!isContradiction}>
      <span className={styles.claimed}>
        <VisuallyHidden>claimed </VisuallyHidden>
        <MiddleCut className={styles.subject} text={subject} />{' '}
        <bdi className={styles.value} title={claimed ?? undefined}>
          {claimed ?? 'nothing'}
        </bdi>
      </span>
      <EqualitySign agrees={agrees} isCalm={!isContradiction} />
      <span className={styles.measured}>
        <VisuallyHidden>measured </VisuallyHidden>
        <bdi className={styles.value} title={measured ?? undefined}>
          {measuredInWords(measured)}
        </bdi>
      </span>
    </li>
  )
}
