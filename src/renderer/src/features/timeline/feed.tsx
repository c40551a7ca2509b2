import { ArrowUp } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { counted } from '../../format/counted.ts'
import { Button } from '../../ui/button.tsx'
import { useMarks } from '../../ui/use-marks.ts'
import { useRoving } from '../../ui/use-roving.ts'
import { useVirtualList } from '../../ui/virtual-list.ts'
import { Entry } from './entry.tsx'
import type { EntryLinks } from './entry-links.ts'
import { groupOf } from './groups.ts'
import type { LoadedEntries } from './loaded-entries.ts'
import styles from './timeline.module.css'

/** The height of a closed entry with one line below its title; every entry is measured once it is drawn. */
const USUAL_HEIGHT = 58

/** Entries of a timeline; only visible ones are drawn. */
export function Feed({
  linksOf,
  isOfOne = true,
  loaded,
  need,
  text = '',
  startAt,
  waiting,
  onShowWaiting,
  openId,
  onOpen,
}: {
  linksOf: (entry: TimelineEntry) => EntryLinks
  /** False: the entries are from several workspaces, so a heartbeat's number is ambiguous. */
  isOfOne?: boolean
  loaded: LoadedEntries
  need: (from: number, to: number) => void
  /** The searched text, which is highlighted. */
  text?: string
  startAt: number | null
  waiting: number | null
  onShowWaiting: () => Promise<void>
  openId: string | null
  onOpen: (id: string | null) => void
}) {
  const { total, added, entries, complete } = loaded
  const feed = useRef<HTMLDivElement>(null)
  const active = useRef(startAt ?? 0)
  const { virtualizer, margin } = useVirtualList(feed, {
    count: total,
    itemHeight: USUAL_HEIGHT,
    added,
    active,
  })
  const items = virtualizer.getVirtualItems()
  useNeeded(virtualizer.range, total, need)
  useMarks(feed, text)
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
      <FeedBar
        isOfOne={isOfOne}
        loaded={loaded}
        day={shownDay}
        waiting={waiting}
        onShowWaiting={showWaiting}
      />
      <div
        ref={feed}
        role="feed"
        aria-label="Timeline"
        aria-busy={isOfOne && !complete}
        className={styles.feed}
        style={{ height: virtualizer.getTotalSize() }}
        {...roving.handlers}
      >
        {items.map(({ index, key, start }) => (
          <Row
            key={key}
            measure={virtualizer.measureElement}
            linksOf={linksOf}
            isOfOne={isOfOne}
            loaded={loaded}
            index={index}
            text={text}
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

/** Requests the entries that are drawn, and as many again in both directions. */
function useNeeded(
  range: { readonly startIndex: number; readonly endIndex: number } | null,
  total: number,
  need: (from: number, to: number) => void,
): void {
  // Don't use the items: the focused one may be far away.
  const first = range?.startIndex ?? 0
  const last = range?.endIndex ?? 0
  useEffect(() => {
    const ahead = Math.max(20, last - first)
    need(Math.max(0, first - ahead), Math.min(total - 1, last + ahead))
  }, [need, first, last, total])
}

/** The bar above the entries, which stays in view while scrolling. */
function FeedBar({
  isOfOne,
  loaded: { total, complete },
  day,
  waiting,
  onShowWaiting,
}: {
  isOfOne: boolean
  loaded: LoadedEntries
  day: string | null | undefined
  waiting: number | null
  onShowWaiting: () => Promise<void>
}) {
  return (
    <div className={styles.bar}>
      <span className="strong" aria-hidden>
        {day}
      </span>
      <span role="status" className={styles.count}>
        {counted(total, 'entry', 'entries')}
        {complete ? '' : isOfOne ? ' so far, looking further back…' : ' so far, more come as you scroll'}
      </span>
      {waiting !== 0 && (
        <Button className={styles.waiting} onClick={() => void onShowWaiting()}>
          <ArrowUp size={14} aria-hidden />{' '}
          {waiting === null ? 'Show the newest' : counted(waiting, 'new entry', 'new entries')}
        </Button>
      )}
    </div>
  )
}

/** An entry at its position, below the headings of the day and heartbeat that begin with it; blank while it is loading. */
function Row({
  measure,
  linksOf,
  isOfOne,
  loaded: { entries, complete, total },
  index,
  text,
  top,
  isActive,
  openId,
  onOpen,
}: {
  measure: (element: HTMLElement | null) => void
  linksOf: (entry: TimelineEntry) => EntryLinks
  isOfOne: boolean
  loaded: LoadedEntries
  index: number
  text: string
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
      data-place={entry?.id}
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
      {isOfOne && group?.cycle != null && <h3 className={styles.cycle}>Heartbeat {group.cycle}</h3>}
      {entry === undefined ? (
        <div className={styles.blank} />
      ) : (
        <Entry
          links={linksOf(entry)}
          entry={entry}
          text={text}
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
