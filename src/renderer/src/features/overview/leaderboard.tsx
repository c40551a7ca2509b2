import { useCallback, useId, useState } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { shortDay } from '../../format/moments.ts'
import { shareInWords } from '../../format/share.ts'
import { routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { useFetched } from '../../store/use-fetched.ts'
import { Button } from '../../ui/button.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Shield } from '../../ui/shield.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Term } from '../../ui/term.tsx'
import type { Day } from '../history/days.ts'
import { ScoreChart } from '../history/score-chart.tsx'
import styles from './leaderboard.module.css'
import { LeaderboardTable } from './leaderboard-table.tsx'
import { type Ranked, type RankedDay, rankByShare } from './ranking.ts'

/** To get to it past many workspaces. */
export const LEADERBOARD_ID = 'seven-days'
/** Rows drawn before they are asked for: each is a chart. */
const FIRST_ROWS = 10

const fetchHistories = (api: ApiClient, signal: AbortSignal) => api.score.histories(undefined, { signal })

/** The last seven days of these workspaces side by side, the one nearest its targets first; the same as a table. */
export function Leaderboard({ shown }: { shown: readonly Workspace[] }) {
  const freshness = useApp((state) => state.workspaces.map(scoreMark).join())
  const { value, problem, retry } = useFetched(useCallback(fetchHistories, []), freshness)
  const [asTable, setAsTable] = useState(false)
  const [all, setAll] = useState(false)
  const headingId = useId()
  const byId = new Map(shown.map((workspace) => [workspace.id, workspace]))
  const ranked = rankByShare((value ?? []).filter(({ workspace }) => byId.has(workspace)))
  const rows = all ? ranked : ranked.slice(0, FIRST_ROWS)
  if (shown.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby={headingId} id={LEADERBOARD_ID} tabIndex={-1}>
      <div className={styles.head}>
        <h2 id={headingId}>7 days</h2>
        <p className={styles.legend}>
          <span className={styles.keyTarget} aria-hidden /> <Term name="target">target</Term>
          <span className={styles.keyFloor} aria-hidden /> <Term name="floor">floor</Term>
        </p>
        <Button
          look="quiet"
          className={styles.toggle}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          As table
        </Button>
      </div>
      <p className={styles.rule}>
        Ranked by the share of their targets that they reached over the last seven finished days; those
        without a finished day stand last. Today still runs and does not count.
      </p>
      {value === null && problem === null && <Skeleton width="100%" height={96} />}
      {problem !== null && <NotLoaded what="The seven days" problem={problem} retry={retry} />}
      {value !== null && !asTable && (
        <div aria-hidden>
          <DayNames days={ranked[0]?.days ?? []} />
          <ol className={styles.rows}>
            {rows.map((row) => (
              <Row key={row.workspace} row={row} workspace={byId.get(row.workspace)} />
            ))}
          </ol>
        </div>
      )}
      {value !== null && !asTable && rows.length < ranked.length && (
        <Button look="quiet" className={styles.more} onClick={() => setAll(true)}>
          Show {ranked.length - rows.length} more, {rows.length} of {ranked.length} are shown
        </Button>
      )}
      {value !== null && <LeaderboardTable ranked={ranked} workspaces={byId} isShown={asTable} />}
    </section>
  )
}

/** Whatever changes with a workspace's history changes one of these. */
function scoreMark({ id, score }: Workspace): string {
  return `${id} ${score.date} ${score.score} ${score.target} ${score.lifetime.totalScore}`
}

function DayNames({ days }: { days: readonly RankedDay[] }) {
  return (
    <div className={styles.dayNames}>
      <p>
        {days.map(({ date, isToday }) => (
          <span key={date} data-today={isToday}>
            {isToday ? 'today' : shortDay(date)}
          </span>
        ))}
      </p>
    </div>
  )
}

/** The eye's view of a row: the table has the figures, and the cards above have the links. */
function Row({ row, workspace }: { row: Ranked; workspace: Workspace | undefined }) {
  if (workspace === undefined) return null
  const today = row.days.find(({ isToday }) => isToday)
  return (
    <li className={styles.row}>
      <span className={styles.rank}>{row.rank ?? '–'}</span>
      <Shield level={workspace.shield} size={20} />
      <a className={styles.name} href={routeTo(workspace.id)} tabIndex={-1}>
        <bdi>{workspace.name}</bdi>
      </a>
      <div className={styles.chart}>
        <ScoreChart days={row.days.map(barOf)} floor={row.floor} compact />
      </div>
      <span className={styles.share} data-negative={(row.share ?? 0) < 0}>
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

function barOf({ date, score, target, isToday, overruled }: RankedDay): Day {
  const reached = score !== null && target !== null && score >= target
  const kind =
    score === null ? 'none' : isToday ? 'today' : reached ? 'reached' : score < 0 ? 'negative' : 'below'
  return { key: date, label: date, score, target, kind, overruledCount: overruled ? 1 : 0 }
}
