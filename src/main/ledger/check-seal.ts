import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { isOfTheMoment } from '../files/storage-error.ts'
import { announcedOnly, isToBeAnnounced, type RecordEnd, sealedEnd } from './announced.ts'
import { type DecodedLine, decodeLine, hashLine, peekSeq, readEvent } from './line.ts'
import type { Note } from './notes.ts'
import type { Seal } from './seal.ts'
import { readLineGroups, type Segment } from './segments.ts'

/** The ledger that is compared with its seal. */
export interface SealedLedger {
  readonly ledgerDirectory: string
  readonly segments: readonly Segment[]
  /** The number of its last event. */
  readonly seq: number
}

export interface SealComparison {
  /**
   * True to skip compressed segments whose files are unchanged since they were sealed, so that a start does not depend on the length of the
   * history.
   */
  readonly isQuick?: boolean
  /** The seal as it is after the ledger was read; omit it when nothing else writes to the seal. */
  readonly later?: Seal | null
  /** Returns whether the seal can be written to at all. If not, unannounced events prove nothing. */
  readonly canAnnounce: () => Promise<boolean>
}

/**
 * Returns what differs from the sealed ledger, one sentence each: its end, the event that was last then, and its compressed
 * segments. Events after the seal are fine, except after one that closed the ledger, and except unannounced events that affect
 * score or trust. Unreadable content counts as different. Rejects if the machine cannot read right now, since then nothing is
 * known.
 */
export async function compareWithSeal(
  ledger: SealedLedger,
  seal: Seal,
  { isQuick = false, later = seal, canAnnounce }: SealComparison,
): Promise<readonly string[]> {
  const end = sealedEnd(seal)
  if (end.seq === 0) return []
  const problems: string[] = []
  if (ledger.seq < end.seq) {
    const lost = end.seq - ledger.seq
    problems.push(
      `the ledger ends at event ${ledger.seq}, but ${end.seq} had been recorded: ${lost} ${lost === 1 ? 'event is' : 'events are'} missing`,
    )
  } else if ((await hashOf(ledger, end.seq)) !== end.hash) {
    problems.push(`event ${end.seq}, or one before it, is not the one that was recorded`)
  } else if (seal.seq > 0 && seal.seq < end.seq && (await hashOf(ledger, seal.seq)) !== seal.hash) {
    problems.push(`event ${seal.seq}, or one before it, is not the one that was sealed`)
  } else if (later !== null) {
    const foreign = await findForeign(ledger, later)
    const isHeld = foreign.length === 0 || later.isClosed === true || (await canAnnounce())
    if (isHeld) problems.push(...foreign)
  }
  const limit = pLimit(READ_AT_ONCE)
  const found = await Promise.all(
    Object.entries(seal.segments).map(([name, hash]) =>
      limit(async () => {
        const path = join(ledger.ledgerDirectory, name)
        const sealed = isQuick ? seal.states?.[name] : undefined
        if (sealed !== undefined && (await settledState(path)) === sealed) return []
        const now = await hashOfFile(path)
        if (now === null) return [`${name} is missing`]
        return now === hash ? [] : [`${name} was changed after it was closed`]
      }),
    ),
  )
  return [...problems, ...found.flat()]
}

/** More than anyone would read. */
const MAX_UNANNOUNCED = 10

/** Returns the events after the seal that Pulseward did not write, one sentence each, up to a limit. */
async function findForeign(ledger: SealedLedger, seal: Seal): Promise<readonly string[]> {
  const end = sealedEnd(seal)
  const more = ledger.seq - end.seq
  if (more <= 0) return []
  if (seal.isClosed === true)
    return [
      `the ledger was closed with event ${end.seq}, but ${more} more ${more === 1 ? 'follows' : 'follow'} that Pulseward has not recorded`,
    ]
  return seal.announced === undefined ? [] : findUnannounced(ledger, seal, end.seq)
}

async function findUnannounced(ledger: SealedLedger, seal: Seal, end: number): Promise<readonly string[]> {
  const pending = announcedOnly(seal)
  let from = end
  for (const event of pending) if (event.seq > from && (await hasEvent(ledger, event))) from = event.seq
  // After a kill or a power cut, the first events of an append may be there without the last.
  const cutOff = pending.map(({ seq, count }) => ({ first: seq - count + 1, last: seq }))
  const isCutOff = (seq: number) => cutOff.some(({ first, last }) => last > ledger.seq && seq >= first)
  const found: string[] = []
  let day: string | null = null
  for await (const line of linesFrom(ledger, from)) {
    const isLater = day !== null && line.day > day
    day = line.day
    if (line.seq === from || isCutOff(line.seq)) continue
    const { event } = readEvent(line)
    const isForeign = isLater || (event !== null && isToBeAnnounced(event.type))
    if (isForeign && found.length < MAX_UNANNOUNCED)
      found.push(
        `event ${line.seq} (${line.type}) was not announced in its seal: Pulseward did not record it, or could not write to the seal then`,
      )
  }
  return found
}

