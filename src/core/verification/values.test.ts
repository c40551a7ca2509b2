import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../claims/types.ts'
import type { ProbeReading } from './types.ts'
import {
  compareValues,
  leafPaths,
  readingFor,
  reportInWords,
  showValue,
  type ValueRelation,
  valueAt,
  valuesAgree,
} from './values.ts'

const RELATIONS: readonly (readonly [JsonValue, JsonValue, ValueRelation])[] = [
  [3, 3, 'agrees'],
  [3, 0, 'differs'],
  ['3', 3, 'agrees'],
  [3, '3', 'agrees'],
  [' 3.0 ', 3, 'agrees'],
  ['3', '3.00', 'agrees'],
  ['1,000', 1000, 'agrees'],
  ['1 000 000', 1_000_000, 'agrees'],
  ['1_000', 1000, 'agrees'],
  ['1.000', 1000, 'agrees'],
  ['1.000', 1, 'agrees'],
  ['1,000', 1001, 'differs'],
  ['1,234', 1.234, 'agrees'],
  ['1,234', 1.235, 'differs'],
  ['1,234,567', 1_234_567, 'agrees'],
  ['1,234,567', 1.234567, 'differs'],
  ['1.234.567', 1_234_567, 'agrees'],
  ['1.234,56', 1234.56, 'agrees'],
  ['1 234,5', 1234.5, 'agrees'],
  ['0,75', 0.75, 'agrees'],
  ['0,75', 0.5, 'differs'],
  ['1,234 lines', 1234, 'agrees'],
  ["1'234", 1234, 'agrees'],
  ['1\u202f234', 1234, 'agrees'],
  ['1 234', 234, 'differs'],
  ['3 emails', 3, 'agrees'],
  ['3 emails', 0, 'differs'],
  ['3.', 3, 'agrees'],
  ['3 of 5', 3, 'incomparable'],
  ['2026-11-21', 2026, 'incomparable'],
  ['85%', 85, 'agrees'],
  ['85%', 0.85, 'incomparable'],
  ['1.5 GB', 1_500_000_000, 'incomparable'],
  ['three', 3, 'incomparable'],
  ['about 3', 3, 'incomparable'],
  ['checked', 3, 'incomparable'],
  ['0x3', 3, 'incomparable'],
  ['', 0, 'incomparable'],
  [0.1 + 0.2, 0.3, 'agrees'],
  [1_000_000_000, 1_000_000_001, 'agrees'],
  [1_000_000_000, 1_000_000_002, 'differs'],
  [1e-12, 2e-12, 'differs'],
  [0, 1e-300, 'differs'],
  [-0, 0, 'agrees'],
  [true, true, 'agrees'],
  ['true', true, 'agrees'],
  ['TRUE', true, 'agrees'],
  [true, 'false', 'differs'],
  [true, 1, 'incomparable'],
  [true, 0, 'incomparable'],
  [1, true, 'incomparable'],
  ['passed', true, 'incomparable'],
  ['yes', true, 'agrees'],
  ['Yes', false, 'differs'],
  ['no', false, 'agrees'],
  [3, '3 emails', 'agrees'],
  [3, '0 emails', 'differs'],
  ['3', '3 emails', 'agrees'],
  [3, 'see the log', 'incomparable'],
  [1_500_000_000, '1.5 GB', 'incomparable'],
  ['3 emails', '3 mails', 'differs'],
  [1234, '1,234', 'agrees'],
  [' green\n', 'green', 'agrees'],
  ['Green', 'green', 'incomparable'],
  // Digits and notations of other scripts and languages.
  ['３', 3, 'agrees'],
  ['４', 3, 'differs'],
  ['٣', 3, 'agrees'],
  ['3封邮件', 3, 'agrees'],
  ['5封邮件', 3, 'differs'],
  ['3万', 30_000, 'incomparable'],
  ['85,5 %', 85.5, 'agrees'],
  ['95,5 Punkte', 85.5, 'differs'],
  ['1.234 Dateien', 1234, 'agrees'],
  ['1.235 Dateien', 1234, 'differs'],
  ['1\u202f234,5 km', 1234.5, 'agrees'],
  ['5²', 52, 'incomparable'],
  ['−3', -3, 'agrees'],
  [-3, '−3 degrees', 'agrees'],
  ['−3', 3, 'differs'],
  [null, null, 'agrees'],
  [null, 3, 'incomparable'],
  [3, null, 'differs'],
  ['green', null, 'differs'],
  ['null', null, 'incomparable'],
  ['none', null, 'incomparable'],
  ['N/A', null, 'incomparable'],
  ['', null, 'incomparable'],
  [[1, 2], [1, '2'], 'agrees'],
  [[1, 2], [2, 1], 'differs'],
  [[1], [1, 2], 'differs'],
  [[], [], 'agrees'],
  [{ passed: 3 }, { passed: 3, total: 4 }, 'agrees'],
  [{ passed: 4 }, { passed: 3, total: 4 }, 'differs'],
  [{ passed: 3, note: 'all good' }, { passed: 3 }, 'incomparable'],
  [{ passed: 4, note: 'all good' }, { passed: 3 }, 'differs'],
  [{}, { passed: 3 }, 'incomparable'],
  [12, { passed: 12 }, 'incomparable'],
  [{ passed: 12 }, 12, 'incomparable'],
  [[1], { 0: 1 }, 'incomparable'],
  [{ toString: 1 }, {}, 'incomparable'],
]

