import { useCallback, useRef } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type { FleetFilter, FleetWorkspace } from '../../../../core/fleet/view.ts'
import { standingTitle } from '../../../../core/read-model/standing-title.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { HEARD_WORDS } from '../../../../core/vocabulary/fleet.ts'
import { isUntouched } from '../../format/standing.ts'
import { fleetAddress } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { NeedCount } from '../../ui/need-count.tsx'
import { Shield } from '../../ui/shield.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useRoving } from '../../ui/use-roving.ts'
import { useVirtualList } from '../../ui/virtual-list.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './fleet.module.css'
import { Missing } from './missing.tsx'
import { useFleet } from './use-fleet.ts'

const ROW_HEIGHT = 44
/** Rows are fetched in multiples of this, so that a little scrolling fetches nothing. */
const STEP = 50

/** The workspaces of all hosts, those that need the operator first; in a long list, only the visible rows are fetched and drawn. */
export function FleetWorkspaces({ filter, total }: { filter: FleetFilter; total: number }) {
  const list = useRef<HTMLUListElement>(null)
  const active = useRef(0)
  const { virtualizer, margin } = useVirtualList(list, { count: total, itemHeight: ROW_HEIGHT, active })
  const first = virtualizer.range?.startIndex ?? 0
  const last = virtualizer.range?.endIndex ?? 0
  const offset = Math.max(0, Math.floor(first / STEP) * STEP - STEP)
  const limit = Math.ceil((last + 1 - offset) / STEP) * STEP + STEP
  const found = useFleet(
    useCallback(
      async (api: ApiClient, signal: AbortSignal) => ({
        offset,
        rows: await api.fleet.workspaces({ ...filter, offset, limit }, { signal }),
      }),
      [filter, offset, limit],
    ),
  )
  const rowAt = (index: number) =>
    found.value === null ? undefined : found.value.rows[index - found.value.offset]
  const roving = useRoving({
    feed: list,
    count: total,
    active,
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    onEnter: (index) => {
      const row = rowAt(index)
      if (row !== undefined) navigate(addressOf(row, filter))
    },
  })
  if (total === 0) return <p className="empty">No workspace matches that host, group and tag.</p>
  return (
    <Missing of={found} what="The workspaces">
      {() => (
        <ul
          ref={list}
          className={styles.rows}
          style={{ height: virtualizer.getTotalSize() }}
          aria-label="Workspaces of the fleet"
          {...roving.handlers}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start }) => (
            <li
              key={key}
              className={styles.place}
              style={{ transform: `translateY(${start - margin}px)`, height: ROW_HEIGHT }}
              aria-posinset={index + 1}
              aria-setsize={total}
            >
              <Row
                row={rowAt(index)}
                index={index}
                filter={filter}
                isActive={index === Math.min(roving.active, total - 1)}
              />
            </li>
          ))}
        </ul>
      )}
    </Missing>
  )
}

function addressOf({ host, view }: FleetWorkspace, filter: FleetFilter): string {
  return fleetAddress('workspaces', { host, workspace: view.id }, { ...filter })
}

function Row({
  row,
  index,
  filter,
  isActive,
}: {
  row: FleetWorkspace | undefined
  index: number
  filter: FleetFilter
  isActive: boolean
}) {
  if (row === undefined) return <div className={styles.blank} />
  const { host, group, heard, view } = row
  const { name, shield, score, needs, unreviewed } = view
  const [need] = needs
  return (
    <a
      className={styles.row}
      href={addressOf(row, filter)}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      title={`${name} on ${host}: ${standingTitle(view)}${need === undefined ? '' : `\n${need.reason}`}`}
    >
      <Shield level={shield} unreviewed={unreviewed} size={20} />
      <VisuallyHidden>{standingTitle(view)}, </VisuallyHidden>
      <span className="strong end nowrap" data-negative={score.score < 0}>
        {isUntouched(view) ? '–' : formatPoints(score.score)}
        <span className="faint regular"> of {formatPoints(score.target)}</span>
      </span>
      <span className={styles.names}>
        <bdi className={styles.name}>{name}</bdi>
        <span className={styles.where}>
          <bdi>{host}</bdi>
          {group !== null && <bdi> · {group}</bdi>}
          {(heard === 'late' || heard === 'down') && <span title={HEARD_WORDS[heard]}> · {heard}</span>}
        </span>
      </span>
      <span className={styles.why} data-asks={needs.length > 0}>
        <NeedCount count={needs.length} then=": " />
        <span className={styles.reason} dir="auto">
          {need?.reason ?? (view.standingMessage || standingTitle(view))}
        </span>
      </span>
      <Due row={row} />
    </a>
  )
}

/** What is running or due, as reported by its host; unknown if the host fell silent. */
function Due({ row: { heard, view } }: { row: FleetWorkspace }) {
  const { running, next } = view
  const isKnown = heard === 'heard' || heard === 'late'
  return (
    <span className={styles.due}>
      {!isKnown ? (
        'not known'
      ) : running !== null ? (
        'running'
      ) : next.at === null ? (
        '–'
      ) : (
        <>
          <VisuallyHidden>next </VisuallyHidden>
          <RelativeTime at={next.at} />
        </>
      )}
    </span>
  )
}
