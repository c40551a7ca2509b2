import type { TimelinePageView } from '../../../../api/schemas/timeline.ts'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import type { Problem } from '../../api-client/problem.ts'

/**
 * What is loaded of a timeline: a list of `total` entries, newest first, of which only those that were looked at are there. It stands for
 * the ledger up to `head`; what came after it waits until it is let in, so that nothing moves under the reader's eyes.
 */
export interface LoadedEntries {
  readonly head: number
  readonly total: number
  /** All of the ledger has been counted. */
  readonly complete: boolean
  /** Entries let in on top since the list began: what is at `place` is the same thing as long as `place - added` is. */
  readonly added: number
  /** By place in the list. */
  readonly entries: ReadonlyMap<number, TimelineEntry>
}

/** A timeline as it is drawn, and what can be asked of it. */
export interface TimelineView {
  /** `null`: the first page is on its way. */
  readonly loaded: LoadedEntries | null
  readonly problem: Problem | null
  retry(): void
  /** How many new entries wait to be shown; `null`: unknown, and showing them restarts the list. */
  readonly waiting: number | null
  showWaiting(): Promise<void>
  /** Loads what is missing between two places of the list. */
  need(from: number, to: number): void
}

/** Kept at most; a reader who goes back finds older ones loaded again. */
const MAX_KEPT = 3000

/** A list with its first page. */
export function firstPage(page: TimelinePageView): LoadedEntries {
  const { head, total, complete, offset, entries } = page
  return {
    head,
    total,
    complete,
    added: 0,
    entries: new Map(entries.map((entry, index) => [offset + index, entry])),
  }
}

/** Returns the list with a page of the same head filled in. Drops the farthest entries if there are too many. */
export function withPage(loaded: LoadedEntries, page: TimelinePageView): LoadedEntries {
  if (page.head !== loaded.head) return loaded
  const entries = new Map(loaded.entries)
  page.entries.forEach((entry, index) => {
    entries.set(page.offset + index, entry)
  })
  return {
    ...loaded,
    total: Math.max(loaded.total, page.total),
    complete: loaded.complete || page.complete,
    entries: nearest(entries, page.offset),
  }
}

/** The list with what has come since on top; `page` is the newest of it. */
export function withNewer(loaded: LoadedEntries, page: TimelinePageView): LoadedEntries {
  const entries = new Map(page.entries.map((entry, index) => [index, entry]))
  for (const [place, entry] of loaded.entries) entries.set(place + page.total, entry)
  const { total, added } = loaded
  return { ...loaded, head: page.head, total: total + page.total, added: added + page.total, entries }
}

function nearest(entries: Map<number, TimelineEntry>, place: number): Map<number, TimelineEntry> {
  if (entries.size <= MAX_KEPT) return entries
  const byDistance = [...entries].sort(([a], [b]) => Math.abs(a - place) - Math.abs(b - place))
  return new Map(byDistance.slice(0, MAX_KEPT / 2))
}
