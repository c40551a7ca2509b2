import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { RecordedEvent } from '../../core/record/events.ts'
import { SILENT_EVENTS, timelineEntries } from '../../core/record/timeline.ts'
import type { TimelineKeys } from '../../core/record/timeline-attempt.ts'
import type { TimelineEntry } from '../../core/record/timeline-entry.ts'
import type { TimelineFilter } from '../../core/record/timeline-filter.ts'
import { SEVERITIES } from '../../core/vocabulary/severity.ts'
import { TIMELINE_KINDS } from '../../core/vocabulary/timeline.ts'
import { writeFileAtomically } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import { AttemptGlance, type GlancedAttempt } from './attempt-glance.ts'
import { peekSeq } from './line.ts'
import { quickAttempt, quickEvent, strictEvent, typeOf } from './quick-event.ts'

/*
 * Stores where the entries of one segment are and what the timeline is filtered by, in 32 bytes per entry: a million entries can
 * be counted and paged through without reading their events. Built from the segment; a missing or invalid file is rebuilt.
 */

/** Raise it whenever `timelineEntries` returns different entries for an event, or when the row format changes. */
const INDEX_VERSION = 2
const INDEX_SCHEMA = 'pulseward.timeline-index.v1'

const STRIDE = 8
const SEQ = 0
const SUB = 1
const START = 2
const LENGTH = 3
const KIND = 4
const TYPE = 5
const TASK = 6
const CYCLE = 7
/** A column's value for null. */
const NONE = -1
const NEWLINE = 0x0a
/**
 * Bytes read between two turns of the event loop: a few milliseconds at most. Decoding texts of 100 KB and more costs as much as reading
 * them.
 */
const PIECE_BYTES = 64 * 1024

/** One entry's place: its event's line, and its index among that event's entries. */
export interface EntryPlace {
  readonly seq: number
  readonly sub: number
  readonly start: number
  readonly length: number
}

/** A row stores kinds and severities by index: an index file made with other ones is rebuilt. */
const PLACES = [...TIMELINE_KINDS, ...SEVERITIES].join(' ')

const headSchema = z.object({
  schema: z.literal(INDEX_SCHEMA),
  version: z.literal(INDEX_VERSION),
  places: z.literal(PLACES),
  firstSeq: z.int(),
  /** Length of the plain segment that the rows cover. */
  bytes: z.int().nonnegative(),
  rows: z.int().nonnegative(),
  words: z.array(z.string()),
  checksum: z.string(),
})

/** The entries of one segment, oldest first, as numbers. */
export class TimelineIndex {
  readonly firstSeq: number
  /** How much of the plain segment has been read. */
  bytes = 0
  #rows: Int32Array
  #count = 0
  /** Types and tasks, by the number used in a row. */
  readonly #words: string[] = []
  readonly #numbers = new Map<string, number>()

  constructor(firstSeq: number, rows: Int32Array = new Int32Array(STRIDE * 64)) {
    this.firstSeq = firstSeq
    this.#rows = rows
  }

  get count(): number {
    return this.#count
  }

  place(row: number): EntryPlace {
    const at = row * STRIDE
    const column = (offset: number) => this.#rows[at + offset] ?? 0
    return {
      seq: this.firstSeq + column(SEQ),
      sub: column(SUB),
      start: column(START),
      length: column(LENGTH),
    }
  }

  /** True if the row is one of its event's interventions, whose ids have their own number. */
  isIntervention(row: number): boolean {
    const kind = this.#rows[row * STRIDE + KIND] ?? 0
    return Math.floor(kind / SEVERITIES.length) === TIMELINE_KINDS.indexOf('intervention')
  }

