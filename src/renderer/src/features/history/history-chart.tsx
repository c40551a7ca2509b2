import { useState } from 'react'
import type { ScoreHistory } from '../../../../core/read-model/score.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { Button } from '../../ui/button.tsx'
import tableStyles from '../../ui/table.module.css'
import { TableHead } from '../../ui/table-head.tsx'
import { Term } from '../../ui/term.tsx'
import hiddenStyles from '../../ui/visually-hidden.module.css'
import { chartDays } from './days.ts'
import styles from './history.module.css'
import { ScoreChart } from './score-chart.tsx'

/**
 * Seven days and today compared with target and floor; the same figures as a table, either visible or for screen readers only. Requires at
 * least one finished day.
 */
export function HistoryChart({
  history,
  addressOf,
}: {
  history: ScoreHistory
  /** Returns the link for a day; if omitted, days have no links. */
  addressOf?: (date: string) => string
}) {
  const [asTable, setAsTable] = useState(false)
  const days = chartDays(history)
  return (
    <section className={styles.section} aria-label="Scores of the last seven days">
      <div className={styles.head}>
        <h2>7 days</h2>
        <p className="row gap-icon tiny faint figures">
          <span className="key-target" aria-hidden /> <Term name="target">target</Term>{' '}
          {formatPoints(history.today.target)}
          <span className="key-floor" aria-hidden /> <Term name="floor">floor</Term>{' '}
          {formatPoints(history.targetFloor)}
        </p>
        <Button
          look="quiet"
          className={styles.toggle}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          Table
        </Button>
      </div>
      {!asTable && (
        <div className={styles.chart}>
          <div aria-hidden>
            <ScoreChart days={days} floor={history.targetFloor} addressOf={addressOf} />
          </div>
        </div>
      )}
      <div className={asTable ? styles.tableBox : hiddenStyles.hidden}>
        <DayTable history={history} addressOf={asTable ? addressOf : undefined} />
      </div>
    </section>
  )
}

function DayTable({
  history,
  addressOf,
}: {
  history: ScoreHistory
  addressOf: ((date: string) => string) | undefined
}) {
  return (
    <table className={`${tableStyles.table} ${styles.table}`}>
      <TableHead columns={['Day', 'Score', 'Target', 'Verified', 'Not verified', 'Contradictions']} />
      <tbody>
        {[...history.history, history.today].map((day) => (
          <tr key={day.date}>
            <th scope="row">
              {addressOf === undefined ? day.date : <a href={addressOf(day.date)}>{day.date}</a>}
              {day === history.today && ', today'}
              {day.overruledCount > 0 && ', overruled'}
            </th>
            <td>{formatPoints(day.score)}</td>
            <td>{formatPoints(day.target)}</td>
            <td>{day.verifiedCount}</td>
            <td>{Math.max(0, day.failedCount - day.contradictionCount)}</td>
            <td>{day.contradictionCount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