describe('comparing a claimed value with a measured one', () => {
  it.each(RELATIONS)('compares claimed %j with measured %j: %s', (claimed, measured, relation) => {
    expect(compareValues(claimed, measured)).toBe(relation)
    expect(valuesAgree(claimed, measured)).toBe(relation === 'agrees')
  })

  it.each<[JsonValue, number, ValueRelation]>([
    [1.05, 0.1, 'agrees'],
    [1.2, 0.1, 'differs'],
    // At the limit: in floating point, 1.1 is slightly more than 0.1 away from 1.
    [1.1, 0.1, 'agrees'],
    [0.9, 0.1, 'agrees'],
    [1.01, 0.01, 'agrees'],
    [1.0101, 0.01, 'differs'],
    ['1.05 points', 0.1, 'agrees'],
  ])('compares claimed %j, with a tolerance of %d, with 1: %s', (claimed, tolerance, relation) => {
    expect(compareValues(claimed, 1, tolerance)).toBe(relation)
  })

  it('finds that every JSON value but an empty object agrees with itself (seed 2)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as JsonValue
        fc.pre(!JSON.stringify(json).includes('{}'))
        expect(compareValues(json, json)).toBe('agrees')
      }),
      { seed: 2 },
    )
  })
})

describe('the value at a path', () => {
  it.each<[JsonValue, string[], JsonValue | undefined]>([
    [{ a: { b: 3 } }, ['a', 'b'], 3],
    [{ a: [1, 2] }, ['a', '0'], 1],
    [[{ x: 1 }], ['0', 'x'], 1],
    [{ a: 1 }, [], { a: 1 }],
    [{ a: null }, ['a'], null],
    [{ a: 1 }, ['b'], undefined],
    [{ a: 1 }, ['a', 'b'], undefined],
    [[1], ['1'], undefined],
    [[1], ['length'], undefined],
    [{}, ['constructor'], undefined],
    ['text', ['0'], undefined],
  ])('of %j at %j is %j', (value, path, expected) => {
    expect(valueAt(value, path)).toEqual(expected)
  })
})

describe('the reading that a claimed name refers to', () => {
  const readings: ProbeReading[] = [
    { kind: 'value', name: 'tests', value: { passed: 3 } },
    { kind: 'value', name: 'tests.slow', value: 7 },
    { kind: 'unreadable', name: 'broken', reason: 'exit 1', configured: true },
    { kind: 'unreadable', name: 'ghost', reason: 'no such probe', configured: false },
  ]

  it.each([
    ['tests', 'tests', []],
    ['tests.passed', 'tests', ['passed']],
    ['tests.slow', 'tests.slow', []],
    ['tests.slow.max', 'tests.slow', ['max']],
    ['broken', 'broken', []],
  ])('for %s is %s with path %j', (name, probe, path) => {
    const match = readingFor(name, readings)
    expect(match?.reading.name).toBe(probe)
    expect(match?.path).toEqual(path)
  })

  it.each(['ghost', 'ghost.a', 'testsuite', 'other'])(
    'for %s is none, because no such probe is configured',
    (name) => {
      expect(readingFor(name, readings)).toBeUndefined()
    },
  )
})

it('shows strings as they are and everything else as JSON, and truncates long values', () => {
  expect(showValue('green')).toBe('green')
  expect(showValue({ a: [1, null] })).toBe('{"a":[1,null]}')
  expect(showValue('x'.repeat(500))).toHaveLength(120)
})

describe('leafPaths', () => {
  it.each<[JsonValue, readonly (readonly string[])[]]>([
    [3, [[]]],
    [null, [[]]],
    [{}, [[]]],
    [[], [[]]],
    [{ a: 1, b: { c: [true, {}] } }, [['a'], ['b', 'c', '0'], ['b', 'c', '1']]],
  ])('of %j', (value, expected) => {
    expect(leafPaths(value)).toEqual(expected)
  })

  it('stops at its maximum depth in endless nesting', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as JsonValue
    expect(leafPaths(deep)).toEqual([Array(10).fill('0')])
  })
})

it.each<[string, JsonValue, string | null]>([
  ['all passed', { passed: 2, failed: 0, skipped: 0, executed: 2, total: 2 }, '2 of 2 passed'],
  [
    'some failed and some were skipped',
    { passed: 1, failed: 1, skipped: 2, executed: 2, total: 4 },
    '1 of 4 passed, 1 failed, 2 skipped',
  ],
  ['nothing ran', { passed: 0, failed: 1, skipped: 0, executed: 0, total: 0 }, '0 of 0 passed, 1 failed'],
  [
    'JSON with other values next to the counts',
    { passed: 2, failed: 0, skipped: 0, executed: 2, total: 2, suite: 'x' },
    null,
  ],
  ['part of a report', { passed: 2, total: 2 }, null],
  ['a list', [2, 2], null],
  ['a number', 2, null],
])('shows the counts of a test report, and of nothing else: %s', (_title, value, words) => {
  expect(reportInWords(value)).toBe(words)
})
