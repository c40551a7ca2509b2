import type { TimelineEntry } from '../../core/record/timeline-entry.ts'
import type { TimelineFilter } from '../../core/record/timeline-filter.ts'

/** Where a page of the timeline begins; the first of these that is given counts, and the newest entry where none is. */
export interface TimelineStart {
  /** The page around this entry. */
  readonly at?: string
  /** After this entry, which is the last one shown. */
  readonly cursor?: string
  /** After so many entries. */
  readonly offset?: number
}

export interface TimelineQuery extends TimelineStart {
  readonly filter: TimelineFilter
  readonly limit: number
  /** Entries of events after this position of the ledger are left out, so that a list can be paged through while it grows. */
  readonly upTo?: number
  /** Entries of events up to this position are left out. */
  readonly after?: number
}

export interface TimelinePage {
  /** Newest first. */
  readonly entries: readonly TimelineEntry[]
  /** How many entries stand before the first of these. */
  readonly offset: number
  /** How many there are, as far as has been looked; all of them where `isComplete`. */
  readonly total: number
  /** False: older events have not been looked at yet. Asking again goes on from there. */
  readonly isComplete: boolean
  /** Place in the list of the entry asked for with `at`; `null` where it is not among those found. */
  readonly foundAt: number | null
  /** Position of the ledger that the list stands for. */
  readonly head: number
}

/** What happened in a workspace, newest first, from its ledger. */
export interface Timeline {
  /** One page, within bounded time and memory whatever the length of the ledger. Rejects with a `StorageError`. */
  page(query: TimelineQuery): Promise<TimelinePage>
  /** All entries that the filter lets through, newest first, in pieces; memory is that of a segment. */
  all(filter: TimelineFilter): AsyncIterable<readonly TimelineEntry[]>
}
