import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { harmlessJson, harmlessLine, harmlessText, withoutCommands } from './harmless.ts'

/** What our output must never contain, no matter who wrote it. */
const STEERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: -- these are what must not be left
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/u

const anyText = fc.string({ unit: 'binary', maxLength: 200 })
const nastyText = fc
  .array(
    fc.constantFrom(
      '\u001b[8m',
      '\u009b31m',
      '\u202e',
      '\u2066',
      '\u2028',
      '\r',
      '\n',
      '\t',
      '\ud800',
      'a',
      '\u{e0041}',
      '\ufeff',
    ),
  )
  .map((parts) => parts.join(''))

describe('text from outside', () => {
  it('contains no control characters, stays on one line and within its length', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, nastyText), fc.integer({ min: 1, max: 300 }), (text, max) => {
        const line = harmlessLine(text, max)
        expect(line).not.toMatch(STEERS)
        expect(line).not.toMatch(/[\n\t]/)
        expect(line.length).toBeLessThanOrEqual(max)
        const lines = harmlessText(text, max)
        expect(lines).not.toMatch(STEERS)
        expect(lines.length).toBeLessThanOrEqual(max)
        expect(harmlessLine(line, max)).toBe(line)
      }),
    )
  })

  it('reads the same in JSON, without control characters', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, nastyText), (text) => {
        const json = harmlessJson(JSON.stringify({ text }))
        expect(json).not.toMatch(STEERS)
        expect(JSON.parse(json)).toEqual({ text })
      }),
    )
  })

  it.each([
    ['plain words', 'Fixed 3 tests in src/a.ts'],
    ['other scripts', 'größe, 漢字, עברית, العربية'],
    ['joined emoji', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['letters that Persian keeps separate', 'می\u200cخواهم'],
  ])('leaves unchanged: %s', (_what, text) => {
    expect(harmlessLine(text)).toBe(text)
    expect(harmlessText(text)).toBe(text)
  })

  it('shows where something was removed', () => {
    expect(harmlessLine('a\u001b[8mb\u202ec\nd')).toBe('a [8mb\ufffdc d')
    expect(harmlessText('a\r\nb\u202e')).toBe('a\nb\ufffd')
  })

  it('contains no command for a workflow’s runner, wherever it begins', () => {
    const parts = fc.constantFrom('::', ':', '##[', '#', '[', ' ', '\t', '\n', 'add-mask', ']', 'a')
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 20 }), (text) => {
        expect(withoutCommands(text.join(''))).not.toMatch(/^\s*::|##\[/m)
      }),
    )
    expect(withoutCommands('std::vector: a ::b')).toBe('std::vector: a ::b')
  })
})
