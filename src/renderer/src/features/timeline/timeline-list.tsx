import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { counted } from '../../format/counted.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Entry } from './entry.tsx'
import type { ShownFilter } from './filter.ts'
import { groupOf } from './groups.ts'
import type { LoadedEntries } from './loaded-entries.ts'
import styles from './timeline.module.css'
import { useRoving } from './use-roving.ts'
import { useTimeline } from './use-timeline.ts'

/** Of a closed entry with one line below its title; every entry is measured once it is drawn. */
const USUAL_HEIGHT = 58
/** Counts as the top of the list: what comes in may be shown at once. */
const NEAR_TOP_PX = 8

/** The entries that `filter` lets through. `openId` is the entry shown whole, and the one the list begins at. */
export function TimelineList({
  workspaceId,
  filter,
  openId,
  onOpen,
  onShowAll,
}: {
  workspaceId: string
  filter: ShownFilter
  openId: string | null
  onOpen: (id: string | null) => void
  /** `null` where the filter lets everything through. */
  onShowAll: (() => void) | null
}) {
  const isAtTop = useCallback(() => {
    const main = document.getElementById('content')
    const isReading = document.activeElement?.closest('[role=feed] article') != null
    return (main?.scrollTop ?? 0) < NEAR_TOP_PX && !isReading
  }, [])
  const [wanted] = useState(openId)
  const open = openId !== null
  const timeline = useTimeline(workspaceId, filter, wanted, () => isAtTop() && !open)
  const { loaded, problem, retry, found } = timeline
  if (problem !== null && loaded === null) {
    return (
      <p role="alert">
        The timeline could not be loaded. {problem.message}{' '}
        <Button look="quiet" onClick={retry}>
          Try again
        </Button>
      </p>
    )
  }
  if (loaded === null) return <Skeleton width="60%" />
  return (
    <>
      {found === 'missing' && (
        <p className={styles.missing} role="alert">
          The entry of this address is not among these.{' '}
          {onShowAll !== null && <Button onClick={onShowAll}>Show everything</Button>}
        </p>
      )}
      {problem !== null && (
        <p role="alert">
          {problem.message}{' '}
          <Button look="quiet" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
      {loaded.total === 0 && loaded.complete ? (
        <Nothing onShowAll={onShowAll} waiting={timeline.waiting} onShowWaiting={timeline.showWaiting} />
      ) : (
        <Feed
          workspaceId={workspaceId}
          loaded={loaded}
          need={timeline.need}
          startAt={typeof found === 'number' ? found : null}
          waiting={timeline.waiting}
          onShowWaiting={timeline.showWaiting}
          openId={openId}
          onOpen={onOpen}
        />
      )}
    </>
  )
}

function Nothing({
  onShowAll,
  waiting,
  onShowWaiting,
}: {
  onShowAll: (() => void) | null
  waiting: number
  onShowWaiting: () => Promise<void>
}) {
  return (
    <div className={styles.empty}>
      {onShowAll === null ? (
        <p>
          Nothing has happened yet. After the first heartbeat, every verdict stands here with what was claimed
          beside what was measured.
        </p>
      ) : (
        <>
          <p>Nothing of this kind is recorded.</p>
          <Button onClick={onShowAll}>Show everything</Button>
        </>
      )}
      {waiting > 0 && (
        <Button onClick={() => void onShowWaiting()}>
          Show {counted(waiting, 'new entry', 'new entries')}
        </Button>
      )}
    </div>
  )
}

function Feed({
  workspaceId,
  loaded,
  need,
  startAt,
  waiting,
  onShowWaiting,
  openId,
  onOpen,
}: {
  workspaceId: string
  loaded: LoadedEntries
  need: (from: number, to: number) => void
  startAt: number | null
  waiting: number
  onShowWaiting: () => Promise<void>
  openId: string | null
  onOpen: (id: string | null) => void
}) {
  const { total, added, entries, complete } = loaded
  const feed = useRef<HTMLDivElement>(null)
  const margin = useScrollMargin(feed)
  const active = useRef(startAt ?? 0)
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => document.getElementById('content'),
    estimateSize: () => USUAL_HEIGHT,
    // Not the entry's id: the focus has to stay on an entry that is only just being loaded.
    getItemKey: useCallback((index: number) => index - added, [added]),
    scrollMargin: margin,
    overscan: 8,
    rangeExtractor: useCallback((range: Range) => withActive(range, active.current), []),
  })
  const items = virtualizer.getVirtualItems()
  // Not from the items: the focused one may be far away.
  const first = virtualizer.range?.startIndex ?? 0
  const last = virtualizer.range?.endIndex ?? 0
  useEffect(() => {
    // Those drawn, and as many again in either direction.
    const ahead = Math.max(20, last - first)
    need(Math.max(0, first - ahead), Math.min(total - 1, last + ahead))
  }, [need, first, last, total])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, to the entry that the address named
  useLayoutEffect(() => {
    if (startAt !== null) virtualizer.scrollToIndex(startAt, { align: 'center' })
  }, [startAt])
  const roving = useRoving({
    feed,
    count: total,
    active,
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    onEnter: (index) => {
      const entry = entries.get(index)
      if (entry !== undefined) onOpen(entry.id === openId ? null : entry.id)
    },
  })
  const topmost = items.find(({ end }) => end > (virtualizer.scrollOffset ?? 0))
  const shownDay = groupOf(entries.get(topmost?.index ?? 0), undefined)?.day
  const showWaiting = async () => {
    await onShowWaiting()
    document.getElementById('content')?.scrollTo({ top: 0 })
  }
  return (
    <>
      <FeedBar loaded={loaded} day={shownDay} waiting={waiting} onShowWaiting={showWaiting} />
      <div
        ref={feed}
        role="feed"
        aria-label="Timeline"
        aria-busy={!complete}
        className={styles.feed}
        style={{ height: virtualizer.getTotalSize() }}
        {...roving.handlers}
      >
        {items.map(({ index, key, start }) => (
          <Row
            key={key}
            measure={virtualizer.measureElement}
            workspaceId={workspaceId}
            loaded={loaded}
            index={index}
            top={start - margin}
            isActive={index === roving.active}
            openId={openId}
            onOpen={onOpen}
          />
        ))}
      </div>
    </>
  )
}

