import { formatPoints } from '../../../../core/scoring/format.ts'
import type { ShieldLevel } from '../../../../core/vocabulary/standing.ts'
import { shortDay } from '../../format/moments.ts'
import { shareInWords } from '../../format/share.ts'
import { Shield } from '../../ui/shield.tsx'
import type { Day } from './days.ts'
import { ScoreChart } from './score-chart.tsx'
import styles from './seven-days.module.css'

/** One workspace's day; `null` figures if nothing was archived. */
export interface RankedDay {
  /** YYYY-MM-DD. */
  readonly date: string
  readonly score: number | null
  readonly target: number | null
  /** Still running, so it does not count. */
  readonly isToday: boolean
  readonly overruled: boolean
  readonly contradictions: number
}

/** A workspace as a row of bars. */
export interface SevenDaysRow {
  readonly key: string
  /** From 1; `null` if no day counts. */
  readonly rank: number | null
  readonly shield: ShieldLevel
  /** How many contradictions have not been reviewed. */
  readonly unreviewed: number
  readonly href: string
  readonly name: string
  /** The host's name; `null` for this host. */
  readonly where: string | null
  /** The score as a share of the target; 1 is exactly on target. */
  readonly share: number | null
  readonly floor: number
  /** Seven days and today, oldest first. */
  readonly days: readonly RankedDay[]
}

/** The last seven days of workspaces as charts. Hidden from screen readers: a table has the figures and the links. */
export function SevenDays({ rows }: { rows: readonly SevenDaysRow[] }) {
  return (
    <div aria-hidden>
      <div className={styles.dayNames}>
        <p>
          {rows[0]?.days.map(({ date, isToday }) => (
            <span key={date} data-today={isToday}>
              {isToday ? 'today' : shortDay(date)}
            </span>
          ))}
        </p>
      </div>
      <ol className="card divided">
        {rows.map((row) => (
          <Row key={row.key} row={row} />
        ))}
      </ol>
    </div>
  )
}

function Row({ row }: { row: SevenDaysRow }) {
  const today = row.days.find(({ isToday }) => isToday)
  return (
    <li className={styles.row}>
      <span className="faint end">{row.rank ?? '–'}</span>
      <Shield level={row.shield} unreviewed={row.unreviewed} size={20} />
      <a className={styles.name} href={row.href} tabIndex={-1}>
        <bdi>{row.name}</bdi>
        {row.where !== null && <bdi className={styles.where}>{row.where}</bdi>}
      </a>
      <div className={styles.chart}>
        <ScoreChart days={row.days.map(barOf)} floor={row.floor} compact />
      </div>
      <span className="large strong end" data-negative={(row.share ?? 0) < 0}>
        {shareInWords(row.share)}
      </span>
      <span className={styles.today}>
        {today?.score == null
          ? ''
          : `today ${formatPoints(today.score)} of ${formatPoints(today.target ?? 0)}`}
      </span>
    </li>
  )
}

function barOf({ date, score, target, isToday, overruled, contradictions }: RankedDay): Day {
  const reached = score !== null && target !== null && score >= target
  const kind =
    score === null ? 'none' : isToday ? 'today' : reached ? 'reached' : score < 0 ? 'negative' : 'below'
  return { key: date, label: date, score, target, kind, overruledCount: overruled ? 1 : 0, contradictions }
}
