import { isOfTheMoment } from '../files/storage-error.ts'
import { type DecodedLine, decodeLine, GENESIS_HASH, hashLine, MAX_LINE_BYTES, peekSeq } from './line.ts'
import { type PassOver, readLineGroups, type Segment, type SegmentLine, segmentFile } from './segments.ts'

/** A problem with a line of the ledger, for people. `line` counts from 1; 0 means the whole file. */
export interface LedgerProblem {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** Returns a problem as one sentence. */
export function sayProblem({ file, line, message }: LedgerProblem): string {
  return line > 0 ? `${file}:${line}: ${message}` : `${file}: ${message}`
}

/** A position in the chain: the last line read. */
export interface ChainPosition {
  /** 0 before the first event. */
  readonly seq: number
  /** Hash of that line; null if unknown. */
  readonly hash: string | null
}

/** The start of every ledger. */
export const CHAIN_START: ChainPosition = { seq: 0, hash: GENESIS_HASH }

export interface ChainVisitor {
  /** Events before this one are skipped unread, because a snapshot covers them. 0 reads everything. */
  readonly fromSeq: number
  /** Called for each well-formed line in order; `seq` always increases. */
  line(line: DecodedLine, hash: string, file: string, number: number): void
  problem(problem: LedgerProblem): void
}

export interface ChainEnd extends ChainPosition {
  readonly day: string | null
  /** Length of the newest segment's plain file up to the end of its last valid line. */
  readonly length: number
  /** What follows that line in the newest segment, if a crash left anything. */
  readonly torn: { readonly line: number; readonly bytes: number; readonly message: string } | null
  /** Why the newest segment could not be read to its end; null if it could. */
  readonly unreadable: unknown
}

/**
 * Reads segments in order and checks numbers and hashes from line to line. Broken lines at the very end of the newest segment are
 * what a crash leaves and are returned as `torn`; all others are reported as problems and reading continues. `from` is the
 * position before the first segment given. Unreadable content is a problem, not an error; rejects only if the machine cannot read
 * right now.
 */
export async function walkChain(
  ledgerDirectory: string,
  segments: readonly Segment[],
  from: ChainPosition,
  visitor: ChainVisitor,
): Promise<ChainEnd> {
  const walk = new ChainWalk(from, visitor)
  let unreadable: unknown = null
  for (const segment of segments) {
    walk.enter(segment)
    unreadable = null
    try {
      for await (const lines of readLineGroups(ledgerDirectory, segment.firstSeq, walk.passOver)) {
        for (const line of lines) walk.take(line)
      }
    } catch (error) {
      if (isOfTheMoment(error)) throw error
      unreadable = error
      walk.unreadable(error)
    }
    // Only a plain file can be cut short by a crash; a compressed one was complete when it was compressed.
    if (segment !== segments.at(-1) || !segment.plain) walk.reportBroken()
  }
  return { ...walk.end(), unreadable }
}

class ChainWalk {
  /** Whether a snapshot covers the line; then only its number is read. */
  readonly passOver: PassOver | undefined
  readonly #visitor: ChainVisitor
  #seq: number
  #hash: string | null
  #day: string | null = null
  #file = ''
  #length = 0
  /** Broken lines not yet followed by a valid one; the first ones are kept so they can be named. */
  #broken: SegmentLine[] = []
  #brokenCount = 0
  #brokenEnd = 0
  /** How many events the broken lines before may have held: that many may be missing without being reported. */
  #excused = 0

  constructor(from: ChainPosition, visitor: ChainVisitor) {
    this.#seq = from.seq
    this.#hash = from.hash
    this.#visitor = visitor
    this.passOver = visitor.fromSeq === 0 ? undefined : (...line) => this.#passOver(...line)
  }

  enter(segment: Segment): void {
    this.#file = segmentFile(segment)
    this.#length = 0
    this.#expect(segment.firstSeq, 0)
  }

  take(line: SegmentLine): void {
    if (line.terminated && !line.oversized && this.passOver?.(line.bytes, 0, line.bytes.length, line.end))
      return
    const decoded = decodeWhole(line)
    if ('broken' in decoded) {
      this.#brokenCount += 1
      this.#brokenEnd = line.end
      // Bound the memory for a file of pure garbage.
      if (this.#broken.length < 100) this.#broken.push(line)
      return
    }
    this.reportBroken()
    this.#length = line.end
    if (decoded.prev === this.#hash && decoded.seq !== this.#seq + 1) {
      this.#report(
        line.number,
        `event ${this.#seq + 1} was renumbered to ${decoded.seq}: this line is skipped`,
      )
      this.#seq += 1
      this.#hash = hashLine(line.bytes)
      return
    }
    if (decoded.seq <= this.#seq) {
      this.#report(line.number, `event ${decoded.seq} occurs again here: this line is skipped`)
      return
    }
    this.#expect(decoded.seq, line.number)
    if (this.#hash !== null && decoded.prev !== this.#hash) {
      this.#report(
        line.number,
        "the hash it has for the line before doesn't match: one of the two was changed",
      )
    }
    this.#seq = decoded.seq
    this.#hash = hashLine(line.bytes)
    this.#day = decoded.day
    this.#excused = 0
    this.#visitor.line(decoded, this.#hash, this.#file, line.number)
  }

  #passOver(chunk: Buffer, start: number, end: number, next: number): boolean {
    const seq = peekSeq(chunk, start, end)
    if (seq === null || seq >= this.#visitor.fromSeq || end - start > MAX_LINE_BYTES) return false
    this.reportBroken()
    this.#seq = seq
    this.#hash = null
    this.#length = next
    return true
  }

  /** Reports the broken lines seen as problems, since they are not the end of the ledger. */
  reportBroken(): void {
    if (this.#brokenCount === 0) return
    for (const line of this.#broken) this.#report(line.number, brokenMessage(line))
    const more = this.#brokenCount - this.#broken.length
    if (more > 0) this.#report(0, `${more} more broken lines`)
    this.#excused += this.#brokenCount
    this.#hash = null
    this.#broken = []
    this.#brokenCount = 0
  }

  unreadable(error: unknown): void {
    this.#report(0, `cannot be read to its end: ${error instanceof Error ? error.message : String(error)}`)
    this.#hash = null
  }

  end(): Omit<ChainEnd, 'unreadable'> {
    const first = this.#broken[0]
    const position = { seq: this.#seq, hash: this.#hash, day: this.#day }
    if (first === undefined) return { ...position, length: this.#length, torn: null }
    const torn = {
      line: first.number,
      bytes: this.#brokenEnd - first.start,
      message: brokenMessage(first),
    }
    return { ...position, length: first.start, torn }
  }

  /** Reports events missing before `seq` and continues from there. */
  #expect(seq: number, line: number): void {
    const missing = seq - this.#seq - 1
    if (missing <= 0) return
    if (missing > this.#excused) {
      const which = missing === 1 ? `event ${seq - 1} is` : `events ${this.#seq + 1} to ${seq - 1} are`
      this.#report(line, `${which} missing before this line`)
    }
    this.#seq = seq - 1
    this.#hash = null
  }

  #report(line: number, message: string): void {
    this.#visitor.problem({ file: this.#file, line, message })
  }
}

function decodeWhole(line: SegmentLine): DecodedLine | { readonly broken: string } {
  if (line.oversized) return { broken: 'longer than the limit for a line' }
  if (!line.terminated) return { broken: 'no newline at its end' }
  return decodeLine(line.bytes)
}

function brokenMessage(line: SegmentLine): string {
  const decoded = decodeWhole(line)
  return `broken line: ${'broken' in decoded ? decoded.broken : ''}`
}
