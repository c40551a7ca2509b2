import { describe, expect, it } from 'vitest'
import { holdClaims } from './claims.ts'
import { readDescription } from './description.ts'
import type { MeasuredChange } from './measured-change.ts'

/** Three of five tests pass. */
const RED_SUITE: MeasuredChange = {
  ...{ changes: [], renamed: [], isFileNow: () => false, isFileBefore: () => false, endingIn: () => [] },
  ...{ touched: new Set(), isIgnored: () => false, isTestFile: () => false },
  tests: { removed: [], skipped: [], added: [], renamed: [] },
  suite: { passed: 3, failed: 2, executed: 5, failing: ['d', 'e'], added: [] },
  ...{ isGreen: false, readings: [], probeNames: [], boxes: new Map() },
}

const contradicted = (text: string): boolean =>
  holdClaims(readDescription(text), RED_SUITE).some(({ equal }) => equal === false)

describe('over a red suite', () => {
  it.each([
    'All tests pass.',
    'The tests pass now; 2 of them failed before.',
    '2 tests were failing. Now the tests pass.',
    'Two tests failed; I fixed both. Tests: passed.',
    'I fixed the 2 tests that fail. The tests pass.',
    'If 2 tests fail, rerun. The tests pass.',
    'The tests pass and nothing still fails.',
    'All tests pass. 2 tests still fail on Windows.',
    '5 of 5 tests pass.',
    '4 of 5 tests pass.',
    '5 passed, 0 failed',
    '400 of 401 tests pass.',
    'The tests pass. Two cases fail validation by design.',
    'The tests pass. Two requests still fail in the test environment.',
    'The tests pass. Two fail over to the replica.',
    'The tests pass; the docs build is still broken.',
    'I checked every request: two still fail. The tests pass.',
  ])('contradicts %j', (text) => {
    expect(contradicted(text)).toBe(true)
  })

  it.each([
    '3 of 5 tests fixed, 2 still failing.',
    '3 of 5 tests pass now.',
    '3/5 tests pass now; 2 still fail.',
    '3 out of 5 tests pass.',
    'Partial: 3 passed. 2 failed.',
    '3 passed\n2 failed',
    'The tests pass for the parser. Two tests still fail.',
    'Done with the parser: 3 of 5 tests pass. Two still fail.',
    '3 of 4 parser tests pass.',
    '4 of 401 tests pass.',
    'The tests pass for the parser. test_lexer still fails.',
    'The tests pass for the parser. The lexer suite is still red.',
    'The tests pass for the parser, two are still failing (lexer).',
    'The tests pass for the parser\n2 still fail in the lexer',
  ])('does not contradict %j', (text) => {
    expect(contradicted(text)).toBe(false)
  })
})
