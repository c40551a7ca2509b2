import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isOfTheMoment } from '../files/storage-error.ts'
import { decodeLine, hashLine } from './line.ts'
import type { Seal } from './seal.ts'
import { readLines, type Segment } from './segments.ts'

/** What a ledger is held against: what was read of it, or is to be. */
export interface SealedLedger {
  readonly ledgerDirectory: string
  readonly segments: readonly Segment[]
  /** Of its last event. */
  readonly seq: number
}

/**
 * What of a ledger is not as it was sealed, a sentence each: its end, the event that was the last one then, and its packed segments.
 * Events after the seal are new, and fine. What cannot be read does not fit; rejects where the machine
 * could not read just now, for then nothing is known.
 */
export async function compareWithSeal(ledger: SealedLedger, seal: Seal): Promise<readonly string[]> {
  if (seal.seq === 0) return []
  const problems: string[] = []
  if (ledger.seq < seal.seq) {
    const lost = seal.seq - ledger.seq
    problems.push(
      `the ledger ends at event ${ledger.seq}, and ${seal.seq} had been recorded: ${lost} ${lost === 1 ? 'event is' : 'events are'} missing`,
    )
  } else if ((await hashOf(ledger, seal.seq)) !== seal.hash) {
    problems.push(`event ${seal.seq}, or one before it, is not the one that was recorded`)
  }
  for (const [name, hash] of Object.entries(seal.segments)) {
    const found = await hashOfFile(join(ledger.ledgerDirectory, name))
    if (found === null) problems.push(`${name} is missing`)
    else if (found !== hash) problems.push(`${name} was changed after it had been closed`)
  }
  return problems
}

/** The hash of one event's line; `null` where there is none that can be read. */
async function hashOf({ ledgerDirectory, segments }: SealedLedger, seq: number): Promise<string | null> {
  const holder = segments.findLast(({ firstSeq }) => firstSeq <= seq)
  if (holder === undefined) return null
  try {
    for await (const { bytes } of readLines(ledgerDirectory, holder.firstSeq)) {
      const line = decodeLine(bytes)
      if (!('broken' in line) && line.seq === seq) return hashLine(bytes)
    }
  } catch (error) {
    if (isOfTheMoment(error)) throw error
    // Told as what does not fit.
  }
  return null
}

/** The hashes of all packed segments, those in `known` as they are there. */
export async function hashSegments(
  ledgerDirectory: string,
  segments: readonly Segment[],
  known: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const { firstSeq, gzipped, plain } of segments) {
    // One that is being packed is not finished.
    if (!gzipped || plain) continue
    const name = `${String(firstSeq).padStart(12, '0')}.jsonl.gz`
    const hash = known[name] ?? (await hashOfFile(join(ledgerDirectory, name)))
    if (hash !== null) hashes[name] = hash
  }
  return hashes
}

async function hashOfFile(path: string): Promise<string | null> {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  } catch (error) {
    if (isOfTheMoment(error)) throw error
    return null
  }
}
