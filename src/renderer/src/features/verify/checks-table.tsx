import type { ChangeView } from '../../../../core/change/change-view.ts'
import { sideWords } from '../../../../core/change/formats/words.ts'
import { harmlessLine } from '../../../../core/text/harmless.ts'
import { TableHead } from '../../ui/table-head.tsx'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import styles from './verify.module.css'

type Check = ChangeView['checks'][number]

/** The result of each check on the base, on head, and on head with the base's check files. */
export function ChecksTable({ checks }: { checks: readonly Check[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by the keyboard
    <section className="scrolls" aria-label="Checks side by side" tabIndex={0}>
      <table className={styles.table}>
        <TableHead columns={['Check', 'Base', 'Head', 'Head with the base’s check files']} />
        <tbody>
          {checks.map(({ name, base, head, cleanRoom }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two checks may have the same name
            <tr key={`${index}\n${name}`}>
              <th scope="row">
                <code>{harmlessLine(name)}</code>
              </th>
              <Side side={base} />
              <Side side={head} />
              {cleanRoom === null && head !== null ? (
                <td className="faint">not needed: they are the same</td>
              ) : (
                <Side side={cleanRoom} />
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const KINDS = { passed: 'verified', failed: 'not_verified', unavailable: 'environment' } as const

function Side({ side }: { side: Check['base'] }) {
  if (side === null) return <td className="faint">not run</td>
  const { status, detail, failing } = side
  return (
    <td>
      <p className={styles.side}>
        <VerdictGlyph kind={KINDS[status]} size={14} /> {sideWords(side)}
      </p>
      {status !== 'passed' && (
        <ul className={styles.failing}>
          {(failing.length > 0 ? failing : [detail.split('\n')[0] ?? '']).slice(0, 5).map((text) => (
            <li key={text} dir="auto">
              {harmlessLine(text)}
            </li>
          ))}
          {failing.length > 5 && <li>and {failing.length - 5} more</li>}
        </ul>
      )}
    </td>
  )
}
