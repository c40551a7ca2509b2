import { expect, test } from 'vitest'
import type { BaseDifference } from '../custody/baseline-difference.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from '../verification/types.ts'
import type { WorkJudgement } from './judgement.ts'
import { type AnswerTable, holding, play, work } from './testing/play.ts'

/*
 * Tests that change together with a renamed source, as a table. The check fails with the baseline's tests, because they
 * import the old name.
 */

const TEST: BaseDifference = {
  path: 'test/cart.test.js',
  kind: 'modified',
  isProtected: true,
  executedBy: [],
  attemptId: null,
  lines: { removed: ["import '../src/cart.js'"], added: ["import '../src/basket.js'"] },
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
