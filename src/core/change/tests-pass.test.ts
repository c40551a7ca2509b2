import { describe, expect, it } from 'vitest'
import { holdClaims } from './claims.ts'
import { readDescription } from './description.ts'
import type { MeasuredChange } from './measured-change.ts'

/** A suite in which three of five tests pass. */
const RED_SUITE: MeasuredChange = {
  ...{ changes: [], renamed: [], isFileNow: () => false, isFileBefore: () => false, endingIn: () => [] },
  ...{ touched: new Set(), isIgnored: () => false, isTestFile: () => false },
  tests: { removed: [], skipped: [], added: [], renamed: [] },
  suite: { passed: 3, failed: 2, executed: 5, failing: ['d', 'e'], added: [] },
  ...{ isGreen: false, commands: new Map([['npm test', false]]) },
  ...{ readings: [], probeNames: [], boxes: new Map() },
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
    'Fixed rounding. `npm test` passes.',
    '`npm test` is green',
    'All checks pass.',
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
    'Merge this once `npm test` passes.',
    'If `npm test` passes, merge it.',
    'Acceptance:\n\n- `npm test` passes\n- all checks pass\n',
    '`npm run lint` passes.',
    '`npm test` passes with `--watch`.',
    'Does `npm test` pass? `npm test` passes?',
    'Do all checks pass?',
    'It fails until all checks pass in CI.',
  ])('does not contradict %j', (text) => {
    expect(contradicted(text)).toBe(false)
  })
})

it('confirms a check by its name, and leaves an unmeasured one unread', () => {
  const green = { ...RED_SUITE, suite: null, isGreen: true, commands: new Map([['npm test', true]]) }
  const equal = (text: string) => holdClaims(readDescription(text), green).map((claim) => claim.equal)
  expect(equal('Rounds down. `npm test` passes.')).toEqual([true])
  expect(equal('All checks pass.')).toEqual([true])
  expect(equal('`npm run lint` passes.')).toEqual([])
})