/** What stands above the entries whatever is scrolled to. */
function FeedBar({
  loaded: { total, complete },
  day,
  waiting,
  onShowWaiting,
}: {
  loaded: LoadedEntries
  day: string | null | undefined
  waiting: number
  onShowWaiting: () => Promise<void>
}) {
  return (
    <div className={styles.bar}>
      <span className={styles.barDay} aria-hidden>
        {day}
      </span>
      <span role="status" className={styles.count}>
        {counted(total, 'entry', 'entries')}
        {complete ? '' : ' so far, looking further back…'}
      </span>
      {waiting > 0 && (
        <Button className={styles.waiting} onClick={() => void onShowWaiting()}>
          <ArrowUp size={14} aria-hidden /> {counted(waiting, 'new entry', 'new entries')}
        </Button>
      )}
    </div>
  )
}

/** An entry in its place, with the day and the heartbeat that begin with it; blank while it is being loaded. */
function Row({
  measure,
  workspaceId,
  loaded: { entries, complete, total },
  index,
  top,
  isActive,
  openId,
  onOpen,
}: {
  measure: (element: HTMLElement | null) => void
  workspaceId: string
  loaded: LoadedEntries
  index: number
  top: number
  isActive: boolean
  openId: string | null
  onOpen: (id: string | null) => void
}) {
  const entry = entries.get(index)
  const group = groupOf(entry, index === 0 ? null : entries.get(index - 1))
  return (
    <article
      ref={measure}
      data-index={index}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      aria-posinset={index + 1}
      aria-setsize={complete ? total : -1}
      aria-label={entry === undefined ? 'Loading' : labelOf(entry)}
      aria-busy={entry === undefined}
      tabIndex={isActive ? 0 : -1}
    >
      {group?.day != null && (
        <h2 className={styles.day} data-first={index === 0}>
          {group.day}
        </h2>
      )}
      {group?.cycle != null && <h3 className={styles.cycle}>Heartbeat {group.cycle}</h3>}
      {entry === undefined ? (
        <div className={styles.blank} />
      ) : (
        <Entry
          workspaceId={workspaceId}
          entry={entry}
          open={entry.id === openId}
          onToggle={() => onOpen(entry.id === openId ? null : entry.id)}
        />
      )}
    </article>
  )
}

function labelOf(entry: TimelineEntry): string {
  return entry.taskId === null ? entry.title : `${entry.title}: ${entry.taskId}`
}

/** The focused entry stays drawn while one scrolls away from it: the focus would be lost with it. */
function withActive(range: Range, active: number): number[] {
  const shown = defaultRangeExtractor(range)
  if (active >= range.count || shown.includes(active)) return shown
  return [...shown, active].sort((a, b) => a - b)
}

/** How far below the top of what scrolls the list begins: there are notices and filters above it. */
function useScrollMargin(feed: { readonly current: HTMLElement | null }): number {
  const [margin, setMargin] = useState(0)
  // On every render: whatever stands above may have changed its height.
  useLayoutEffect(() => {
    const main = document.getElementById('content')
    if (feed.current === null || main === null) return
    const top = feed.current.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop
    if (Math.abs(top - margin) > 1) setMargin(top)
  })
  return margin
}
