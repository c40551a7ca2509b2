import { decodeLine, hashLine } from '../ledger/line.ts'
import { listSegments, readSegmentFrom } from '../ledger/segments.ts'

/** A line of a record as it is sent to the hub. */
export interface OutgoingLine {
  readonly seq: number
  /** Hash of the previous line, according to this line. */
  readonly prev: string
  readonly hash: string
  readonly bytes: Buffer
}

/** Thrown if the record on disk does not continue with the expected line. */
export class BrokenRecord extends Error {
  override readonly name = 'BrokenRecord'
}

interface Place {
  readonly firstSeq: number
  readonly offset: number
  /** The number of the next line. */
  readonly nextSeq: number
}

const NEWLINE = 0x0a
const HEAD = /^\{"seq":(\d{1,15}),"at":"[^"]{1,40}","day":"[^"]{1,20}","prev":"([0-9a-f]{64})",/

/**
 * Reads the lines of a record in order, from any position. Reads from disk and never blocks the recording host; needs memory for one
 * segment.
 */
export class LineReader {
  readonly #directory: string
  #place: Place | null = null

  constructor(ledgerDirectory: string) {
    this.#directory = ledgerDirectory
  }

  /** Yields lines `fromSeq` to `toSeq`, which must all be recorded. Rejects with a `BrokenRecord` if one is missing or invalid. */
  async *lines(fromSeq: number, toSeq: number): AsyncGenerator<OutgoingLine> {
    let next = fromSeq
    while (next <= toSeq) {
      const start = await this.#find(next)
      const bytes = await readSegmentFrom(this.#directory, start.firstSeq, start.offset)
      let from = 0
      let found = false
      for (let end = bytes.indexOf(NEWLINE); end >= 0 && next <= toSeq; end = bytes.indexOf(NEWLINE, from)) {
        const line = outgoing(bytes.subarray(from, end))
        from = end + 1
        if (line.seq < next) continue
        if (line.seq !== next)
          throw new BrokenRecord(`line ${next} is missing: line ${line.seq} is there instead`)
        found = true
        next += 1
        this.#place = { firstSeq: start.firstSeq, offset: start.offset + from, nextSeq: next }
        yield line
      }
      if (!found && next <= toSeq) {
        // The segment ends here; the next one begins with the line we want.
        const follows = (await listSegments(this.#directory)).some(({ firstSeq }) => firstSeq === next)
        if (!follows) throw new BrokenRecord(`line ${next} is missing`)
        this.#place = { firstSeq: next, offset: 0, nextSeq: next }
      }
    }
  }

  async #find(seq: number): Promise<Place> {
    if (this.#place?.nextSeq === seq) return this.#place
    const segments = await listSegments(this.#directory)
    const holder = segments.findLast(({ firstSeq }) => firstSeq <= seq)
    if (holder === undefined) throw new BrokenRecord(`line ${seq} is missing`)
    return { firstSeq: holder.firstSeq, offset: 0, nextSeq: seq }
  }
}

function outgoing(bytes: Buffer): OutgoingLine {
  const head = HEAD.exec(bytes.toString('latin1', 0, 256))
  if (head !== null) return { seq: Number(head[1]), prev: head[2] ?? '', hash: hashLine(bytes), bytes }
  const decoded = decodeLine(bytes)
  if ('broken' in decoded) throw new BrokenRecord(decoded.broken)
  return { seq: decoded.seq, prev: decoded.prev, hash: hashLine(bytes), bytes }
}
