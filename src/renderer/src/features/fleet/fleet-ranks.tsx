import { useCallback, useState } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type { FleetFilter, FleetRank } from '../../../../core/fleet/view.ts'
import { shareInWords } from '../../format/share.ts'
import { fleetAddress } from '../../route/route.ts'
import { Button } from '../../ui/button.tsx'
import tableStyles from '../../ui/table.module.css'
import { TableHead } from '../../ui/table-head.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { daysOf, lastDates } from '../history/ranked-days.ts'
import { SevenDays } from '../history/seven-days.tsx'
import styles from './fleet.module.css'
import { Missing } from './missing.tsx'
import { useFleet } from './use-fleet.ts'

const COLUMNS = ['Rank', 'Workspace', 'Host', 'Share', 'Days', 'Verified', 'Failed', 'Contradictions']
/** Rows fetched at first, and added at each wish for more: each is a chart. */
const STEP = 20

/** Workspaces of all hosts by the share of their targets that they reached over the last seven finished days, side by side; the same as a table. */
export function FleetRanks({ filter, total }: { filter: FleetFilter; total: number }) {
  const [limit, setLimit] = useState(STEP)
  const [asTable, setAsTable] = useState(false)
  const found = useFleet(
    useCallback(
      (api: ApiClient, signal: AbortSignal) => api.fleet.leaderboard({ ...filter, limit }, { signal }),
      [filter, limit],
    ),
  )
  if (total === 0) return <p className={styles.none}>No workspace is of that host, group and tag.</p>
  return (
    <>
      <div className={styles.ranked}>
        <p className={styles.rule}>
          Ranked by the share of their targets that they reached over the last seven finished days; those
          without a finished day stand last. Today still runs and does not count.
        </p>
        <Button look="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          As table
        </Button>
      </div>
      <Missing of={found} what="The seven days">
        {(ranks) => <Ranks ranks={ranks} filter={filter} asTable={asTable} />}
      </Missing>
      {limit < total && (
        <Button look="quiet" onClick={() => setLimit(Math.min(limit + STEP, 1_000))}>
          Show {Math.min(STEP, total - limit)} more, {limit} of {total} are shown
        </Button>
      )}
    </>
  )
}

function Ranks({
  ranks,
  filter,
  asTable,
}: {
  ranks: readonly FleetRank[]
  filter: FleetFilter
  asTable: boolean
}) {
  const dates = lastDates(ranks.map(({ history }) => history))
  const rows = ranks.map(({ host, workspace, name, shield, share, history }, index) => ({
    key: `${host}/${workspace}`,
    rank: placeOf(ranks, index),
    shield,
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
            place={placeOf(ranks, index)}
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

/** From 1; equal shares have equal ranks, and who has no finished day has none. */
function placeOf(ranks: readonly FleetRank[], index: number): number | null {
  const share = ranks[index]?.share ?? null
  return share === null ? null : 1 + ranks.findIndex((each) => each.share === share)
}

function Rank({
  of,
  place,
  href,
  isShown,
}: {
  of: FleetRank
  place: number | null
  href: string
  isShown: boolean
}) {
  const { host, name, share, days, verified, failed, contradictions } = of
  return (
    <tr>
      <td>{place ?? '–'}</td>
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
