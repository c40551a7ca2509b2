import { measuredInWords, refutedFirst } from '../../../../core/read-model/lie-words.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './lie-pairs.module.css'

/** If there are more, their number is shown. */
const SHOWN = 2

/** Claims next to measurements, in large type, the worst first. */
export function LiePairs({ comparisons }: Pick<AttemptRow, 'comparisons'>) {
  const lies = refutedFirst(comparisons)
  return (
    <>
      <ul className="stack">
        {lies.slice(0, SHOWN).map(({ subject, claimed, measured }) => (
          <li key={`${subject}\n${claimed}`} className={styles.pair}>
            <span className={styles.side}>
              <VisuallyHidden>claimed </VisuallyHidden>
              <bdi className="normal quiet mono">{subject}</bdi>{' '}
              <bdi className={styles.value}>{claimed ?? 'nothing'}</bdi>
            </span>
            <EqualitySign agrees={false} large />
            <span className={styles.side}>
              <VisuallyHidden>measured </VisuallyHidden>
              <bdi className={styles.value} data-measured>
                {measuredInWords(measured)}
              </bdi>
            </span>
          </li>
        ))}
      </ul>
      {lies.length > SHOWN && <p className="small quiet">and {lies.length - SHOWN} more</p>}
    </>
  )
}
