import type { RecordedEvent } from '../../core/record/events.ts'
import { timelineEntries } from '../../core/record/timeline.ts'
import type { TimelineEntry } from '../../core/record/timeline-entry.ts'
import { hasText, type TimelineFilter } from '../../core/record/timeline-filter.ts'
import { INTERVENTION_ROWS } from '../../core/vocabulary/intervention.ts'
import { VERDICT_WORDS } from '../../core/vocabulary/verdict.ts'
import { errorCode, storageError } from '../files/storage-error.ts'
import type { Log } from '../ports/log.ts'
import { createSerializer } from '../process/serialize.ts'
import type { Threads } from '../process/threads.ts'
import { openIfThere, readRange, readSegmentFrom, segmentPath } from './segments.ts'
import { type EntryPlace, eventOf, TimelineIndex } from './timeline-index.ts'
import { INDEX_STRETCH, indexStretch } from './timeline-jobs.ts'

/** Decompressed segments kept for the next page, since scrolling continues where it was. */
const KEPT_TEXTS = 3
/** Indexes built ahead: one is built while the one before is searched. */
const KEPT_PREPARED = 2
/** Indexes kept in memory, about 100 KB each; older ones are read again from disk. */
const KEPT_INDEXES = 256

interface MadeIndex {
  readonly index: TimelineIndex
  /** True if it is already written, unchanged, beside the record. */
  readonly isWritten: boolean
}

/** Segments of one ledger with their indexes, read when first requested. */
export class TimelineSegments {
  readonly #ledgerDirectory: string
  readonly #indexDirectory: string
  readonly #log: Log
  /** `null`: indexing runs on the event loop. */
  readonly #threads: Threads | null
  readonly #indexes = new Map<number, TimelineIndex>()
  readonly #texts = new Map<number, Buffer>()
  /** Closed segments that were not requested yet. */
  readonly #prepared = new Map<number, Promise<MadeIndex>>()
  readonly #writing = new Set<Promise<void>>()
  /** Segments whose index is complete. */
  readonly #closed = new Set<number>()
  /** One read at a time: two at once would index the same lines twice. */
  readonly #serialize = createSerializer()

  constructor(ledgerDirectory: string, indexDirectory: string, log: Log, threads: Threads | null) {
    this.#ledgerDirectory = ledgerDirectory
    this.#threads = threads
    this.#indexDirectory = indexDirectory
    this.#log = log
  }

  /** Returns the index of a segment up to event `head`; `isClosed`: it will not grow. */
  index(segment: { readonly firstSeq: number }, isClosed: boolean, head: number): Promise<TimelineIndex> {
    return this.#serialize(() => this.#index(segment.firstSeq, isClosed, head))
  }

