import { join } from 'node:path'
import { createDirectory, fileTime } from '../files/durable-file.ts'
import { storageError } from '../files/storage-error.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import { openDocuments } from './documents.ts'
import { JsonlLedger, type OpenSegment } from './jsonl-ledger.ts'
import { decodeLine } from './line.ts'
import { type LoadedLedger, loadLedger } from './load.ts'
import { createReserve } from './reserve.ts'
import type { SealStore } from './seal.ts'
import { openSegmentWriter } from './segment-writer.ts'
import { listSegments, readLines, type Segment, segmentPath } from './segments.ts'
import { openTamperCheck } from './tamper-check.ts'
import { cutTornTail } from './torn-tail.ts'

export interface LedgerOptions {
  /** `…/workspaces/<id>`; created if missing. */
  readonly directory: string
  readonly clock: Clock
  /** Local day (YYYY-MM-DD) of a moment in epoch ms, in the workspace's time zone. */
  readonly localDay: (ms: number) => string
  /** ISO 8601 with offset of a moment in epoch ms. */
  readonly timestamp: (ms: number) => string
  readonly log: Log
  /** A segment that has reached this length is closed; 4 MiB by default. */
  readonly segmentBytes?: number
  /** A segment older than this is closed too, in ms; 30 days by default. */
  readonly segmentAgeMs?: number
  /** Events between two snapshots; 500 by default. */
  readonly snapshotEvery?: number
  /**
   * Returns why the data folder is no longer ours, as a sentence; null while it is. Called before each write; if omitted, it
   * always is ours.
   */
  readonly lost?: () => Promise<string | null>
  /** Where the ledger's seal is stored; if omitted, it is not sealed. */
  readonly seals?: SealStore
}

export interface OpenedLedger extends Ledger {
  /** What was wrong with the ledger when it was loaded, in words; these events are not in the state. */
  readonly problems: readonly string[]
  /** Returns what differs from the sealed ledger, one sentence each; empty once the operator has accepted it. */
  broken(): readonly string[]
  /** Accepts the record as it is, on the operator's behalf. */
  accept(): Promise<void>
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Opens the ledger of one workspace, which no other process may have open. Moves a torn end to a separate file, resumes
 * unfinished compression and writes the documents from the state. Rejects with a `StorageError` if the folder cannot be used.
 *
 * Appending rejects with a `StorageError` if the disk refuses; then nothing was recorded, the state is unchanged, and a later
 * append may succeed. It rejects with another error for an invalid event, which is a bug.
 */
export async function openLedger(options: LedgerOptions): Promise<OpenedLedger> {
  const { clock, log } = options
  const { segmentBytes = 4 * 1024 * 1024, segmentAgeMs = 30 * DAY_MS, snapshotEvery = 500 } = options
  const ledgerDirectory = join(options.directory, 'ledger')
  await createDirectory(ledgerDirectory)
  const segments = await listSegments(ledgerDirectory)
  const loaded = await loadLedger(ledgerDirectory, segments)
  if (loaded.problems.length > 0) {
    log.warn('The ledger has problems; `pulseward doctor` lists them', {
      ledgerDirectory,
      problems: loaded.problems.slice(0, 10),
    })
  }
  const time = fileTime(clock.nowMs())
  const tamperCheck =
    options.seals === undefined
      ? null
      : await openTamperCheck({
          store: options.seals,
          ledger: { ledgerDirectory, segments, seq: loaded.end.seq },
          snapshot: loaded.snapshot,
          unsound: loaded.problems,
          documents: { directory: options.directory, state: loaded.state },
          time,
          timestamp: options.timestamp(clock.nowMs()),
          log,
        })
  const writer = await resumeNewest(ledgerDirectory, segments.at(-1), loaded, time, log)
  const documents = await openDocuments({
    directory: options.directory,
    state: loaded.state,
    nowMs: clock.nowMs(),
    log,
  })
  const reserve = createReserve(options.directory)
  const settings = {
    ...options,
    segmentBytes,
    segmentAgeMs,
    snapshotEvery,
    ledgerDirectory,
    tamperCheck,
    reserve,
  }
  const ledger = new JsonlLedger(settings, loaded, writer, documents)
  for (const segment of segments.slice(0, -1)) if (segment.plain) ledger.pack(segment.firstSeq)
  return ledger
}

/** Opens the newest segment at the end of its last valid line; null if the next event starts a new one. */
async function resumeNewest(
  ledgerDirectory: string,
  newest: Segment | undefined,
  { end }: LoadedLedger,
  time: string,
  log: Log,
): Promise<OpenSegment | null> {
  if (newest === undefined || !newest.plain) return null
  const path = segmentPath(ledgerDirectory, newest.firstSeq)
  // Without a known end, the next event could overwrite recorded ones.
  if (end.unreadable !== null) throw storageError('read', path, end.unreadable)
  if (end.torn !== null) {
    const part = await cutTornTail(ledgerDirectory, path, end.length, time)
    log.warn('The ledger ended in a torn line; it was set aside', { path, part, bytes: end.torn.bytes })
  }
  return {
    firstSeq: newest.firstSeq,
    writer: await openSegmentWriter(path, end.length),
    beganMs: await beganMs(ledgerDirectory, newest.firstSeq),
  }
}

/** Returns when the first event of a segment was recorded, epoch ms; infinity if unknown: then it is not closed for its age. */
async function beganMs(ledgerDirectory: string, firstSeq: number): Promise<number> {
  for await (const { bytes } of readLines(ledgerDirectory, firstSeq)) {
    const decoded = decodeLine(bytes)
    const at = 'broken' in decoded ? Number.NaN : Date.parse(decoded.at)
    return Number.isNaN(at) ? Number.POSITIVE_INFINITY : at
  }
  return Number.POSITIVE_INFINITY
}
