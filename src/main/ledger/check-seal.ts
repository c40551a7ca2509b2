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

/** What a ledger is held against: what was read of it, or is to be. */
export interface SealedLedger {
  readonly ledgerDirectory: string
  readonly segments: readonly Segment[]
  /** Of its last event. */
  readonly seq: number
}

export interface SealComparison {
  /** A packed segment whose file is untouched since it was sealed is not read again: a start does not depend on the length of the history. */
  readonly isQuick?: boolean
  /** The seal as it stands after the ledger was read; left out: nobody writes to it meanwhile. */
  readonly later?: Seal | null
  /** Whether the seal can be written to at all: where it cannot, nothing follows from what was not announced in it. */
  readonly canAnnounce: () => Promise<boolean>
}

/**
 * What of a ledger is not as it was sealed, a sentence each: its end, the event that was the last one then, and its packed
 * segments. Events after the seal are new, and fine, but for those after one with which the ledger was closed, and for those that
 * score or trust follows from and that were not announced. What cannot be read does not fit; rejects where the machine could not
 * read just now, for then nothing is known.
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
      `the ledger ends at event ${ledger.seq}, and ${end.seq} had been recorded: ${lost} ${lost === 1 ? 'event is' : 'events are'} missing`,
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
        return now === hash ? [] : [`${name} was changed after it had been closed`]
      }),
    ),
  )
  return [...problems, ...found.flat()]
}

/** More than anyone reads. */
const MAX_UNANNOUNCED = 10

/** Events behind the seal that are not Pulseward's, a sentence each, up to a number of them. */
async function findForeign(ledger: SealedLedger, seal: Seal): Promise<readonly string[]> {
  const end = sealedEnd(seal)
  const more = ledger.seq - end.seq
  if (more <= 0) return []
  if (seal.isClosed === true)
    return [
      `the ledger was closed with event ${end.seq}, and ${more} more ${more === 1 ? 'stands' : 'stand'} in it that Pulseward has not recorded`,
    ]
  return seal.announced === undefined ? [] : findUnannounced(ledger, seal, end.seq)
}

async function findUnannounced(ledger: SealedLedger, seal: Seal, end: number): Promise<readonly string[]> {
  const pending = announcedOnly(seal)
  let from = end
  for (const event of pending) if (event.seq > from && (await hasEvent(ledger, event))) from = event.seq
  // Cut off by a kill or a power cut, the first of what was recorded together may be there without the last.
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
        `event ${line.seq} (${line.type}) was not announced in its seal: Pulseward has not recorded it, or could not write to the seal then`,
      )
  }
  return found
}

/** The lines that can be read, from an event's to the ledger's end. */
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

/** What of a ledger is not as other workspaces noted it, a sentence each. Rejects where the machine could not read just now. */
export async function compareWithNotes(
  ledger: SealedLedger,
  notes: readonly Note[],
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { by, seq, hash } of notes) {
    if (seq > ledger.seq)
      problems.push(`the workspace ${by} has noted ${seq} events of it, and the ledger ends at ${ledger.seq}`)
    else if ((await hashOf(ledger, seq)) !== hash)
      problems.push(`event ${seq}, or one before it, is not the one that the workspace ${by} has noted`)
  }
  return problems
}

const READ_AT_ONCE = 16

/** A file that changed this shortly before may change again without its times showing it: file systems keep them in steps of up to 2 s. */
const TIMES_SETTLE_NS = 2_500_000_000n

/** What no program can keep while it changes the file; `undefined` where it changed only just now, or cannot be looked at. */
async function settledState(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => null)
  // The wall clock, because it is what the file system's times are made from.
  if (stats === null || BigInt(Date.now()) * 1_000_000n - stats.ctimeNs < TIMES_SETTLE_NS) return undefined
  return `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${stats.dev}:${stats.ino}`
}

/** Whether a ledger has this event, as it was recorded. Rejects where the machine could not read just now. */
export async function hasEvent(ledger: SealedLedger, { seq, hash }: RecordEnd): Promise<boolean> {
  return seq <= ledger.seq && (await hashOf(ledger, seq)) === hash
}

/** The hash of one event's line; `null` where there is none that can be read. */
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
    // Told as what does not fit.
  }
  return null
}

/** Whether the line is certainly not that event's, at a fraction of what reading it costs: its number stands at its start, and no other in it. */
function isOfAnother(bytes: Buffer, seq: number): boolean {
  const begun = peekSeq(bytes)
  if (begun === null || begun === seq) return false
  // JSON takes the last of two, and a name may be written in escapes. A quote within a text is one itself.
  return !bytes.includes('"seq"', FIRST_NAME) && !bytes.includes('\\u00')
}

/** Where the name ends that a line begins with. */
const FIRST_NAME = '{"seq"'.length

/** The hashes of all packed segments with the states of their files; of those in `known` whose files are untouched, as they are there. */
export async function hashSegments(
  ledgerDirectory: string,
  segments: readonly Segment[],
  known: Pick<Seal, 'segments' | 'states'>,
): Promise<Required<Pick<Seal, 'segments' | 'states'>>> {
  const hashes: Record<string, string> = {}
  const states: Record<string, string> = {}
  for (const { firstSeq, gzipped, plain } of segments) {
    // One that is being packed is not finished.
    if (!gzipped || plain) continue
    const name = `${String(firstSeq).padStart(12, '0')}.jsonl.gz`
    const [knownHash, knownState] = [known.segments[name], known.states?.[name]]
    const state = knownState ?? (await settledState(join(ledgerDirectory, name)))
    // A hash without a state was taken right after the file was written: with its state, it is taken again.
    const isKnown = knownHash !== undefined && (knownState !== undefined || state === undefined)
    const hash = isKnown ? knownHash : await hashOfFile(join(ledgerDirectory, name))
    if (hash === null) continue
    // What was changed behind our back stays sealed as it was.
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
