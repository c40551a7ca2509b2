import { mkdir, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { peekSeq } from './line.ts'
import { readLineGroups, readLines, segmentPath } from './segments.ts'
import { type TemporaryLedger, temporaryLedger } from './testing/temporary-ledger.ts'

let files: TemporaryLedger

beforeEach(async () => {
  files = await temporaryLedger()
  await mkdir(files.ledgerDirectory, { recursive: true })
})
afterEach(() => files.remove())

interface Place {
  readonly seq: number | null
  readonly start: number
  readonly end: number
}

test.each([
  ['a line', '{"seq":42,"at":"x"}', 42],
  ['a line with the longest number', '{"seq":123456789012345,"at":"x"}', 123456789012345],
  ['a line with a number that is too long', '{"seq":1234567890123456,"at":"x"}', null],
  ['a line without a number', '{"seq":,"at":"x"}', null],
  ['a line with a fraction', '{"seq":1.5,"at":"x"}', null],
  ['a line with a negative number', '{"seq":-1,"at":"x"}', null],
  ['a truncated line', '{"seq":4', null],
  ['a line in another order', '{"at":"x","seq":42}', null],
  ['an empty line', '', null],
])('reads the number at the start of %s, alone and among others', (_, line, seq) => {
  expect(peekSeq(Buffer.from(line))).toBe(seq)
  const among = Buffer.from(`{"seq":7,"x":1}\n${line}\n,{"seq":8,"x":1}`)
  expect(peekSeq(among, 16, 16 + line.length)).toBe(seq)
})

test('skips lines or passes them on in order, wherever a chunk ends', async () => {
  const line = fc.record({
    /** `null`: a broken line. */
    seq: fc.option(fc.nat(20)),
    filling: fc.constantFrom(0, 1, 100, 50_000, 400_000, 1_200_000),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      fc.boolean(),
      fc.boolean(),
      async (given, isPacked, isCut) => {
        const text = given.map(
          ({ seq, filling }) => `${seq === null ? '' : `{"seq":${seq},`}${'x'.repeat(filling)}\n`,
        )
        const bytes = Buffer.from(isCut ? text.join('').slice(0, -1) : text.join(''))
        await writeFile(segmentPath(files.ledgerDirectory, 1), bytes)
        const all: Place[] = []
        for await (const { bytes: line, start, end } of readLines(files.ledgerDirectory, 1)) {
          all.push({ seq: peekSeq(line), start, end })
        }
        await files.remove()
        await mkdir(files.ledgerDirectory, { recursive: true })
        const path = segmentPath(files.ledgerDirectory, 1)
        await writeFile(isPacked ? `${path}.gz` : path, isPacked ? gzipSync(bytes) : bytes)
        const seen: Place[] = []
        const passOver = (chunk: Buffer, start: number, end: number, next: number): boolean => {
          const seq = peekSeq(chunk, start, end)
          if (seq === null || seq > 10) return false
          seen.push({ seq, start: next - (end + 1 - start), end: next })
          return true
        }
        for await (const lines of readLineGroups(files.ledgerDirectory, 1, passOver)) {
          for (const { bytes: line, number, start, end } of lines) {
            expect(number).toBe(seen.length + 1)
            seen.push({ seq: peekSeq(line), start, end })
          }
        }
        expect(seen).toEqual(all)
      },
    ),
    { seed: 12, numRuns: 60 },
  )
})
