import { useCallback, useState } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type { FleetFilter, FleetRank } from '../../../../core/fleet/view.ts'
import { lastDates } from '../../../../core/read-model/last-days.ts'
import { shareInWords } from '../../format/share.ts'
import { fleetAddress } from '../../route/route.ts'
import { Button } from '../../ui/button.tsx'
import tableStyles from '../../ui/table.module.css'
import { TableHead } from '../../ui/table-head.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { daysOf } from '../history/ranked-days.ts'
import { SevenDays } from '../history/seven-days.tsx'
import styles from './fleet.module.css'
import { Missing } from './missing.tsx'
import { useFleet } from './use-fleet.ts'

const COLUMNS = ['Rank', 'Workspace', 'Host', 'Share', 'Days', 'Verified', 'Failed', 'Contradictions']
/** Rows per page; each has a chart. */
const ROWS = 50

/**
 * The workspaces of all hosts, ranked by the share of their targets that they reached over the last seven finished days, as charts or as a
 * table; in pages if there are many.
 */
export function FleetRanks({ filter, total, today }: { filter: FleetFilter; total: number; today: string }) {
  const [wanted, setWanted] = useState(0)
  const [asTable, setAsTable] = useState(false)
  const lastPage = Math.max(0, Math.ceil(total / ROWS) - 1) * ROWS
  // Some may have disappeared since.
  const offset = Math.min(wanted, lastPage)
  const found = useFleet(
    useCallback(
      async (api: ApiClient, signal: AbortSignal) => ({
        offset,
        ranks: await api.fleet.leaderboard({ ...filter, offset, limit: ROWS }, { signal }),
      }),
      [filter, offset],
    ),
  )
  if (total === 0) return <p className="empty">No workspace matches that host, group and tag.</p>
  return (
    <>
      <div className="row top gap-4 spread">
        <p className="measure small faint figures pretty">
          Ranked by the share of their targets that they reached over the last seven finished days; those
          without a finished day come last. Today is not finished and does not count.
        </p>
        <Button look="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          Table
        </Button>
      </div>
      <Missing of={found} what="The seven days">
        {(page) => <Ranks ranks={page.ranks} dates={lastDates(today)} filter={filter} asTable={asTable} />}
      </Missing>
      {total > ROWS && (
        <Pages offset={found.value?.offset ?? offset} last={lastPage} total={total} onTurn={setWanted} />
      )}
    </>
  )
}

/** Which rows of how many are shown, with buttons to the others. */
function Pages({
  offset,
  last,
  total,
  onTurn,
}: {
  offset: number
  last: number
  total: number
  onTurn: (offset: number) => void
}) {
  const turns = {
    First: 0,
    Previous: Math.max(0, offset - ROWS),
    Next: Math.min(offset + ROWS, last),
    Last: last,
  }
  return (
    <nav className={styles.pages} aria-label="Pages of the leaderboard">
      <span role="status" className="measure small faint figures pretty">
        {offset + 1} to {Math.min(offset + ROWS, total)} of {total}
      </span>
      {Object.entries(turns).map(([word, to]) => (
        <Button
          key={word}
          look="quiet"
          aria-disabled={to === offset}
          onClick={() => {
            if (to === offset) return
            onTurn(to)
            document.getElementById('content')?.scrollTo({ top: 0 })
          }}
        >
          {word}
        </Button>
      ))}
    </nav>
  )
}

function Ranks({
  ranks,
  dates,
  filter,
  asTable,
}: {
  ranks: readonly FleetRank[]
  dates: readonly string[]
  filter: FleetFilter
  asTable: boolean
}) {
  const rows = ranks.map(({ host, workspace, name, shield, unreviewed, rank, share, history }) => ({
    key: `${host}/${workspace}`,
    rank,
    shield,
    unreviewed,
    href: fleetAddress('workspaces', { host, workspace }, { ...filter }),
    name,
    where: host,
    share: share === null ? null : share / 100,
    floor: history.targetFloor,
    days: daysOf(history, dates),
  }))
  const table = (
    <table className={`${tableStyles.table} ${styles.table}`}>
      <TableHead columns={COLUMNS} />
      <tbody>
        {ranks.map((each, index) => (
          <Rank
            key={`${each.host}/${each.workspace}`}
            of={each}
            href={rows[index]?.href ?? ''}
            isShown={asTable}
          />
        ))}
      </tbody>
    </table>
  )
  if (asTable)
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by the keyboard
      <section className={tableStyles.box} aria-label="Seven days of the fleet" tabIndex={0}>
        {table}
      </section>
    )
  return (
    <>
      <SevenDays rows={rows} />
      <VisuallyHidden>{table}</VisuallyHidden>
    </>
  )
}

function Rank({ of, href, isShown }: { of: FleetRank; href: string; isShown: boolean }) {
  const { host, name, rank, share, days, verified, failed, contradictions } = of
  return (
    <tr>
      <td>{rank ?? '–'}</td>
      <th scope="row">
        <a href={href} tabIndex={isShown ? 0 : -1}>
          <bdi>{name}</bdi>
        </a>
      </th>
      <td>
        <bdi>{host}</bdi>
      </td>
      <td data-negative={(share ?? 0) < 0}>{shareInWords(share === null ? null : share / 100)}</td>
      <td>{days}</td>
      <td>{verified}</td>
      <td>{failed}</td>
      <td data-lies={contradictions > 0}>{contradictions}</td>
    </tr>
  )
}