/** Yields the readable lines from one event to the ledger's end. */
async function* linesFrom(
  { ledgerDirectory, segments, seq }: SealedLedger,
  from: number,
): AsyncGenerator<DecodedLine> {
  const holder = segments.findLastIndex(({ firstSeq }) => firstSeq <= from)
  for (const { firstSeq } of segments.slice(Math.max(0, holder))) {
    for await (const lines of readLineGroups(ledgerDirectory, firstSeq)) {
      for (const { bytes } of lines) {
        if ((peekSeq(bytes) ?? Number.POSITIVE_INFINITY) < from) continue
        const line = decodeLine(bytes)
        if (!('broken' in line) && line.seq >= from && line.seq <= seq) yield line
      }
    }
  }
}

/** Returns what differs from the notes of other workspaces, one sentence each. Rejects if the machine cannot read right now. */
export async function compareWithNotes(
  ledger: SealedLedger,
  notes: readonly Note[],
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { by, seq, hash } of notes) {
    if (seq > ledger.seq)
      problems.push(`the workspace ${by} noted ${seq} events of it, but the ledger ends at ${ledger.seq}`)
    else if ((await hashOf(ledger, seq)) !== hash)
      problems.push(`event ${seq}, or one before it, is not the one that the workspace ${by} noted`)
  }
  return problems
}

const READ_AT_ONCE = 16

/**
 * A file changed more recently than this may change again without its times showing it: file systems store times in steps of up
 * to 2 s.
 */
const TIMES_SETTLE_NS = 2_500_000_000n

/**
 * Returns file metadata that no program can preserve while changing the file; `undefined` if it changed too recently or cannot be
 * read.
 */
async function settledState(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => null)
  // The wall clock, because file times come from it.
  if (stats === null || BigInt(Date.now()) * 1_000_000n - stats.ctimeNs < TIMES_SETTLE_NS) return undefined
  return `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${stats.dev}:${stats.ino}`
}

/** Checks whether a ledger has this event exactly as it was recorded. Rejects if the machine cannot read right now. */
export async function hasEvent(ledger: SealedLedger, { seq, hash }: RecordEnd): Promise<boolean> {
  return seq <= ledger.seq && (await hashOf(ledger, seq)) === hash
}

/** Returns the hash of one event's line; `null` if no such line can be read. */
export async function hashOf(
  { ledgerDirectory, segments }: SealedLedger,
  seq: number,
): Promise<string | null> {
  const holder = segments.findLast(({ firstSeq }) => firstSeq <= seq)
  if (holder === undefined) return null
  try {
    for await (const lines of readLineGroups(ledgerDirectory, holder.firstSeq)) {
      for (const { bytes } of lines) {
        if (isOfAnother(bytes, seq)) continue
        const line = decodeLine(bytes)
        if (!('broken' in line) && line.seq === seq) return hashLine(bytes)
      }
    }
  } catch (error) {
    if (isOfTheMoment(error)) throw error
    // The caller reports it as a difference.
  }
  return null
}

/**
 * True if the line certainly belongs to another event, at a fraction of the cost of parsing: its number is at its start, and
 * there is no other in it.
 */
function isOfAnother(bytes: Buffer, seq: number): boolean {
  const begun = peekSeq(bytes)
  if (begun === null || begun === seq) return false
  // JSON takes the last of two equal names, and a name may be escaped. A quote within a string is escaped.
  return !bytes.includes('"seq"', FIRST_NAME) && !bytes.includes('\\u00')
}

/** The length of the name that starts each line. */
const FIRST_NAME = '{"seq"'.length

/**
 * Returns the hashes of all compressed segments with the states of their files. Segments in `known` whose files are unchanged
 * keep their known hash.
 */
export async function hashSegments(
  ledgerDirectory: string,
  segments: readonly Segment[],
  known: Pick<Seal, 'segments' | 'states'>,
): Promise<Required<Pick<Seal, 'segments' | 'states'>>> {
  const hashes: Record<string, string> = {}
  const states: Record<string, string> = {}
  for (const { firstSeq, gzipped, plain } of segments) {
    // Compression has not finished.
    if (!gzipped || plain) continue
    const name = `${String(firstSeq).padStart(12, '0')}.jsonl.gz`
    const [knownHash, knownState] = [known.segments[name], known.states?.[name]]
    const state = knownState ?? (await settledState(join(ledgerDirectory, name)))
    // A hash without a state was taken right after the file was written: take it again, with its state.
    const isKnown = knownHash !== undefined && (knownState !== undefined || state === undefined)
    const hash = isKnown ? knownHash : await hashOfFile(join(ledgerDirectory, name))
    if (hash === null) continue
    // A segment changed by someone else keeps its sealed hash.
    if (knownHash !== undefined && hash !== knownHash) hashes[name] = knownHash
    else {
      hashes[name] = hash
      if (state !== undefined) states[name] = state
    }
  }
  return { segments: hashes, states }
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
