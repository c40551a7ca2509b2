import { useId, useState } from 'react'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { routeTo } from '../../route/route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Term } from '../../ui/term.tsx'
import { SevenDays, type SevenDaysRow } from '../history/seven-days.tsx'
import styles from './leaderboard.module.css'
import { LeaderboardTable } from './leaderboard-table.tsx'
import { type Ranked, rankByShare } from './ranking.ts'

/** The id of the leaderboard, for jumping to it past many workspaces. */
export const LEADERBOARD_ID = 'seven-days'
/** How many rows are drawn at first; each has a chart. */
const FIRST_ROWS = 10

/** The last seven days of these workspaces, the one closest to its targets first, as charts or as a table. */
export function Leaderboard({ shown }: { shown: readonly Workspace[] }) {
  const freshness = useApp((state) => state.workspaces.map(scoreMark).join())
  const { value, problem, retry } = useAnswer((api) => api.score.histories, undefined, freshness)
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
        <p className="row gap-icon tiny faint">
          <span className="key-target" aria-hidden /> <Term name="target">target</Term>
          <span className="key-floor" aria-hidden /> <Term name="floor">floor</Term>
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
      <p className="measure small faint pretty">
        Ranked by the share of their targets that they reached over the last seven finished days; those
        without a finished day come last. Today is not finished and does not count.
      </p>
      {value === null && problem === null && <Skeleton width="100%" height={96} />}
      {problem !== null && <NotLoaded what="The seven days" problem={problem} retry={retry} />}
      {value !== null && !asTable && (
        <SevenDays rows={rows.flatMap((row) => rowOf(row, byId.get(row.workspace)) ?? [])} />
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

/** Returns a text that changes whenever a workspace's history does. */
function scoreMark({ id, score }: Workspace): string {
  return `${id} ${score.date} ${score.score} ${score.target} ${score.lifetime.totalScore} ${score.lifetime.contradictions}`
}

function rowOf(row: Ranked, workspace: Workspace | undefined): SevenDaysRow | null {
  if (workspace === undefined) return null
  const { name, shield, unreviewed } = workspace
  return { ...row, key: row.workspace, href: routeTo(row.workspace), name, where: null, shield, unreviewed }
}
