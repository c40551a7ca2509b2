import { describe, expect, it } from 'vitest'
import { findTestRuns } from './prose-tests.ts'
import { type Claim, NO_CLAIM } from './types.ts'

function runsOf(output: string, claim: Partial<Claim> = {}) {
  return findTestRuns({ ...NO_CLAIM, ...claim }, output)
}

describe('a claimed test run', () => {
  it.each([
    'All tests pass.',
    'I fixed the parser. All 12 unit tests pass now.',
    'The test suite is green.',
    'Tests: passed',
    'Both tests are passing.',
    '**12/12 tests passed**',
    '- 4992 passed',
    'Tests pass and the linter is clean.',
  ])('reads "%s" as a passed run', (text) => {
    expect(runsOf(text)).toMatchObject([{ isPassed: true, command: null }])
  })

  it.each(['I ran the tests.', 'Executed the full test suite.', 'I re-ran all unit tests; 2 failed.'])(
    'reads "%s" as a run',
    (text) => {
      expect(runsOf(text)).toMatchObject([{ isPassed: false }])
    },
  )

  it.each([
    'The tests should pass now.',
    'I have not run the tests.',
    "The tests don't pass yet.",
    "I couldn't run the test suite.",
    'Once the tests pass, merge it.',
    'Please run the tests.',
    'You can check that all tests pass with `npm test`.',
    'All tests passed in CI.',
    'All tests passed before my change.',
    'All tests were already passing.',
    'I will run the tests next.',
    "I'll make sure the tests pass.",
    'I expect the tests to pass.',
    'No tests were run.',
    'I ran the test data through the parser.',
    'Wrote 12 tests.',
    'I added tests for empty input.',
    'The user says all tests pass.',
    'Do all tests pass?',
  ])('reads no run in "%s"', (text) => {
    expect(runsOf(text)).toEqual([])
  })

  it('is not a pass if some tests failed', () => {
    expect(runsOf('12 passed, 2 failed.')).toMatchObject([{ isPassed: false }])
    expect(runsOf('12 tests passed, 0 failed.')).toMatchObject([{ isPassed: true }])
  })

  it.each([
    ['`npm test`: 12 passed, 0 failed', true],
    ['`npm test`: 12 passed, 10 failed', false],
    ['`npm test`: failed, 0 passed', false],
  ])('reads evidence "%s" as a pass: %s', (item, isPassed) => {
    expect(runsOf('', { evidence: [item] })[0]).toMatchObject({ command: 'npm test', isPassed })
  })

  it('is read from the evidence of a report, with its command and result', () => {
    expect(runsOf('', { evidence: ['`npm test`: 12 passed', 'src/a.ts:1-3 the fix'] })).toEqual([
      { words: 'npm test: 12 passed', command: 'npm test', isPassed: true },
      { words: 'npm test : 12 passed', command: null, isPassed: true },
    ])
    expect(runsOf('', { evidence: ['npm run build → ok'] })).toEqual([])
    expect(runsOf('', { evidence: ['cargo test exited with code 101, 2 failed'] })).toMatchObject([
      { command: 'cargo test', isPassed: false },
    ])
  })

  it('is not read from code, plans and quotations', () => {
    expect(
      runsOf('```\nAll tests pass.\n```\n> All tests pass.\n\n## Next steps\n- All tests pass\n'),
    ).toEqual([])
  })

  it('has a limited number, however long the text', () => {
    const sentences = Array.from({ length: 5000 }, (_, index) => `All ${index + 1} tests pass.`).join('\n\n')
    expect(runsOf(sentences)).toHaveLength(20)
    expect(runsOf(`${'x'.repeat(200_000)} all tests pass `.repeat(3))).toHaveLength(0)
  })
})
