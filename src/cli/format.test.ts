import { describe, expect, it } from 'vitest'
import { clockTime, columns, duration, signed, verdictGlyph } from './format.ts'

describe('human-readable output', () => {
  it.each([
    [10, '+10'],
    [-45, '−45'],
    [0, '0'],
  ])('shows %i points as %s', (points, text) => expect(signed(points)).toBe(text))

  it.each([
    [0, '0 s'],
    [41_400, '41 s'],
    [600_000, '10 min'],
    [3_723_000, '1 h 2 min 3 s'],
  ])('shows %i ms as %s', (milliseconds, text) => expect(duration(milliseconds)).toBe(text))

  it.each([
    ['≠', { verdict: 'not_verified', groundTruthContradiction: true, fault: 'agent' }],
    ['✓', { verdict: 'verified', groundTruthContradiction: false, fault: null }],
    ['✕', { verdict: 'not_verified', groundTruthContradiction: false, fault: 'agent' }],
    ['?', { verdict: 'unclear', groundTruthContradiction: false, fault: 'contract' }],
    ['⏻', { verdict: null, groundTruthContradiction: false, fault: 'environment' }],
    ['–', { verdict: null, groundTruthContradiction: false, fault: null }],
  ] as const)('shows %s for %j', (glyph, attempt) => expect(verdictGlyph(attempt).glyph).toBe(glyph))

  it('makes columns as wide as their longest cell', () => {
    expect(
      columns([
        ['a', 'long', ''],
        ['abc', 'x', 'end'],
      ]),
    ).toEqual(['a    long', 'abc  x     end'])
    expect(columns([])).toEqual([])
  })

  it('shows the date only for another day', () => {
    const noon = new Date(2026, 0, 31, 12)
    expect(clockTime(new Date(2026, 0, 31, 14, 5).toISOString(), noon.getTime())).toBe('14:05')
    expect(clockTime(new Date(2026, 1, 1, 9, 30).toISOString(), noon.getTime())).toBe('2026-02-01 09:30')
  })
})
