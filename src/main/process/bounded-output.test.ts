import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBoundedOutput } from './bounded-output.ts'

function collect(chunks: readonly Uint8Array[], maxBytes: number) {
  const output = createBoundedOutput(maxBytes)
  for (const chunk of chunks) output.write(Buffer.from(chunk))
  return output.read()
}

describe('createBoundedOutput', () => {
  it('keeps a short text in full', () => {
    expect(collect([Buffer.from('all '), Buffer.from('of it')], 100)).toEqual({
      text: 'all of it',
      omittedBytes: 0,
    })
  })

  it('keeps exactly as much as the limit without a gap', () => {
    expect(collect([Buffer.from('12345678')], 8)).toEqual({ text: '12345678', omittedBytes: 0 })
  })

  it('keeps a quarter from the start and the rest from the end, and says how much is missing', () => {
    expect(collect([Buffer.from('AAbbbbbbbbbbCCCCCC')], 8)).toEqual({
      text: 'AA\n[… 10 bytes left out …]\nCCCCCC',
      omittedBytes: 10,
    })
  })

  it('keeps head and tail of anything, however it is split into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{0,20}$/)),
        fc.integer({ min: 4, max: 60 }),
        (texts, maxBytes) => {
          const whole = texts.join('')
          const { text, omittedBytes } = collect(
            texts.map((one) => Buffer.from(one)),
            maxBytes,
          )
          const head = Math.floor(maxBytes / 4)
          const omitted = Math.max(0, whole.length - maxBytes)
          expect(omittedBytes).toBe(omitted)
          expect(text).toBe(
            omitted === 0
              ? whole
              : `${whole.slice(0, head)}\n[… ${omitted} bytes left out …]\n${whole.slice(head - maxBytes)}`,
          )
        },
      ),
    )
  })

  it('never splits a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.integer({ min: 8, max: 40 }),
        (unit, maxBytes) => {
          const whole = Buffer.from(unit.repeat(20))
          fc.pre(!whole.toString().includes('\uFFFD'))
          const { text, omittedBytes } = collect([whole], maxBytes)
          expect(text).not.toContain('\uFFFD')
          const kept = Buffer.byteLength(text.replace(/\n\[… \d+ bytes left out …\]\n/, ''))
          expect(kept + omittedBytes).toBe(whole.length)
        },
      ),
    )
  })

  it('accepts bytes that are not text', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), fc.integer({ min: 1, max: 50 }), (chunks, maxBytes) => {
        const { omittedBytes } = collect(chunks, maxBytes)
        const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
        expect(omittedBytes).toBeGreaterThanOrEqual(Math.max(0, total - maxBytes))
        expect(omittedBytes).toBeLessThanOrEqual(Math.max(0, total - maxBytes) + 6)
      }),
    )
  })
})
