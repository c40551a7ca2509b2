import { createHash } from 'node:crypto'
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

/** `prev` of a ledger's first line. */
export const GENESIS_HASH = '0'.repeat(64)

/** No event needs more, and a reader must be able to hold a line in memory. Without the newline. */
export const MAX_LINE_BYTES = 1024 * 1024

const lineEnvelopeSchema = eventEnvelopeSchema.extend({
  prev: z.string().regex(/^[0-9a-f]{64}$/),
  type: z.string(),
})
const knownTypes: ReadonlySet<string> = new Set(
  eventBodySchema.options.map((option) => option.shape.type.value),
)

/** A ledger line whose envelope is in order; what it says comes from `readEvent`. */
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

/** Hex SHA-256 of a line's bytes without its newline: what the next line carries as `prev`. */
export function hashLine(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** One line without its newline. `bodyJson` is the body as a JSON object, as `encodeBody` gives it. */
export function encodeLine(envelope: EventEnvelope, prev: string, bodyJson: string): Buffer {
  const head = JSON.stringify({ seq: envelope.seq, at: envelope.at, day: envelope.day, prev })
  return Buffer.from(`${head.slice(0, -1)},${bodyJson.slice(1)}`)
}

/** The event body as JSON. Throws where it does not fit its schema or is too long for a line: a bug of the caller. */
export function encodeBody(body: unknown): string {
  const parsed = unplacedEventSchema.safeParse(body)
  if (!parsed.success) throw new TypeError(`Not a ledger event: ${z.prettifyError(parsed.error)}`)
  const json = JSON.stringify(parsed.data)
  const envelopeBytes = 256
  const bytes = Buffer.byteLength(json) + envelopeBytes
  if (bytes > MAX_LINE_BYTES) {
    throw new RangeError(
      `A ledger event of type ${parsed.data.type} has ${bytes} bytes, the limit is ${MAX_LINE_BYTES}: shorten what it carries`,
    )
  }
  return json
}

/** The line's envelope, or in words why it is none. Throws nothing, whatever the bytes. */
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
 * The number of an event from the start of its line, which stands from `start` to `end`, unchecked, at a fraction of the cost and without
 * anything being made; null where it is not there.
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
 * The event of a line. `event` is null where this version cannot use it: then `problem` says why, or is null where the
 * type is unknown, because a newer version wrote it.
 */
export function readEvent(line: DecodedLine): {
  readonly event: RecordedEvent | null
  readonly problem: string | null
} {
  const event = recordedEventSchema.safeParse(withCurrentNames(line.json))
  if (event.success) return { event: event.data, problem: null }
  const problem = `event ${line.type} does not fit its shape: ${firstIssue(event.error)}`
  return { event: null, problem: knownTypes.has(line.type) ? problem : null }
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue === undefined ? 'unknown' : `${issue.path.join('.') || 'line'}: ${issue.message}`
}
