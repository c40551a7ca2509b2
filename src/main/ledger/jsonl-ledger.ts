import type { AttemptResult, EventBody, RecordedEvent } from '../../core/record/events.ts'
import { applyEvent } from '../../core/record/fold.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { StorageError } from '../files/storage-error.ts'
import { succeeds } from '../files/succeeds.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import { announcedOf } from './announced.ts'
import { compressSegment } from './compress-segment.ts'
import type { Documents } from './documents.ts'
import { type LatestWriter, latestWriter } from './latest-writer.ts'
import { decodeLine, encodeBody, encodeLine, GENESIS_HASH, hashLine, readEvent } from './line.ts'
import type { LoadedLedger } from './load.ts'
import { findAttempt, readEvents } from './read-events.ts'
import { isFull, type Reserve } from './reserve.ts'
import { recordedApproval } from './sealed-approval.ts'
import { openSegmentWriter, type SegmentWriter } from './segment-writer.ts'
import { segmentPath } from './segments.ts'
import { type Snapshot, writeSnapshot } from './snapshot.ts'
import type { TamperCheck } from './tamper-check.ts'
import { indexClosedSegment } from './timeline-jobs.ts'

/** The segment that new events are written to. */
export interface OpenSegment {
  readonly firstSeq: number
  readonly writer: SegmentWriter
  /** When its first event was recorded, epoch ms. */
  readonly beganMs: number
}

/** One call of `append`, waiting for its turn. */
interface Waiting {
  readonly bodies: readonly string[]
  readonly bytes: number
  /** True for an approval, which is written alone: its seal may fail, and nothing else should fail with it. */
  readonly isApproval: boolean
  readonly resolve: (events: readonly RecordedEvent[]) => void
  readonly reject: (error: unknown) => void
}

/** The ledger as it is on disk, or as it will be once a group of appends is written. */
interface Head {
  readonly seq: number
  readonly hash: string
  readonly day: string
  readonly state: WorkspaceState
}

export interface LedgerSettings {
  readonly ledgerDirectory: string
  readonly clock: Clock
  readonly localDay: (ms: number) => string
  readonly timestamp: (ms: number) => string
  readonly log: Log
  readonly segmentBytes: number
  readonly segmentAgeMs: number
  readonly snapshotEvery: number
  readonly lost?: () => Promise<string | null>
  readonly tamperCheck: TamperCheck | null
  readonly reserve: Reserve
}

/** Appends that wait for another one share the next write and fsync, up to this size. */
const GROUP_BYTES = 4 * 1024 * 1024

/*
 * Invariants:
 * 1. `#head` is always on disk: it moves only after fdatasync, and every snapshot and document is made from it.
 * 2. One commit runs at a time, and only commits touch `#segment`. The state is folded from events that were read back
 *    from the written line.
 * 3. A segment is compressed only after it is closed, and is never written to again.
 */
/** A ledger as JSON lines in segments; created by `openLedger`. */
export class JsonlLedger implements Ledger {
  readonly problems: readonly string[]
  readonly #settings: LedgerSettings
  readonly #documents: Documents
  readonly #snapshots: LatestWriter<Snapshot>
  readonly #seals: LatestWriter<{ readonly head: Head; readonly isClosed: boolean }>
  #head: Head
  #hasFailed = false
  #snapshotSeq: number
  #segment: OpenSegment | null
  #queue: Waiting[] = []
  #commits: Promise<void> | null = null
  #packing: Promise<void> = Promise.resolve()
  #closing: Promise<void> | null = null