  /** Returns the rows from position `from` to `to` of the ledger (inclusive) that match the filter, except for its text. */
  matching(filter: TimelineFilter, from: number, to: number): Int32Array {
    const rows = new Int32Array(this.#count)
    const isMeant = this.#tester(filter)
    let found = 0
    for (let row = 0; row < this.#count; row += 1) {
      const seq = this.firstSeq + (this.#rows[row * STRIDE + SEQ] ?? 0)
      if (seq >= from && seq <= to && isMeant(row * STRIDE)) rows[found++] = row
    }
    return rows.slice(0, found)
  }

  /**
   * Adds the complete lines at the start of `bytes`, which begin where the last ones ended, up to event `head`: what follows it
   * may be cut off again. Yields to the event loop.
   */
  async extend(bytes: Buffer, head: number): Promise<void> {
    let from = 0
    for (let end = pieceEnd(bytes, from); end > from; end = pieceEnd(bytes, from)) {
      const taken = this.#takePiece(bytes.subarray(from, end), this.bytes + from, head)
      from += taken
      if (from < end) break
      await setImmediate()
    }
    this.bytes += from
  }

  /** Adds complete lines, the first of which begins at `start`. Returns how many bytes were read. */
  #takePiece(piece: Buffer, start: number, head: number): number {
    const glance = new AttemptGlance(piece)
    let from = 0
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      const attempt = glance.attempt(from, end)
      if (attempt === null) {
        const line = piece.subarray(from, end)
        if ((peekSeq(line) ?? 0) > head) return from
        this.#takeLine(line, start + from)
      } else {
        if (attempt.seq > head) return from
        this.#takeAttempt(attempt, start + from, end - from)
      }
      from = end + 1
    }
    return from
  }