  /**
   * Starts building the index of a closed segment that will be requested next: it is decompressed while the one before is
   * searched. Writes nothing.
   */
  prepare(firstSeq: number, head: number): void {
    if (this.#indexes.has(firstSeq) || this.#prepared.has(firstSeq)) return
    const making = this.#whole(firstSeq, head)
    // Errors are reported to the request that needs it.
    making.catch(() => undefined)
    keep(this.#prepared, firstSeq, making, KEPT_PREPARED)
  }

  /** Resolves when the indexes built so far are written. */
  async written(): Promise<void> {
    await Promise.all(this.#writing)
  }

  async #index(firstSeq: number, isClosed: boolean, head: number): Promise<TimelineIndex> {
    const known = this.#indexes.get(firstSeq)
    if (known !== undefined && isClosed && this.#closed.has(firstSeq)) return known
    const { index, isWritten } =
      known === undefined && isClosed
        ? await this.#takePrepared(firstSeq, head)
        : await this.#extended(known ?? new TimelineIndex(firstSeq), head)
    if (isClosed) this.#closed.add(firstSeq)
    if (isClosed && !isWritten) this.#write(index)
    keep(this.#indexes, firstSeq, index, KEPT_INDEXES)
    return index
  }

  #takePrepared(firstSeq: number, head: number): Promise<MadeIndex> {
    const making = this.#prepared.get(firstSeq) ?? this.#whole(firstSeq, head)
    this.#prepared.delete(firstSeq)
    return making
  }

  /** Returns the index of a closed segment, read or built. */
  async #whole(firstSeq: number, head: number): Promise<MadeIndex> {
    const written = await TimelineIndex.read(this.#indexDirectory, firstSeq)
    return written === null
      ? this.#extended(new TimelineIndex(firstSeq), head)
      : { index: written, isWritten: true }
  }

  async #extended(index: TimelineIndex, head: number): Promise<MadeIndex> {
    const { firstSeq, bytes: from } = index
    const stretch = { ledgerDirectory: this.#ledgerDirectory, firstSeq, from, head }
    const indexing =
      this.#threads === null
        ? indexStretch(stretch)
        : this.#threads.run(INDEX_STRETCH, stretch, this.#ledgerDirectory)
    const piece = await this.#orNothing(firstSeq, indexing)
    if (piece !== null) index.take(piece)
    return { index, isWritten: false }
  }

  /** Writes an index in the background, while the next one is built. */
  #write(index: TimelineIndex): void {
    const writing = index
      .write(this.#indexDirectory)
      .catch((error: unknown) =>
        this.#log.warn('A timeline index could not be written; it is rebuilt next time', {
          error: String(error),
        }),
      )
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }

  /** A segment that cannot be decompressed has no entries: one bad file must not hide all others. `doctor` reports it. */
  async #orNothing<T>(firstSeq: number, reading: Promise<T>): Promise<T | null> {
    try {
      return await reading
    } catch (error) {
      const code = errorCode(error)
      if (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE') return null
      throw storageError('read', segmentPath(this.#ledgerDirectory, firstSeq), error)
    }
  }

  /** Returns those of `rows` whose entries contain the text. */
  async withText(index: TimelineIndex, rows: Int32Array, text: string): Promise<Int32Array> {
    const lowerText = text.toLowerCase()
    const asWritten = JSON.stringify(lowerText).slice(1, -1)
    const reader = await this.#reader(index, rows.length)
    try {
      const found: number[] = []
      for (const row of rows) {
        const place = index.place(row)
        const line = await reader.line(place)
        if (!mayHave(line, lowerText, asWritten)) continue
        const entry = reader.entry(line, place)
        if (entry !== null && hasText(entry, lowerText)) found.push(row)
      }
      return Int32Array.from(found)
    } finally {
      await reader.close()
    }
  }

  /** Returns the entries of these rows in order; skips one whose line has changed since. */
  async entries(index: TimelineIndex, rows: readonly number[]): Promise<TimelineEntry[]> {
    const reader = await this.#reader(index, rows.length)
    try {
      const entries: TimelineEntry[] = []
      for (const row of rows) {
        const place = index.place(row)
        const entry = reader.entry(await reader.line(place), place)
        if (entry !== null) entries.push(entry)
      }
      return entries
    } finally {
      await reader.close()
    }
  }

  /**
   * Returns a reader: a few lines of a plain file are read one by one; everything else from the whole segment, which is cached for a while.
   */
  async #reader({ firstSeq }: TimelineIndex, count: number) {
    const kept = this.#texts.get(firstSeq)
    const handle =
      kept === undefined && count <= 300
        ? await openIfThere(segmentPath(this.#ledgerDirectory, firstSeq))
        : null
    const text = handle === null ? (kept ?? (await this.#text(firstSeq))) : null
    let last: { readonly seq: number; readonly event: RecordedEvent | null } | null = null
    return {
      line: async ({ start, length }: EntryPlace): Promise<Buffer> =>
        handle === null
          ? (text?.subarray(start, start + length) ?? Buffer.alloc(0))
          : readRange(handle, start, start + length),
      entry: (line: Buffer, { seq, sub }: EntryPlace): TimelineEntry | null => {
        last = last?.seq === seq ? last : { seq, event: eventOf(line) }
        const { event } = last
        return event?.seq === seq ? (timelineEntries(event)[sub] ?? null) : null
      },
      close: async () => handle?.close(),
    }
  }

  async #text(firstSeq: number): Promise<Buffer> {
    const reading = readSegmentFrom(this.#ledgerDirectory, firstSeq, 0)
    const text = (await this.#orNothing(firstSeq, reading)) ?? Buffer.alloc(0)
    // The newest segment grows: a cached copy would soon be too short.
    if (this.#closed.has(firstSeq)) keep(this.#texts, firstSeq, text, KEPT_TEXTS)
    return text
  }
}

/**
 * True if a line may contain the text. Most events are attempts. What is not in their line is not in their entries, except for the names of
 * verdicts and interventions.
 */
function mayHave(line: Buffer, lowerText: string, asWritten: string): boolean {
  if (!/"type":"attempt-finished"/.test(line.toString('latin1', 0, 300))) return true
  return ATTEMPT_NAMES.includes(lowerText) || line.toString('utf8').toLowerCase().includes(asWritten)
}

/** Every title and type of an attempt's entries, in one text to search. */
const ATTEMPT_NAMES = [VERDICT_WORDS, INTERVENTION_ROWS]
  .flatMap((rows) => Object.entries<{ readonly title: string }>(rows))
  .flatMap(([name, { title }]) => [name, title.toLowerCase()])
  .join('\n')

/** Puts a value into a map of limited size; drops the oldest one if it is full. */
export function keep<K, V>(map: Map<K, V>, key: K, value: V, limit: number): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > limit && !oldest.done) map.delete(oldest.value)
}

/** Returns the cache key for a filter's matches. */
export function filterKey(filter: TimelineFilter): string {
  const { kinds, types, severity, taskId, cycle, text } = filter
  return JSON.stringify([kinds?.toSorted(), types?.toSorted(), severity, taskId, cycle, text?.toLowerCase()])
}
