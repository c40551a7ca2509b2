import { useCallback, useMemo, useRef, useState } from 'react'
import type { FleetEntry, FleetFilter } from '../../../../core/fleet/view.ts'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { type FleetItem, fleetAddress } from '../../route/route.ts'
import { replaceAddress } from '../../route/use-route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { EntryLinks } from '../timeline/entry-links.ts'
import { SaveMenu } from '../timeline/export-menu.tsx'
import { Feed } from '../timeline/feed.tsx'
import { filterOf, inputOf, queryOf, type ShownFilter } from '../timeline/filter.ts'
import { FilterBar } from '../timeline/filter-bar.tsx'
import { isAtTopOfFeed } from '../timeline/is-at-top.ts'
import styles from './fleet.module.css'
import { idOf } from './fleet-entries.ts'
import { useFleetTimeline } from './use-fleet-timeline.ts'

type Query = Readonly<Record<string, string>>

/** Everything that happened on all hosts, newest first, each entry with its host; the address contains the filter and the open entry. */
export function FleetTimeline({
  filter,
  query,
  item,
}: {
  filter: FleetFilter
  query: Query
  item: FleetItem | null
}) {
  const api = useApp((state) => state.api)
  const words = JSON.stringify(queryOf(filterOf(query)))
  const shown = useMemo(() => filterOf(JSON.parse(words)), [words])
  const whole = { ...filter, ...inputOf(shown) }
  const list = JSON.stringify(whole)
  // An entry opened in the list stays where it is; an entry named in the address restarts the list there.
  const opened = useRef<string | null>(null)
  const began = useRef(item)
  const beganBy = useRef(list)
  const openId = item?.entry === undefined ? null : `${item.host}/${item.workspace}/${item.entry}`
  // The address changes a moment after an entry is opened or closed in the list; until then it must not restart the list.
  const seen = useRef(openId)
  if (beganBy.current !== list) {
    beganBy.current = list
    began.current = item
  } else if (openId !== null && openId !== seen.current && openId !== opened.current) began.current = item
  seen.current = openId
  const [round, setRound] = useState(0)
  const go = (to: ShownFilter, entry: FleetEntry | null) => {
    opened.current = entry === null ? null : idOf(entry)
    replaceAddress(fleetAddress('timeline', itemOf(entry), { ...filter, ...queryOf(to) }))
  }
  return (
    <section className={styles.timeline} aria-label="Timeline">
      <FilterBar filter={shown} tasks={null} label="Narrow the timeline down" onChange={(to) => go(to, null)}>
        <SaveMenu name="fleet" load={(format) => api.fleet.export({ ...whole, format })} />
      </FilterBar>
      <Entries
        key={`${list} ${JSON.stringify(began.current)} ${round}`}
        filter={whole}
        from={began.current}
        openId={openId}
        onOpen={(entry) => go(shown, entry)}
        beginAnew={() => {
          began.current = null
          setRound((before) => before + 1)
          go(shown, null)
        }}
      />
    </section>
  )
}

function Entries({
  filter,
  from,
  openId,
  onOpen,
  beginAnew,
}: {
  filter: Parameters<typeof useFleetTimeline>[0]
  from: FleetItem | null
  openId: string | null
  onOpen: (entry: FleetEntry | null) => void
  beginAnew: () => void
}) {
  const place =
    from?.entry === undefined ? null : { host: from.host, workspace: from.workspace, id: from.entry }
  const timeline = useFleetTimeline(filter, place, () => isAtTopOfFeed() && openId === null, beginAnew)
  const { loaded, problem, found, whoseOf } = timeline
  const linksOf = useCallback((entry: TimelineEntry) => linksTo(whoseOf(entry)), [whoseOf])
  return (
    <>
      {problem !== null && <NotLoaded what="The timeline" problem={problem} retry={timeline.retry} />}
      {found === 'missing' && <p role="alert">The center has no entry with this address.</p>}
      {found === 'entry' && (
        <p className="measure small faint figures pretty">
          The list starts at the linked entry.{' '}
          <Button look="quiet" onClick={beginAnew}>
            Show the newest
          </Button>
        </p>
      )}
      {loaded === null && problem === null && <Skeleton width="60%" />}
      {loaded !== null && loaded.total === 0 && loaded.complete && (
        <p className="empty">No entry matches the filter yet.</p>
      )}
      {loaded !== null && loaded.total > 0 && (
        <Feed
          linksOf={linksOf}
          isOfOne={false}
          loaded={loaded}
          need={timeline.need}
          startAt={found === 'entry' ? 0 : null}
          // Don't offer the newest a second time: a button above the list does that.
          waiting={found === 'entry' ? (timeline.waiting ?? 0) : timeline.waiting}
          onShowWaiting={timeline.showWaiting}
          openId={openId}
          onOpen={(id) => onOpen(id === null ? null : (loaded.byId.get(id) ?? null))}
        />
      )}
    </>
  )
}

function itemOf(entry: FleetEntry | null): FleetItem | null {
  if (entry === null) return null
  return { host: entry.host, workspace: entry.workspace, entry: entry.entry.id }
}

/** Links of a fleet entry: the full attempt, its output and its files are only on its host. */
function linksTo(whose: FleetEntry | undefined): EntryLinks {
  return {
    attempt: () => null,
    contract: null,
    entry: whose === undefined ? null : fleetAddress('timeline', itemOf(whose)),
    where: whose === undefined ? null : <Where {...whose} />,
  }
}

function Where({ host, workspace, name }: FleetEntry) {
  return (
    <a href={fleetAddress('workspaces', { host, workspace })} tabIndex={-1}>
      <bdi>{host}</bdi> · <bdi>{name}</bdi>
    </a>
  )
}
