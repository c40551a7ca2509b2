import { z } from 'zod'
import {
  type EventEnvelope,
  eventBodySchema,
  eventEnvelopeSchema,
  type RecordedEvent,
  recordedEventSchema,
  unplacedEventSchema,
} from '../../core/record/events.ts'
import { withCurrentNames } from '../../core/record/former-names.ts'
import { sha256 } from '../files/sha256.ts'

/** `prev` of a ledger's first line. */
export const GENESIS_HASH = '0'.repeat(64)

/** No event needs more, and a reader must be able to keep a line in memory. Excludes the newline. */
export const MAX_LINE_BYTES = 1024 * 1024

const lineEnvelopeSchema = eventEnvelopeSchema.extend({
  prev: z.string().regex(/^[0-9a-f]{64}$/),
  type: z.string(),
})
const knownTypes: ReadonlySet<string> = new Set(
  eventBodySchema.options.map((option) => option.shape.type.value),
)

/** A ledger line with a valid envelope; `readEvent` parses its body. */
export interface DecodedLine {
  readonly seq: number
  /** ISO 8601 with offset. */
  readonly at: string
  readonly day: string
  /** Hash of the line before. */
  readonly prev: string
  readonly type: string
  readonly json: unknown
}

/** Returns the hex SHA-256 of a line's bytes without its newline: the next line has it as `prev`. */
export function hashLine(bytes: Uint8Array): string {
  return sha256(bytes)
}

/** Returns one line without its newline. `bodyJson` is the body as a JSON object, from `encodeBody`. */
export function encodeLine(envelope: EventEnvelope, prev: string, bodyJson: string): Buffer {
  const head = JSON.stringify({ seq: envelope.seq, at: envelope.at, day: envelope.day, prev })
  return Buffer.from(`${head.slice(0, -1)},${bodyJson.slice(1)}`)
}

/** Returns the event body as JSON. Throws if it does not match its schema or is too long for a line: a bug in the caller. */
export function encodeBody(body: unknown): string {
  const parsed = unplacedEventSchema.safeParse(body)
  if (!parsed.success) throw new TypeError(`Not a ledger event: ${z.prettifyError(parsed.error)}`)
  const json = JSON.stringify(parsed.data)
  const envelopeBytes = 256
  const bytes = Buffer.byteLength(json) + envelopeBytes
  if (bytes > MAX_LINE_BYTES) {
    throw new RangeError(
      `A ledger event of type ${parsed.data.type} has ${bytes} bytes, the limit is ${MAX_LINE_BYTES}: shorten it`,
    )
  }
  return json
}

/** Parses the line's envelope; `broken` says why it is invalid. Never throws, whatever the bytes. */
export function decodeLine(bytes: Buffer): DecodedLine | { readonly broken: string } {
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch {
    return { broken: 'not JSON' }
  }
  const envelope = lineEnvelopeSchema.safeParse(json)
  if (!envelope.success) return { broken: `not a ledger line: ${firstIssue(envelope.error)}` }
  const { seq, at, day, prev, type } = envelope.data
  return { seq, at, day, prev, type, json }
}

const SEQ_START = Buffer.from('{"seq":')
const COMMA = 0x2c
const ZERO = 0x30
const MAX_SEQ_DIGITS = 15

/**
 * Reads an event's number from the start of its line, from `start` to `end`. Unchecked and allocation-free, at a fraction of the
 * cost of parsing; null if it is not there.
 */
export function peekSeq(bytes: Buffer, start = 0, end = bytes.length): number | null {
  const first = start + SEQ_START.length
  for (let at = start; at < first; at += 1) if (bytes[at] !== SEQ_START[at - start]) return null
  let seq = 0
  for (let at = first; at < end && at <= first + MAX_SEQ_DIGITS; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === COMMA) return at > first ? seq : null
    const digit = byte - ZERO
    if (digit < 0 || digit > 9) return null
    seq = seq * 10 + digit
  }
  return null
}

/**
 * Parses the event of a line. `event` is null if this version cannot use it: then `problem` says why, or is null for an unknown
 * type, which a newer version wrote.
 */
export function readEvent(line: DecodedLine): {
  readonly event: RecordedEvent | null
  readonly problem: string | null
} {
  const event = recordedEventSchema.safeParse(withCurrentNames(line.json))
  if (event.success) return { event: event.data, problem: null }
  const problem = `event ${line.type} doesn't match its schema: ${firstIssue(event.error)}`
  return { event: null, problem: knownTypes.has(line.type) ? problem : null }
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue === undefined ? 'unknown' : `${issue.path.join('.') || 'line'}: ${issue.message}`
}