  #takeLine(line: Buffer, start: number): void {
    const attempt = quickAttempt(line)
    if (attempt !== null) {
      this.#takeAttempt(attempt, start, line.length)
      return
    }
    for (const read of [quickEvent, strictEvent]) {
      const event = read(line)
      if (event === null || event.seq < this.firstSeq) return
      const entries = entriesOf(event)
      // Something that another process wrote into the file.
      if (entries === null) continue
      entries.forEach((entry, sub) => {
        this.#add(entry, { seq: event.seq, sub, start, length: line.length })
      })
      return
    }
  }

  #takeAttempt({ seq, keys }: GlancedAttempt, start: number, length: number): void {
    if (seq < this.firstSeq) return
    for (let sub = 0; sub < keys.length; sub += 1) {
      const entry = keys[sub]
      if (entry !== undefined) this.#add(entry, { seq, sub, start, length })
    }
  }

  /** Returns the rows with the words they use, for `take`. */
  piece(): IndexPiece {
    return { rows: this.#rows.slice(0, this.#count * STRIDE), words: this.#words, bytes: this.bytes }
  }

  /** Adds another index's rows for the lines after this one's last. */
  take({ rows, words, bytes }: IndexPiece): void {
    const numbers = words.map((word) => this.#numberOf(word))
    const taken = rows.slice()
    for (let at = 0; at < taken.length; at += STRIDE) {
      taken[at + TYPE] = numbers[taken[at + TYPE] ?? 0] ?? NONE
      const task = taken[at + TASK] ?? NONE
      if (task !== NONE) taken[at + TASK] = numbers[task] ?? NONE
    }
    const all = new Int32Array(this.#count * STRIDE + taken.length)
    all.set(this.#rows.subarray(0, this.#count * STRIDE))
    all.set(taken, this.#count * STRIDE)
    this.#rows = all
    this.#count += taken.length / STRIDE
    this.bytes = bytes
  }

  #add(entry: TimelineKeys, { seq, sub, start, length }: EntryPlace): void {
    const at = this.#count * STRIDE
    if (at === this.#rows.length) {
      const larger = new Int32Array(Math.max(this.#rows.length * 2, STRIDE * 64))
      larger.set(this.#rows)
      this.#rows = larger
    }
    const rows = this.#rows
    rows[at + SEQ] = seq - this.firstSeq
    rows[at + SUB] = sub
    rows[at + START] = start
    rows[at + LENGTH] = length
    rows[at + KIND] =
      TIMELINE_KINDS.indexOf(entry.kind) * SEVERITIES.length + SEVERITIES.indexOf(entry.severity)
    rows[at + TYPE] = this.#numberOf(entry.type)
    rows[at + TASK] = entry.taskId === null ? NONE : this.#numberOf(entry.taskId)
    rows[at + CYCLE] = entry.cycle ?? NONE
    this.#count += 1
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    // A substring keeps the whole string, here a segment, in memory; a copy does not.
    const copy: string = JSON.parse(JSON.stringify(word))
    const number = this.#words.push(copy) - 1
    this.#numbers.set(copy, number)
    return number
  }

  #tester({ kinds, types, severity, taskId, cycle }: TimelineFilter): (at: number) => boolean {
    const kindNumbers = kinds && new Set(kinds.map((kind) => TIMELINE_KINDS.indexOf(kind)))
    const typeNumbers = types && new Set(types.map((type) => this.#numbers.get(type) ?? -2))
    const task = taskId === undefined ? undefined : (this.#numbers.get(taskId) ?? -2)
    const weight = severity === undefined ? undefined : SEVERITIES.indexOf(severity)
    return (at) => {
      const kind = this.#rows[at + KIND] ?? 0
      return (
        (kindNumbers === undefined || kindNumbers.has(Math.floor(kind / SEVERITIES.length))) &&
        (weight === undefined || kind % SEVERITIES.length === weight) &&
        (typeNumbers === undefined || typeNumbers.has(this.#rows[at + TYPE] ?? 0)) &&
        (task === undefined || this.#rows[at + TASK] === task) &&
        (cycle === undefined || this.#rows[at + CYCLE] === cycle)
      )
    }
  }

  /** Writes it beside the others. Rejects if the disk refuses. */
  async write(directory: string): Promise<void> {
    const rows = Buffer.from(this.#rows.slice(0, this.#count * STRIDE).buffer)
    const head = {
      schema: INDEX_SCHEMA,
      version: INDEX_VERSION,
      places: PLACES,
      firstSeq: this.firstSeq,
      bytes: this.bytes,
      rows: this.#count,
      words: this.#words,
      checksum: sha256(rows),
    }
    await writeFileAtomically(
      indexPath(directory, this.firstSeq),
      `${JSON.stringify(head)}\n${rows.toString('base64')}\n`,
      // The ledger (when it compresses the segment) and a timeline request may both write it.
      { isShared: true },
    )
  }

  /** Reads a written index; `null` if none is usable. Never rejects. */
  static async read(directory: string, firstSeq: number): Promise<TimelineIndex | null> {
    try {
      const [first = '', second = ''] = (await readFile(indexPath(directory, firstSeq), 'utf8')).split('\n')
      const head = headSchema.parse(JSON.parse(first))
      const bytes = Uint8Array.from(Buffer.from(second, 'base64'))
      if (head.firstSeq !== firstSeq || sha256(bytes) !== head.checksum) return null
      const rows = new Int32Array(bytes.buffer)
      if (rows.length !== head.rows * STRIDE) return null
      const index = new TimelineIndex(firstSeq, rows)
      for (const word of head.words) index.#numberOf(word)
      index.#count = head.rows
      index.bytes = head.bytes
      return index
    } catch {
      return null
    }
  }
}

/** Returns where the indexes of a workspace's ledger are; `workspaceDirectory`: `…/workspaces/<id>`. */
export function timelineDirectory(workspaceDirectory: string): string {
  return join(workspaceDirectory, 'timeline')
}

function indexPath(directory: string, firstSeq: number): string {
  return join(directory, `${String(firstSeq).padStart(12, '0')}.index`)
}

/** Returns where to end the lines read in one go: after the last one within the piece, else after the first one. */
function pieceEnd(bytes: Buffer, from: number): number {
  const last = bytes.lastIndexOf(NEWLINE, from + PIECE_BYTES)
  return (last >= from ? last : bytes.indexOf(NEWLINE, from)) + 1
}

/** The index of one stretch of a segment, to be passed to another index. */
export interface IndexPiece {
  readonly rows: Int32Array
  /** By the number used in a row. */
  readonly words: readonly string[]
  /** Where the next stretch begins in the plain segment. */
  readonly bytes: number
}

/** Returns `null` if the event's entries can't be computed. */
function entriesOf(event: RecordedEvent): readonly TimelineEntry[] | null {
  try {
    const entries = timelineEntries(event)
    const isSound = entries.every(
      ({ kind, severity }) => TIMELINE_KINDS.includes(kind) && SEVERITIES.includes(severity),
    )
    return isSound ? entries : null
  } catch {
    return null
  }
}

/** Reads the event of a line; `null` if it has no timeline entry or this version cannot use it. */
export function eventOf(line: Buffer): RecordedEvent | null {
  const type = typeOf(line)
  return type !== null && SILENT_EVENTS.has(type) ? null : strictEvent(line)
}
