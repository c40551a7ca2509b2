import { inflateRawSync } from 'node:zlib'
import type { Refusal } from '../../core/vocabulary/fleet.ts'
import { type DecodedLine, decodeLine, GENESIS_HASH, hashLine, MAX_LINE_BYTES } from '../ledger/line.ts'
import { LINE_HEADERS } from './line-headers.ts'

/** How far the center has read a record. */
export interface RecordHead {
  readonly seq: number
  readonly hash: string
}

export const RECORD_START: RecordHead = { seq: 0, hash: GENESIS_HASH }

/** A message as received; nothing in it is trusted. */
export interface Incoming {
  readonly data: Uint8Array
  readonly header: (name: string) => string
}

export type Taken =
  | { readonly line: DecodedLine; readonly head: RecordHead }
  | { readonly refusal: Refusal; readonly detail: string }

/** Returns the line of a message if it is the next one, otherwise why it is refused. Never throws. */
export function takeLine(known: RecordHead, message: Incoming): Taken {
  const bytes = unpack(message)
  if (bytes === null) return refused('oversized', 'it does not decompress to a line')
  if (bytes.length > MAX_LINE_BYTES) return refused('oversized', `${bytes.length} bytes`)
  const said = message.header(LINE_HEADERS.hash)
  const isRedacted = message.header(LINE_HEADERS.redacted) === '1'
  const hash = isRedacted ? said : hashLine(bytes)
  const line = decodeLine(bytes)
  if ('broken' in line) return refused('not-a-line', line.broken)
  if (hash !== said || !/^[0-9a-f]{64}$/.test(hash)) return refused('altered', `line ${line.seq}`)
  if (line.seq <= known.seq) {
    const isFork = line.seq === known.seq && hash !== known.hash
    return refused(isFork ? 'fork' : 'replayed', `line ${line.seq}; ${known.seq} were taken`)
  }
  if (line.seq !== known.seq + 1) return refused('out-of-order', `line ${line.seq} after ${known.seq}`)
  if (line.prev !== known.hash) return refused('fork', `line ${line.seq} follows another line ${known.seq}`)
  return { line, head: { seq: line.seq, hash } }
}

function refused(refusal: Refusal, detail: string): Taken {
  return { refusal, detail }
}

/** Returns `null` if the result would be too long for a line, or the data isn't compressed. */
function unpack({ data, header }: Incoming): Buffer | null {
  if (header(LINE_HEADERS.encoding) !== 'deflate')
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  try {
    return inflateRawSync(data, { maxOutputLength: MAX_LINE_BYTES })
  } catch {
    return null
  }
}
