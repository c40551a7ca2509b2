import type { AttemptRow } from '../../format/verdict.ts'
import { classNames } from '../../ui/class-names.ts'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './comparisons.module.css'

type Comparison = AttemptRow['comparisons'][number]

/**
 * Claim beside measurement, one comparison a line: `email_count 3 = 3`. With `spine`, the sign stands in the same place in
 * every list on the page, so that all signs form one line; without, each list is as narrow as its words.
 */
export function Comparisons({
  comparisons,
  label,
  spine = false,
}: {
  comparisons: readonly Comparison[]
  label: string
  spine?: boolean
}) {
  return (
    <ul className={classNames(styles.comparisons, spine && styles.spine)} aria-label={label}>
      {comparisons.map((comparison) => (
        <ComparisonLine key={`${comparison.subject}\n${comparison.claimed}`} comparison={comparison} />
      ))}
    </ul>
  )
}

function ComparisonLine({ comparison }: { comparison: Comparison }) {
  const { subject, claimed, measured, agrees } = comparison
  return (
    <li className={styles.comparison} data-agrees={String(agrees)}>
      <span className={styles.claimed}>
        <VisuallyHidden>claimed </VisuallyHidden>
        <MiddleCut className={styles.subject} text={subject} />{' '}
        <bdi className={styles.value} title={claimed ?? undefined}>
          {claimed ?? 'nothing'}
        </bdi>
      </span>
      <EqualitySign agrees={agrees} />
      <span className={styles.measured}>
        <VisuallyHidden>measured </VisuallyHidden>
        <bdi className={styles.value} title={measured ?? undefined}>
          {measured ?? 'not measurable'}
        </bdi>
      </span>
    </li>
  )
}
