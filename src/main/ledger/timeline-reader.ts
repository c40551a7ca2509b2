import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { TimelineEntry } from '../../core/record/timeline-entry.ts'
import type { TimelineFilter } from '../../core/record/timeline-filter.ts'
import { createDirectory } from '../files/durable-file.ts'
import type { Log } from '../ports/log.ts'
import type { Timeline, TimelinePage, TimelineQuery } from '../ports/timeline.ts'
import type { Threads } from '../process/threads.ts'
import { listSegments } from './segments.ts'
import { type TimelineIndex, timelineDirectory } from './timeline-index.ts'
import { filterKey, keep, TimelineSegments } from './timeline-segments.ts'

/** A call that has spent this long on events that no call read before returns what it has. */
const LOOKING_MS = 200
/** Number of filters whose matches are cached. */
const KEPT_FILTERS = 8
/** From this size on, indexing takes some ten milliseconds. */
const MUCH_BYTES = 256 * 1024
/** Entries yielded at a time. */
const PIECE = 500

export interface TimelineReaderOptions {
  /** `…/workspaces/<id>`. */
  readonly directory: string
  /** Returns the `seq` of the last event on disk. */
  readonly head: () => number
  readonly log: Log
  /** Where it is indexed; on the event loop if omitted. */
  readonly threads?: Threads
  /** How long one call may spend on events that none read before; 200 ms by default. */
  readonly lookingMs?: number
}

/** Opens the timeline of the ledger in `directory`, which at most one process writes to. */
export async function openTimeline(options: TimelineReaderOptions): Promise<Timeline> {
  const indexDirectory = timelineDirectory(options.directory)
  await createDirectory(indexDirectory)
  return new TimelineReader(options, indexDirectory)
}

/** The matching rows of one segment, oldest first. */
interface Run {
  readonly index: TimelineIndex
  readonly rows: Int32Array
}

/** A segment with the numbers of its first and last event. */
interface PlacedSegment {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly isClosed: boolean
  /** True if the whole segment is requested, and it will not grow. */
  readonly isWhole: boolean
}

/** What has been found so far of a page. */
interface Look {
  readonly runs: { readonly run: Run; readonly offset: number }[]
  start: number | null
  foundAt: number | null
  total: number
  readonly isComplete: boolean
}

/** A filter's matches in a closed segment: the rows if finding them again would cost much, else their count. */
type Known = { readonly count: number; readonly rows: Int32Array | null }

class TimelineReader implements Timeline {
  readonly #options: TimelineReaderOptions
  readonly #ledgerDirectory: string
  readonly #segments: TimelineSegments
  readonly #known = new Map<string, Map<number, Known>>()
  /** How much of the newest segment had been read at the last call. */
  readonly #read = new Map<number, number>()

