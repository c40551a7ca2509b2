import { expect, test } from 'vitest'
import type { BaseDifference } from '../custody/baseline-difference.ts'
import type { TestReport } from '../reports/test-report.ts'
import { EMPTY_DIFFERENCE } from '../verification/types.ts'
import { commandCheck } from './check-names.ts'
import type { WorkJudgement } from './judgement.ts'
import { type AnswerTable, play, work } from './testing/play.ts'

/*
 * Tests that move along with a renamed source, as a table: the names that run in place, with the baseline's tests instead of the moved
 * ones, and with the moved ones but nothing else of the agent's.
 */

const [FROM, TO, MORE] = ['test/cart.test.js', 'test/basket.test.js', 'test/more.test.js']
const BEFORE = "import { a } from '../src/cart.js'\ntest('adds', () => is(a(), 3))\n"
const AFTER = BEFORE.replace('cart.js', 'basket.js')
const guarded = (path: string, kind: BaseDifference['kind']): BaseDifference => ({
  path,
  kind,
  isProtected: true,
  executedBy: [],
  attemptId: null,
})
const moved = (after: string): readonly BaseDifference[] => [
  guarded(FROM, 'deleted'),
  { ...guarded(TO, 'added'), moved: { from: FROM, before: BEFORE, after } },
]
const RENAMED = { renamed: [{ from: 'src/cart.js', to: 'src/basket.js' }] }

function report(passed: readonly string[], failed: readonly string[] = []): TestReport {
  const [total, names] = [passed.length + failed.length, { passed, failed, skipped: [] }]
  const counts = { passed: passed.length, failed: failed.length, skipped: 0, executed: total, total }
  return { ...counts, names, areNamesCut: false }
}

interface Runs {
  readonly base: TestReport | null
  readonly inPlace: TestReport | null
  /** Without the moved tests. */
  readonly without: TestReport
  /** With the moved tests, and nothing else that was changed. */
  readonly only?: TestReport
  /** A check beside the tests that passes and reports nothing. */
  readonly beside?: string
}
const LOADS_NOT = 'test/cart.test.js'
const RUNS: Runs = {
  base: report(['adds', 'counts']),
  inPlace: report(['adds', 'counts']),
  without: report(['counts'], [LOADS_NOT]),
}
const WITH_MORE = [...moved(AFTER), guarded(MORE, 'added')]
const PAID = { verdict: 'verified', held: null, allowed: [FROM, TO] }
const HELD = { verdict: 'unclear', held: { because: 'clean-room' } }

test.each<readonly [string, readonly BaseDifference[], object, Runs, object]>([
  ['an honest agent moves a test with its source', moved(AFTER), RENAMED, RUNS, PAID],
  [
    'an honest agent moves a test that is named after its path',
    moved(AFTER),
    RENAMED,
    {
      base: report([`${FROM} adds`]),
      inPlace: report([`${TO} adds`]),
      without: report([], [LOADS_NOT]),
    },
    PAID,
  ],
  [
    'an honest agent adds a test too',
    WITH_MORE,
    RENAMED,
    { ...RUNS, inPlace: report(['adds', 'counts', 'more']), only: report(['adds', 'counts']) },
    PAID,
  ],
  ['an honest agent whose code is linted too', moved(AFTER), RENAMED, { ...RUNS, beside: 'eslint .' }, PAID],
  ['an agent whose check may run it unreported', moved(AFTER), RENAMED, { ...RUNS, beside: 'sh t.sh' }, HELD],
  ['a liar changes what the test expects', moved(AFTER.replace('3', '-3')), RENAMED, RUNS, HELD],
  [
    'a liar leaves the source and leads the test to a copy',
    moved(AFTER),
    { added: ['src/basket.js'] },
    RUNS,
    HELD,
  ],
  [
    'a liar moves it where no runner looks, and adds another of its name',
    WITH_MORE,
    RENAMED,
    { ...RUNS, only: report(['counts']) },
    HELD,
  ],
  [
    'a liar does so in a file that no rule protects',
    moved(AFTER),
    RENAMED,
    { ...RUNS, without: report(['adds', 'counts'], [LOADS_NOT]) },
    HELD,
  ],
  [
    'a liar moves it where no runner looks',
    moved(AFTER),
    RENAMED,
    { ...RUNS, inPlace: report(['counts']) },
    HELD,
  ],
  [
    'an agent moves a test that was never measured',
    moved(AFTER),
    RENAMED,
    { ...RUNS, base: null, inPlace: null },
    HELD,
  ],
])('%s', (_title, differences, change, { base, inPlace, without, only, beside }, expected) => {
  const value = (run: TestReport | null) => ({
    kind: 'value' as const,
    holds: run?.failed !== 1,
    ...(run !== null && { reports: { 'npm test': run } }),
    ...(beside !== undefined && { byExitCodeAlone: [beside] }),
  })
  const subject = work('succeeds("npm test")', {
    difference: { ...EMPTY_DIFFERENCE, ...change },
    differences,
  })
  const answers: AnswerTable = {
    measurement: ({ setting: { room } }) => {
      const isWithout = room?.includes(TO) === true
      const run = isWithout ? without : room?.length === 1 ? (only ?? inPlace) : inPlace
      return {
        probes: [],
        expression: inPlace === null && isWithout ? { kind: 'value', holds: false } : value(run),
      }
    },
    room: { kind: 'ready' },
    stamps: ({ files }) => files.map(() => 'abc'),
    'check-files': differences,
    'baseline-reports': new Map(base === null ? [] : [[commandCheck('npm test'), base]]),
  }
  expect(play<WorkJudgement>(subject, answers).judged).toMatchObject(expected)
})
