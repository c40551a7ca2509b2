import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodeBody, encodeLine, GENESIS_HASH, hashLine, MAX_LINE_BYTES } from '../ledger/line.ts'
import { noteEvent } from '../ledger/testing/sample-events.ts'
import { RECORD_START, takeLine } from './take-line.ts'

const envelope = (seq: number) => ({ seq, at: '2026-03-01T10:00:00.000+01:00', day: '2026-03-01' })
const line = (seq: number, prev: string, text: string) =>
  encodeLine(envelope(seq), prev, encodeBody(noteEvent(text)))
const first = line(1, GENESIS_HASH, 'one')
const second = line(2, hashLine(first), 'two')
const afterFirst = { seq: 1, hash: hashLine(first) }

function message(data: Uint8Array, headers: Readonly<Record<string, string>> = {}) {
  const given: Record<string, string> = { 'Pw-Hash': hashLine(data), ...headers }
  return { data, header: (name: string) => given[name] ?? '' }
}

test('takes the next line, compressed or not', () => {
  expect(takeLine(RECORD_START, message(first))).toMatchObject({ head: afterFirst, line: { seq: 1 } })
  const packed = message(deflateRawSync(second), { 'Pw-Encoding': 'deflate', 'Pw-Hash': hashLine(second) })
  expect(takeLine(afterFirst, packed)).toMatchObject({ head: { seq: 2, hash: hashLine(second) } })
})

test('takes a redacted line at its position, and requires the next line to follow the original', () => {
  const redacted = Buffer.from(second.toString('utf8').replace('two', '[token hidden]'))
  const given = message(redacted, { 'Pw-Redacted': '1', 'Pw-Hash': hashLine(second) })
  expect(takeLine(afterFirst, given)).toMatchObject({ head: { seq: 2, hash: hashLine(second) } })
})

test('takes a line of maximum length, compressed or not', () => {
  // Longer than any line in a ledger: exactly the limit that a reader accepts.
  const lineOf = (text: string) => encodeLine(envelope(1), GENESIS_HASH, JSON.stringify(noteEvent(text)))
  const longest = lineOf('x'.repeat(MAX_LINE_BYTES - lineOf('').length))
  expect(longest).toHaveLength(MAX_LINE_BYTES)
  const taken = { head: { seq: 1, hash: hashLine(longest) } }
  expect(takeLine(RECORD_START, message(longest))).toMatchObject(taken)
  const packed = message(deflateRawSync(longest), { 'Pw-Encoding': 'deflate', 'Pw-Hash': hashLine(longest) })
  expect(takeLine(RECORD_START, packed)).toMatchObject(taken)
})

const bomb = deflateRawSync(Buffer.alloc(8 * 1024 * 1024))
test.each([
  [
    'a line altered in transit',
    'altered',
    afterFirst,
    message(Buffer.from(second.toString('utf8').replace('two', 'owt')), { 'Pw-Hash': hashLine(second) }),
  ],
  [
    'a line replaced by another',
    'fork',
    afterFirst,
    message(line(2, hashLine(line(1, GENESIS_HASH, 'other')), 'two')),
  ],
  ['another line with the last number', 'fork', afterFirst, message(line(1, GENESIS_HASH, 'other'))],
  ['the last line again', 'replayed', afterFirst, message(first)],
  ['the line after the next', 'out-of-order', RECORD_START, message(second)],
  ['a line that is too long', 'oversized', RECORD_START, message(Buffer.alloc(1024 * 1024 + 1, 0x20))],
  [
    'a few bytes that decompress to millions',
    'oversized',
    RECORD_START,
    message(bomb, { 'Pw-Encoding': 'deflate' }),
  ],
  [
    'a line falsely marked as compressed',
    'oversized',
    RECORD_START,
    message(first, { 'Pw-Encoding': 'deflate' }),
  ],
  ['something that is not a line', 'not-a-line', RECORD_START, message(Buffer.from('{"seq":"1"}'))],
  ['an invalid hash', 'altered', RECORD_START, message(first, { 'Pw-Redacted': '1', 'Pw-Hash': '' })],
] as const)('refuses %s', (_what, refusal, known, given) => {
  expect(takeLine(known, given)).toMatchObject({ refusal })
})
