import type { AttemptResult, RecordedEvent } from '../../core/record/events.ts'
import { errorCode, storageError } from '../files/storage-error.ts'
import { decodeLine, hashLine, readEvent } from './line.ts'
import { listSegments, readLines, segmentPath } from './segments.ts'

/** The number of segments that are searched, newest first, for an attempt that is no longer in the state. */
const SEARCHED_SEGMENTS = 32

/**
 * Returns events from `fromSeq` to `toSeq` (both inclusive), at most `limit`, oldest first. Skips lines that hold no event of
 * this version. Starts at the segment that holds `fromSeq`. Rejects with a `StorageError`.
 */
export async function readEvents(
  ledgerDirectory: string,
  fromSeq: number,
  toSeq: number,
  limit: number,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = []
  if (limit < 1) return events
  const segments = await listSegments(ledgerDirectory)
  const holder = segments.findLastIndex((segment) => segment.firstSeq <= fromSeq)
  let nextSeq = fromSeq
  for (const { firstSeq } of segments.slice(Math.max(holder, 0))) {
    if (firstSeq > toSeq) return events
    for await (const line of linesOf(ledgerDirectory, firstSeq)) {
      const decoded = decodeLine(line)
      if ('broken' in decoded || decoded.seq < nextSeq) continue
      if (decoded.seq > toSeq) return events
      nextSeq = decoded.seq + 1
      const { event } = readEvent(decoded)
      if (event !== null && events.push(event) === limit) return events
    }
  }
  return events
}

/** Returns the recorded result of an attempt, searching back from the newest segment; null if it is not in the last segments. */
export async function findAttempt(ledgerDirectory: string, attemptId: string): Promise<AttemptResult | null> {
  const needle = JSON.stringify(attemptId)
  const segments = await listSegments(ledgerDirectory)
  for (const { firstSeq } of segments.slice(-SEARCHED_SEGMENTS).reverse()) {
    for await (const line of linesOf(ledgerDirectory, firstSeq)) {
      if (!line.includes(needle)) continue
      const decoded = decodeLine(line)
      const event = 'broken' in decoded ? null : readEvent(decoded).event
      if (event?.type === 'attempt-finished' && event.result.attemptId === attemptId) return event.result
    }
  }
  return null
}

/** Returns the hex SHA-256 of an event's line; `null` if the record has no such line. Rejects with a `StorageError`. */
export async function hashOfEvent(ledgerDirectory: string, seq: number): Promise<string | null> {
  const holder = (await listSegments(ledgerDirectory)).findLast((segment) => segment.firstSeq <= seq)
  if (holder === undefined) return null
  for await (const line of linesOf(ledgerDirectory, holder.firstSeq)) {
    const decoded = decodeLine(line)
    if (!('broken' in decoded) && decoded.seq === seq) return hashLine(line)
  }
  return null
}

async function* linesOf(ledgerDirectory: string, firstSeq: number): AsyncGenerator<Buffer> {
  try {
    for await (const line of readLines(ledgerDirectory, firstSeq)) yield line.bytes
  } catch (error) {
    // Use what can be decompressed of a damaged segment: one bad file must not hide all others. `doctor` reports it.
    if (errorCode(error).startsWith('Z_')) return
    throw storageError('read', segmentPath(ledgerDirectory, firstSeq), error)
  }
}
