import type { TimelinePageView } from '../../../../api/schemas/timeline.ts'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import type { Problem } from '../../api-client/problem.ts'

/**
 * The loaded part of a timeline: a list of `total` entries, newest first, of which only viewed ones are loaded. It represents the ledger up
 * to `head`; later entries wait until they are let in, so that nothing moves while the user reads.
 */
export interface LoadedEntries {
  readonly head: number
  readonly total: number
  /** The whole ledger has been counted. */
  readonly complete: boolean
  /** How many entries were let in on top since the list began: an entry keeps the same `place - added`. */
  readonly added: number
  /** By position in the list. */
  readonly entries: ReadonlyMap<number, TimelineEntry>
}

/** A timeline as drawn, and the functions it offers. */
export interface TimelineView {
  /** `null`: the first page is still loading. */
  readonly loaded: LoadedEntries | null
  readonly problem: Problem | null
  retry(): void
  /** How many new entries are waiting to be shown; `null` if unknown, and showing them restarts the list. */
  readonly waiting: number | null
  showWaiting(): Promise<void>
  /** Loads what is missing between two positions of the list. */
  need(from: number, to: number): void
}

/** The most entries that are kept; scrolling back loads dropped ones again. */
const MAX_KEPT = 3000

/** Returns a list with its first page. */
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

/** Returns the list with new entries on top; `page` has the newest of them. */
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