  constructor(options: TimelineReaderOptions, indexDirectory: string) {
    this.#options = options
    this.#ledgerDirectory = join(options.directory, 'ledger')
    this.#segments = new TimelineSegments(
      this.#ledgerDirectory,
      indexDirectory,
      options.log,
      options.threads ?? null,
    )
  }

  async page(query: TimelineQuery): Promise<TimelinePage> {
    const head = this.#options.head()
    const to = Math.min(query.upTo ?? head, head)
    const { runs, start, total, isComplete, foundAt } = await this.#look(query, (query.after ?? 0) + 1, to)
    const offset = start ?? 0
    const entries: TimelineEntry[] = []
    for (const { run, offset: runOffset } of runs) {
      const rows = newestFirst(run, Math.max(0, offset - runOffset), offset + query.limit - runOffset)
      if (rows.length > 0) entries.push(...(await this.#segments.entries(run.index, rows)))
    }
    await this.#segments.written()
    return { entries, offset, total, isComplete, foundAt, head: to }
  }

  async *all(filter: TimelineFilter): AsyncGenerator<readonly TimelineEntry[]> {
    const head = this.#options.head()
    for (const segment of await this.#between(1, head)) {
      const run = await this.#run(segment, filter, 1, head)
      await this.#segments.written()
      for (let at = 0; at < run.rows.length; at += PIECE) {
        yield await this.#segments.entries(run.index, newestFirst(run, at, at + PIECE))
      }
    }
  }

  /** Goes through the segments, newest first, counts the matches and finds where the page begins. */
  async #look(query: TimelineQuery, from: number, to: number): Promise<Look> {
    const lookingMs = this.#options.lookingMs ?? LOOKING_MS
    const deadline = performance.now() + lookingMs
    // Don't delay a complete page to count the rest.
    const filledBy = lookingMs === Number.POSITIVE_INFINITY ? deadline : deadline - lookingMs * 0.9
    const segments = await this.#between(from, to)
    const look: Look = { runs: [], start: startOf(query), foundAt: null, total: 0, isComplete: true }
    const known = this.#knownOf(query.filter)
    const head = this.#options.head()
    let looked = 0
    for (const [place, segment] of segments.entries()) {
      const count = segment.isWhole ? known.get(segment.firstSeq)?.count : undefined
      const isFilled = look.start !== null && look.total >= look.start + query.limit
      if (count === undefined && looked > 0 && performance.now() > (isFilled ? filledBy : deadline)) {
        // A page after an entry has to find that entry first.
        if (look.start !== null || query.cursor === undefined) return { ...look, isComplete: false }
      }
      const isBeside =
        look.start !== null &&
        (look.total + (count ?? 0) <= look.start || look.total >= look.start + query.limit)
      if (count !== undefined && isBeside) {
        look.total += count
        continue
      }
      const next = segments[place + 1]
      if (next?.isClosed && !known.has(next.firstSeq)) this.#segments.prepare(next.firstSeq, head)
      const run = await this.#run(segment, query.filter, from, to)
      // Every call reads the newest segment: only what was new in it counts as progress.
      if (count === undefined && (segment.isClosed || this.#wasNew(run.index))) looked += 1
      look.runs.push({ run, offset: look.total })
      if (look.start === null) find(look, query, segment, run)
      look.total += run.rows.length
    }
    return look
  }

  /** Returns the segments with events from `from` to `to`, newest first. */
  async #between(from: number, to: number): Promise<readonly PlacedSegment[]> {
    const segments = await listSegments(this.#ledgerDirectory)
    return segments
      .map(({ firstSeq }, place): PlacedSegment => {
        const next = segments[place + 1]
        const lastSeq = next === undefined ? Number.POSITIVE_INFINITY : next.firstSeq - 1
        const isClosed = next !== undefined
        return { firstSeq, lastSeq, isClosed, isWhole: isClosed && from <= firstSeq && lastSeq <= to }
      })
      .filter(({ firstSeq, lastSeq }) => firstSeq <= to && lastSeq >= from)
      .reverse()
  }

  /** True if much of the segment was read for the first time since the last call. */
  #wasNew({ firstSeq, bytes }: TimelineIndex): boolean {
    const before = this.#read.get(firstSeq) ?? 0
    keep(this.#read, firstSeq, bytes, KEPT_FILTERS)
    return bytes - before > MUCH_BYTES
  }

  #knownOf(filter: TimelineFilter): Map<number, Known> {
    const key = filterKey(filter)
    const known = this.#known.get(key) ?? new Map<number, Known>()
    keep(this.#known, key, known, KEPT_FILTERS)
    return known
  }

  async #run(segment: PlacedSegment, filter: TimelineFilter, from: number, to: number): Promise<Run> {
    const index = await this.#segments.index(segment, segment.isClosed, this.#options.head())
    const known = segment.isWhole ? this.#knownOf(filter).get(segment.firstSeq) : undefined
    if (known?.rows != null) return { index, rows: known.rows }
    const candidates = index.matching(filter, from, to)
    const { text = '' } = filter
    const rows = text === '' ? candidates : await this.#segments.withText(index, candidates, text)
    if (segment.isWhole) {
      const kept = { count: rows.length, rows: text === '' ? null : rows }
      this.#knownOf(filter).set(segment.firstSeq, kept)
    }
    return { index, rows }
  }
}

/** Returns where a page without a target begins; `null` if its target has to be found first. */
function startOf(query: TimelineQuery): number | null {
  return targetOf(query) === null ? (query.offset ?? 0) : null
}

/** Sets where the page begins, once the segment of its target is reached. */
function find(look: Look, query: TimelineQuery, segment: PlacedSegment, run: Run): void {
  const target = targetOf(query)
  if (target === null || segment.firstSeq > target.seq) return
  const { rank, isThere } = rankOf(run, target)
  const at = look.total + rank
  if (query.at === undefined) look.start = at + (isThere ? 1 : 0)
  else {
    look.foundAt = isThere ? at : null
    look.start = isThere ? Math.max(0, at - Math.floor(query.limit / 2)) : 0
  }
}

/** Returns the rows from index `from` to `to` (exclusive), counted from the newest. */
function newestFirst({ rows }: Run, from: number, to: number): number[] {
  const end = Math.max(0, rows.length - from)
  return [...rows.subarray(Math.max(0, rows.length - Math.max(from, to)), end)].reverse()
}

interface Target {
  readonly seq: number
  readonly sub: number
}

function targetOf({ at, cursor }: TimelineQuery): Target | null {
  return parseId(at ?? cursor)
}

/** An attempt's verdict comes after its interventions, so an id without a number is the last of its event. */
function parseId(id: string | undefined): Target | null {
  const match = /^(\d{1,15})(?:-(\d{1,4}))?$/.exec(id ?? '')
  if (match === null) return null
  return { seq: Number(match[1]), sub: match[2] === undefined ? Number.POSITIVE_INFINITY : Number(match[2]) }
}

/** Returns how many rows are newer than the target, and whether the next one is the target. */
function rankOf({ index, rows }: Run, target: Target): { readonly rank: number; readonly isThere: boolean } {
  for (let rank = 0; rank < rows.length; rank += 1) {
    const row = rows[rows.length - 1 - rank] ?? 0
    const { seq, sub } = index.place(row)
    // An id without a number is the last entry of its event.
    const place = index.isIntervention(row) ? sub : Number.POSITIVE_INFINITY
    if (seq === target.seq && place === target.sub) return { rank, isThere: true }
    if (seq < target.seq || (seq === target.seq && place < target.sub)) return { rank, isThere: false }
  }
  return { rank: rows.length, isThere: false }
}
