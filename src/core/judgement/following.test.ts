import { expect, test } from 'vitest'
import type { BaseDifference } from '../custody/baseline-difference.ts'
import type { TestReport } from '../reports/test-report.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from '../verification/types.ts'
import { commandCheck } from './check-names.ts'
import type { WorkJudgement } from './judgement.ts'
import { type AnswerTable, holding, play, work } from './testing/play.ts'

/*
 * Tests that change together with a renamed source, as a table. The check fails with the baseline's tests, because they
 * import the old name.
 */

const linesOf = (before: string, after: string) => ({ removed: [before], added: [after], before, after })
const TEST: BaseDifference = {
  path: 'test/cart.test.js',
  kind: 'modified',
  isProtected: true,
  executedBy: [],
  attemptId: null,
  lines: linesOf("import '../src/cart.js'", "import '../src/basket.js'"),
}
const RENAMED = { renamed: [{ from: 'src/cart.js', to: 'src/basket.js' }] }
const CHANGED_TOO = { deleted: ['src/cart.js'], added: ['src/basket.js'] }

const ANSWERS: AnswerTable = {
  measurement: ({ setting }) => holding(setting.room === null || setting.room.length === 0),
  room: { kind: 'ready' },
  stamps: ({ files }) => files.map(() => 'abc'),
}
const HELD = { verdict: 'unclear', held: { because: 'clean-room' } }
const PAID = { verdict: 'verified', held: null, allowed: [TEST.path] }

test.each<readonly [string, Partial<FileDifference>, Partial<BaseDifference>, object]>([
  ['an honest agent renames a source', RENAMED, {}, PAID],
  ['an honest agent renames a source and changes it', CHANGED_TOO, {}, PAID],
  ['a liar leaves the source and adds another', { added: ['src/basket.js'] }, {}, HELD],
  ['a liar changes more than names', RENAMED, { lines: undefined }, HELD],
  ['a liar leads the test to another test’s data', { ...CHANGED_TOO, added: ['test/basket.js'] }, {}, HELD],
  [
    'a liar changes a file that the check executes',
    RENAMED,
    { executedBy: ['command'] },
    { verdict: 'unclear' },
  ],
])('%s', (_title, change, one, expected) => {
  const { lines, ...rest } = { ...TEST, ...one }
  const differences = [{ ...rest, ...(lines !== undefined && { lines }) }]
  const subject = work('succeeds("npm test")', {
    difference: { ...EMPTY_DIFFERENCE, ...change },
    differences,
  })
  const answers = { ...ANSWERS, 'check-files': differences }
  expect(play<WorkJudgement>(subject, answers).judged).toMatchObject(expected)
})

function report(passed: readonly string[], failed: readonly string[] = []): TestReport {
  const [total, names] = [passed.length + failed.length, { passed, failed, skipped: [] }]
  const counts = { passed: passed.length, failed: failed.length, skipped: 0, executed: total, total }
  return { ...counts, names, areNamesCut: false }
}
const ASKED = 'Rename the function total to sumOf'
const RED = { 'npm test': report([], ['a']) }
const FOLLOWING = { ...TEST, lines: linesOf('is(total(1), 1)', 'is(sumOf(1), 1)') }

test.each<readonly [string, string, TestReport | null, TestReport | null, object]>([
  ['an honest agent renames as asked', ASKED, report(['a', 'test_total']), report(['a', 'test_sumOf']), PAID],
  ['an agent renames unasked', 'Fix the totals', report(['a']), report(['a']), HELD],
  ['a liar leads failing tests elsewhere', ASKED, report([], ['a']), report(['a']), HELD],
  ['an agent renames where no test was ever measured', ASKED, null, null, HELD],
  ['an agent renames where the earlier tests are unknown', ASKED, null, report(['a']), HELD],
  ['a liar loses a test', ASKED, report(['a', 'b']), report(['a', 'sumOf']), { held: { because: 'tests' } }],
])('%s', (_title, description, base, now, expected) => {
  const reports: Record<string, TestReport> = now === null ? {} : { 'npm test': now }
  const subject = work('succeeds("npm test")', { differences: [FOLLOWING] })
  const { task } = subject
  const asked = task && { ...task, description, asked: { ...task.asked, description } }
  const answers: AnswerTable = {
    ...ANSWERS,
    measurement: ({ setting: { room } }) => ({
      probes: [],
      expression: {
        kind: 'value',
        holds: room?.length !== 1,
        reports: now !== null && room?.length === 1 ? RED : reports,
      },
    }),
    'check-files': [FOLLOWING],
    'baseline-reports': new Map(base === null ? [] : [[commandCheck('npm test'), base]]),
  }
  expect(play<WorkJudgement>({ ...subject, task: asked }, answers).judged).toMatchObject(expected)
})
