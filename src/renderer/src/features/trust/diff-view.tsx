import { visibleText } from '../../../../core/text/visible-text.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { lineDiff } from './line-diff.ts'
import styles from './trust.module.css'

const SIGNS = { same: ' ', added: '+', removed: '\u2212', gap: '⋯' } as const
const WORDS = { same: '', added: 'added: ', removed: 'removed: ', gap: '' } as const

/** Shows what changed from one text to the other, line by line, in words as well as in color. */
export function DiffView({ before, after }: { before: string; after: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
    <ol className={styles.diff} tabIndex={0}>
      {lineDiff(before, after).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other identity
        <li key={index} className={styles.diffLine} data-kind={line.kind}>
          <span className={styles.sign} aria-hidden>
            {SIGNS[line.kind]}
          </span>
          {WORDS[line.kind] !== '' && <VisuallyHidden>{WORDS[line.kind]}</VisuallyHidden>}
          {visibleText(line.text)}
        </li>
      ))}
    </ol>
  )
}
