import type { AttemptRow } from '../../format/verdict.ts'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './equation.module.css'

/** `email_count 3 = 3`: the sign stands in the same column in every row. */
export function Equation({ comparison }: { comparison: AttemptRow['comparisons'][number] }) {
  const { subject, claimed, measured, agrees } = comparison
  return (
    <li className={styles.equation} data-agrees={String(agrees)}>
      <span className={styles.claimed}>
        <VisuallyHidden>claimed </VisuallyHidden>
        <bdi className={styles.subject} title={subject}>
          {subject}
        </bdi>{' '}
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
