import { formatPoints } from '../../../../core/scoring/format.ts'
import { INTERVENTION_ROWS, type InterventionType } from '../../../../core/vocabulary/intervention.ts'
import tableStyles from '../../ui/table.module.css'
import { TableHead } from '../../ui/table-head.tsx'
import styles from './agent.module.css'
import type { AgentDayPoint } from './day-series.ts'
import { medianWords } from './median-words.ts'
import { costInWords, tokensInWords } from './usage-words.ts'

const COLUMNS = [
  'Day',
  'Verified',
  'Not verified',
  'Unclear',
  'Not judged',
  'Contradictions',
  'False claims',
  'Interventions',
  'Evidence',
  'Median',
  'Tokens in',
  'Tokens out',
  'Cost',
]

/** The figures of the charts, newest day first; days on which the agent did not run are omitted. */
export function FiguresTable({ series, isShown }: { series: readonly AgentDayPoint[]; isShown: boolean }) {
  const days = series.filter(({ figures }) => figures !== null).toReversed()
  const table = (
    <table className={`${tableStyles.table} ${styles.table}`}>
      <TableHead columns={COLUMNS} />
      <tbody>
        {days.map((point) => (
          <Row key={point.day} point={point} />
        ))}
      </tbody>
    </table>
  )
  if (!isShown) return table
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by the keyboard
    <section className={tableStyles.box} aria-label="Figures by day" tabIndex={0}>
      {table}
    </section>
  )
}

function Row({ point: { day, label, figures } }: { point: AgentDayPoint }) {
  if (figures === null) return null
  const { attempts, contradictions, interventions, evidencePerAttempt, medianSeconds, usage } = figures
  return (
    <tr>
      <th scope="row">
        {day}
        {label === 'today' && ', today'}
      </th>
      <td>{attempts.verified}</td>
      <td>{attempts.not_verified}</td>
      <td>{attempts.unclear}</td>
      <td>{attempts.none}</td>
      <td>{contradictions}</td>
      <td>{interventions.false_completion_detected ?? 0}</td>
      <td>{interventionsInWords(interventions)}</td>
      <td>{evidencePerAttempt === null ? '–' : formatPoints(evidencePerAttempt)}</td>
      <td>{medianSeconds === null ? '–' : medianWords(medianSeconds)(medianSeconds)}</td>
      <td>{tokensInWords(usage?.inputTokens ?? null)}</td>
      <td>{tokensInWords(usage?.outputTokens ?? null)}</td>
      <td>{costInWords(usage?.costUsd ?? null)}</td>
    </tr>
  )
}

function interventionsInWords(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([type, count]) => `${count} ${nameOf(type)}`)
  return parts.length === 0 ? 'none' : parts.join(', ')
}

function nameOf(type: string): string {
  return type in INTERVENTION_ROWS ? INTERVENTION_ROWS[type as InterventionType].title.toLowerCase() : type
}
