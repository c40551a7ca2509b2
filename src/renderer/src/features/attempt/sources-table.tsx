import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import styles from './sources-table.module.css'

type Row = NonNullable<AttemptDetail['reconciliation']>['rows'][number]

/** Every file, test run and value as each source reports it: the agent, its program, the snapshot, probes and gates. */
export function SourcesTable({ rows }: { rows: readonly Row[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by the keyboard
    <section className="scrolls" aria-label="The sources side by side" tabIndex={0}>
      <table className={styles.table}>
        <caption className={styles.caption}>The sources side by side</caption>
        <thead>
          <tr>
            <th scope="col">Subject</th>
            <th scope="col">Agent claimed</th>
            <th scope="col">Program reported</th>
            <th scope="col">Snapshot</th>
            <th scope="col">Probes and gates</th>
            <th scope="col">Agree</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.kind}\n${row.subject}`} data-agrees={String(row.agrees)}>
              <th scope="row">
                <bdi>{row.subject}</bdi>
              </th>
              {[row.claimed, row.reported, row.snapshot, row.measured].map((source, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move
                <Source key={index} words={source} />
              ))}
              <td>
                <EqualitySign agrees={row.agrees} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Source({ words }: { words: string | null }) {
  if (words === null) return <td className="faint">–</td>
  return (
    <td>
      <bdi>{words}</bdi>
    </td>
  )
}