  constructor(
    settings: LedgerSettings,
    loaded: LoadedLedger,
    segment: OpenSegment | null,
    documents: Documents,
  ) {
    const { end, state } = loaded
    this.problems = loaded.problems
    this.#settings = settings
    this.#documents = documents
    this.#segment = segment
    this.#head = { seq: end.seq, hash: end.hash ?? GENESIS_HASH, day: laterDay(end.day, state.day), state }
    this.#snapshotSeq = loaded.snapshotSeq
    this.#snapshots = latestWriter(
      (snapshot) => writeSnapshot(settings.ledgerDirectory, snapshot),
      (error) =>
        settings.log.warn('The snapshot could not be written; loading will take longer', {
          error: String(error),
        }),
    )
    this.#seals = latestWriter(
      async ({ head: { seq, hash }, isClosed }) => settings.tamperCheck?.seal(seq, hash, isClosed),
      () => undefined,
    )
    // The ledger is sealed from its first start.
    this.#seals.offer({ head: this.#head, isClosed: false })
    // A crash right after a long replay must not cause the same replay again.
    this.#takeDueSnapshot()
  }

  broken(): readonly string[] {
    return this.#settings.tamperCheck?.broken() ?? []
  }

  async accept(): Promise<void> {
    await this.#settings.tamperCheck?.accept()
  }

  get approvedHash(): string | null {
    const { tamperCheck } = this.#settings
    return tamperCheck === null ? recordedApproval(this.state) : tamperCheck.approved()
  }

  get state(): WorkspaceState {
    return this.#head.state
  }

  async append(...events: readonly EventBody[]): Promise<readonly RecordedEvent[]> {
    if (this.#closing !== null) throw new Error(`The ledger ${this.#settings.ledgerDirectory} is closed`)
    const bodies = events.map(encodeBody)
    if (bodies.length === 0) return []
    const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
    const isApproval = lastApproval(events) !== null
    return new Promise((resolve, reject) => {
      this.#queue.push({ bodies, bytes, isApproval, resolve, reject })
      this.#commits ??= this.#commitAll()
    })
  }

  read(fromSeq: number, limit: number): Promise<readonly RecordedEvent[]> {
    return readEvents(this.#settings.ledgerDirectory, fromSeq, this.#head.seq, limit)
  }

  async attempt(attemptId: string): Promise<AttemptResult | null> {
    const known = this.state.attempts.find((attempt) => attempt.attemptId === attemptId)
    if (known === undefined) return findAttempt(this.#settings.ledgerDirectory, attemptId)
    const [event] = await this.read(known.seq, 1)
    return event?.type === 'attempt-finished' && event.result.attemptId === attemptId ? event.result : null
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Indexes and compresses a closed segment in the background, one at a time. */
  pack(firstSeq: number): void {
    const { ledgerDirectory, log } = this.#settings
    this.#packing = this.#packing
      .then(() => indexClosedSegment(ledgerDirectory, firstSeq, this.#head.seq))
      .catch((error: unknown) =>
        log.warn('A ledger segment could not be indexed; it is indexed when the timeline is requested', {
          path: segmentPath(ledgerDirectory, firstSeq),
          error: String(error),
        }),
      )
      .then(() => compressSegment(ledgerDirectory, firstSeq))
      .catch((error: unknown) =>
        log.warn('A ledger segment could not be compressed; it stays as it is', {
          path: segmentPath(ledgerDirectory, firstSeq),
          error: String(error),
        }),
      )
  }

  async #close(): Promise<void> {
    await this.#commits
    this.#takeSnapshot()
    await this.#snapshots.flush()
    await this.#documents.flush()
    await this.#packing
    this.#seals.offer({ head: this.#head, isClosed: await this.#isKnownEnd() })
    await this.#seals.flush()
    await this.#segment?.writer.close()
  }

  /** True if nothing, ours or another owner's, can follow the head: a failed write may have left something there. */
  async #isKnownEnd(): Promise<boolean> {
    if (this.#hasFailed) return false
    return succeeds(this.#assertOwned())
  }

  async #commitAll(): Promise<void> {
    while (this.#queue.length > 0) await this.#commit(this.#takeGroup())
    this.#commits = null
  }

  #takeGroup(): readonly Waiting[] {
    let bytes = 0
    let count = 0
    for (const waiting of this.#queue) {
      bytes += waiting.bytes
      if (count > 0 && (bytes > GROUP_BYTES || waiting.isApproval)) break
      count += 1
      if (waiting.isApproval) break
    }
    return this.#queue.splice(0, count)
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    let head = this.#head
    const lines: Buffer[] = []
    const accepted: { waiting: Waiting; events: readonly RecordedEvent[] }[] = []
    for (const waiting of group) {
      try {
        const draft = this.#draft(head, waiting.bodies)
        head = draft.head
        lines.push(...draft.lines)
        accepted.push({ waiting, events: draft.events })
      } catch (error) {
        // A bug in the fold: nothing of this call is written, the others continue.
        waiting.reject(error)
      }
    }
    if (accepted.length === 0) return
    const { tamperCheck } = this.#settings
    const recorded = accepted.flatMap(({ events }) => events)
    const approval = lastApproval(recorded)
    let isSealDue = approval !== null || recorded.some(({ type }) => type === 'cycle-finished')
    const announced = announcedOf(recorded, this.#head.day)
    const isAnnounced = tamperCheck !== null && announced > 0
    try {
      await this.#assertOwned()
      await tamperCheck?.reopened()
      if (approval !== null) await tamperCheck?.approving(approval)
      const begins = recorded.some(({ type }) => type === 'attempt-started')
      // Don't start an agent whose end could not be recorded.
      if (begins) await this.#settings.reserve.keep()
      if (isAnnounced && !(await tamperCheck.announce(head.seq, head.hash, announced))) isSealDue = true
      await this.#write(Buffer.concat(lines))
    } catch (error) {
      this.#hasFailed = true
      for (const { waiting } of accepted) waiting.reject(error)
      return
    }
    if (isAnnounced && !(await tamperCheck.recorded())) isSealDue = true
    this.#head = head
    if (approval !== null) tamperCheck?.approvalRecorded(approval)
    this.#documents.update(head.state)
    this.#takeDueSnapshot()
    if (isSealDue) this.#seals.offer({ head, isClosed: false })
    for (const { waiting, events } of accepted) waiting.resolve(events)
  }

  /** Writes events of a heartbeat that has begun, into the reserved space if the disk is full. */
  async #write(bytes: Uint8Array): Promise<void> {
    const append = async () => (await this.#writerFor(this.#head.seq + 1)).append(bytes)
    try {
      await append()
    } catch (error) {
      const isEnding = this.#head.state.running !== null
      if (!isEnding || !isFull(error) || !(await this.#settings.reserve.give())) throw error
      await append()
    }
  }

  async #assertOwned(): Promise<void> {
    const { ledgerDirectory, lost } = this.#settings
    const reason = (await lost?.()) ?? null
    if (reason !== null)
      throw new StorageError(
        `Nothing is recorded in ${ledgerDirectory}: ${reason}`,
        ledgerDirectory,
        'ESTALE',
      )
  }

  /** Returns the lines of one call after `head`, and the head after them. Changes nothing. */
  #draft(head: Head, bodies: readonly string[]): { head: Head; lines: Buffer[]; events: RecordedEvent[] } {
    const { clock, localDay, timestamp } = this.#settings
    const nowMs = clock.nowMs()
    const at = timestamp(nowMs)
    const day = laterDay(head.day, localDay(nowMs))
    const lines: Buffer[] = []
    const events: RecordedEvent[] = []
    let { seq, hash, state } = head
    for (const body of bodies) {
      seq += 1
      const line = encodeLine({ seq, at, day }, hash, body)
      const event = readBack(line)
      state = applyEvent(state, event)
      hash = hashLine(line)
      lines.push(line, NEWLINE)
      events.push(event)
    }
    return { head: { seq, hash, day, state }, lines, events }
  }

  /** Returns the writer of the segment for event `nextSeq`; closes a full or old segment and compresses it in the background. */
  async #writerFor(nextSeq: number): Promise<SegmentWriter> {
    const { ledgerDirectory, log, segmentBytes, segmentAgeMs } = this.#settings
    const current = this.#segment
    const nowMs = this.#settings.clock.nowMs()
    const isOpen = ({ writer, beganMs }: OpenSegment): boolean =>
      writer.length < segmentBytes && (writer.length === 0 || nowMs - beganMs < segmentAgeMs)
    if (current !== null && isOpen(current)) return current.writer
    if (current?.writer.failure) throw current.writer.failure
    const writer = await openSegmentWriter(segmentPath(ledgerDirectory, nextSeq), 0)
    this.#segment = { firstSeq: nextSeq, writer, beganMs: nowMs }
    if (current !== null) {
      await current.writer
        .close()
        .catch((error: unknown) => log.warn('A full segment could not be closed', { error: String(error) }))
      this.pack(current.firstSeq)
      this.#takeSnapshot()
    }
    return writer
  }

  #takeDueSnapshot(): void {
    if (this.#head.seq - this.#snapshotSeq >= this.#settings.snapshotEvery) this.#takeSnapshot()
  }

  #takeSnapshot(): void {
    const { seq, hash, state } = this.#head
    if (seq === this.#snapshotSeq) return
    this.#snapshotSeq = seq
    this.#snapshots.offer({ seq, hash, state })
  }
}

const NEWLINE = Buffer.from('\n')

function lastApproval(events: readonly EventBody[]): string | null {
  const event = events.findLast(({ type }) => type === 'configuration-approved')
  return event?.type === 'configuration-approved' ? event.hash : null
}

/** Returns what a replay will find: the live state must not know more than the line says. */
function readBack(line: Buffer): RecordedEvent {
  const decoded = decodeLine(line)
  const event = 'broken' in decoded ? null : readEvent(decoded).event
  if (event === null)
    throw new Error(`A ledger line doesn't read back as it was written: ${line.toString('utf8', 0, 200)}`)
  return event
}

function laterDay(a: string | null, b: string | null): string {
  if (a === null || (b !== null && b > a)) return b ?? ''
  return a
}
