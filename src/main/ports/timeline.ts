import type { TimelineEntry } from '../../core/record/timeline-entry.ts'
import type { TimelineFilter } from '../../core/record/timeline-filter.ts'

/** Where a page of the timeline begins: the first of these that is given, otherwise at the newest entry. */
export interface TimelineStart {
  /** The page around this entry. */
  readonly at?: string
  /** After this entry, the last one shown. */
  readonly cursor?: string
  /** After this many entries. */
  readonly offset?: number
}

export interface TimelineQuery extends TimelineStart {
  readonly filter: TimelineFilter
  readonly limit: number
  /** Leaves out entries of events after this position of the ledger, so that a list can be paged through while it grows. */
  readonly upTo?: number
  /** Leaves out entries of events up to this position. */
  readonly after?: number
}

export interface TimelinePage {
  /** Newest first. */
  readonly entries: readonly TimelineEntry[]
  /** How many entries precede the first of these. */
  readonly offset: number
  /** How many entries match, as far as searched; all of them if `isComplete`. */
  readonly total: number
  /** False: older events have not been searched yet. Asking again continues from there. */
  readonly isComplete: boolean
  /** Place in the list of the entry requested with `at`; `null` if it is not among those found. */
  readonly foundAt: number | null
  /** Position of the ledger that the list reflects. */
  readonly head: number
}

/** What happened in a workspace, newest first, from its ledger. */
export interface Timeline {
  /** Returns one page, in bounded time and memory however long the ledger. Rejects with a `StorageError`. */
  page(query: TimelineQuery): Promise<TimelinePage>
  /** Yields all entries that match the filter, newest first, in chunks; needs memory for one segment. */
  all(filter: TimelineFilter): AsyncIterable<readonly TimelineEntry[]>
}
