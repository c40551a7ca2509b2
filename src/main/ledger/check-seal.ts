import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { isOfTheMoment } from '../files/storage-error.ts'
import { decodeLine, hashLine, peekSeq } from './line.ts'
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

/**
 * What of a ledger is not as it was sealed, a sentence each: its end, the event that was the last one then, and its packed segments.
 * Events after the seal are new, and fine, but for one with which the ledger was closed. What cannot be read does not fit; rejects where the machine
 * could not read just now, for then nothing is known. `isQuick`: a packed segment whose file is untouched since it was sealed is
 * not read again, so that a start does not depend on the length of the history.
 */
export async function compareWithSeal(
  ledger: SealedLedger,
  seal: Seal,
  { isQuick = false }: { readonly isQuick?: boolean } = {},
): Promise<readonly string[]> {
  if (seal.seq === 0) return []
  const problems: string[] = []
  if (ledger.seq < seal.seq) {
    const lost = seal.seq - ledger.seq
    problems.push(
      `the ledger ends at event ${ledger.seq}, and ${seal.seq} had been recorded: ${lost} ${lost === 1 ? 'event is' : 'events are'} missing`,
    )
  } else if ((await hashOf(ledger, seal.seq)) !== seal.hash) {
    problems.push(`event ${seal.seq}, or one before it, is not the one that was recorded`)
  } else if (seal.isClosed === true && ledger.seq > seal.seq) {
    const more = ledger.seq - seal.seq
    problems.push(
      `the ledger was closed with event ${seal.seq}, and ${more} more ${more === 1 ? 'stands' : 'stand'} in it that Pulseward has not recorded`,
    )
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

/** The hash of one event's line; `null` where there is none that can be read. */
async function hashOf({ ledgerDirectory, segments }: SealedLedger, seq: number): Promise<string | null> {
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
