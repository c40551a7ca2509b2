import { useCallback } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type { FleetFilter, FleetRank } from '../../../../core/fleet/view.ts'
import { shareInWords } from '../../format/share.ts'
import { fleetAddress } from '../../route/route.ts'
import tableStyles from '../../ui/table.module.css'
import { TableHead } from '../../ui/table-head.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import styles from './fleet.module.css'
import { Missing } from './missing.tsx'
import { useFleet } from './use-fleet.ts'

const COLUMNS = ['Rank', 'Workspace', 'Host', 'Share', 'Days', 'Verified', 'Failed', 'Contradictions']

/** Workspaces of all hosts by the share of their targets that they reached over the last seven finished days. */
export function FleetRanks({ filter }: { filter: FleetFilter }) {
  const found = useFleet(
    useCallback((api: ApiClient, signal: AbortSignal) => api.fleet.leaderboard(filter, { signal }), [filter]),
  )
  return (
    <Missing of={found} what="The seven days">
      {(ranks) => <Ranks ranks={ranks} filter={filter} />}
    </Missing>
  )
}

function Ranks({ ranks, filter }: { ranks: readonly FleetRank[]; filter: FleetFilter }) {
  const { shown, more } = useLongList(ranks, 100)
  if (ranks.length === 0) return <p className={styles.none}>No workspace is of that host, group and tag.</p>
  return (
    <>
      <p className={styles.rule}>
        Ranked by the share of their targets that they reached over the last seven finished days; those
        without a finished day stand last.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by the keyboard */}
      <section className={tableStyles.box} aria-label="Seven days of the fleet" tabIndex={0}>
        <table className={`${tableStyles.table} ${styles.table}`}>
          <TableHead columns={COLUMNS} />
          <tbody>
            {shown.map((each, index) => (
              <Rank
                key={`${each.host}/${each.workspace}`}
                of={each}
                place={placeOf(ranks, index)}
                filter={filter}
              />
            ))}
          </tbody>
        </table>
      </section>
      {more}
    </>
  )
}

/** From 1; equal shares have equal ranks, and who has no finished day has none. */
function placeOf(ranks: readonly FleetRank[], index: number): number | null {
  const share = ranks[index]?.share ?? null
  return share === null ? null : 1 + ranks.findIndex((each) => each.share === share)
}

function Rank({ of, place, filter }: { of: FleetRank; place: number | null; filter: FleetFilter }) {
  const { host, workspace, name, share, days, verified, failed, contradictions } = of
  return (
    <tr>
      <td>{place ?? '–'}</td>
      <th scope="row">
        <a href={fleetAddress('workspaces', { host, workspace }, { ...filter })}>
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
