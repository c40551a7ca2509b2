import { dirname } from 'node:path'
import { createDirectory } from '../files/durable-file.ts'
import { type Worked, worked } from '../process/do-jobs.ts'
import type { Job } from '../process/threads.ts'
import { readSegmentFrom } from './segments.ts'
import { type IndexPiece, TimelineIndex, timelineDirectory } from './timeline-index.ts'

/** A stretch of a segment: from byte `from` up to the event `head`. */
export interface Stretch {
  readonly ledgerDirectory: string
  readonly firstSeq: number
  readonly from: number
  readonly head: number
}

/** Reads and indexes a stretch of a segment. Rejects if the segment cannot be read or decompressed. */
export const INDEX_STRETCH: Job<Stretch, IndexPiece> = { name: 'index-stretch' }

/** Returns the jobs of a thread that indexes the timeline. */
export function timelineJobs(): readonly Worked[] {
  return [worked(INDEX_STRETCH, indexStretch)]
}

/** Implements `INDEX_STRETCH`. */
export async function indexStretch({ ledgerDirectory, firstSeq, from, head }: Stretch): Promise<IndexPiece> {
  const index = new TimelineIndex(firstSeq)
  index.bytes = from
  await index.extend(await readSegmentFrom(ledgerDirectory, firstSeq, from), head)
  return index.piece()
}

/**
 * Writes the index of a segment that will not grow any more, while its text need not be decompressed yet, for later timeline requests.
 * Rejects on file errors; then the index is built on request.
 */
export async function indexClosedSegment(
  ledgerDirectory: string,
  firstSeq: number,
  head: number,
): Promise<void> {
  const directory = timelineDirectory(dirname(ledgerDirectory))
  if ((await TimelineIndex.read(directory, firstSeq)) !== null) return
  const index = new TimelineIndex(firstSeq)
  await index.extend(await readSegmentFrom(ledgerDirectory, firstSeq, 0), head)
  await createDirectory(directory)
  await index.write(directory)
}
