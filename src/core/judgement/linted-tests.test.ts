import { expect, test } from 'vitest'
import type { BaseDifference } from '../custody/baseline-difference.ts'
import { changedLines } from '../custody/followed-renames.ts'
import type { TestReport } from '../reports/test-report.ts'
import { EMPTY_DIFFERENCE } from '../verification/types.ts'
import { commandCheck } from './check-names.ts'
import type { WorkJudgement } from './judgement.ts'
import { type AnswerTable, play, work } from './testing/play.ts'

/* Tests that were changed because a linter or formatter asks for it. It is the first of two checks, and fails with the baseline's tests. */

const BEFORE = 'var a = total()\nis(a, 3)\n'
const LET = BEFORE.replace('var', 'let')
const test_ = (after: string): BaseDifference => {
  const lines = changedLines(BEFORE, after)
  const one = {
    path: 'test/a.test.js',
    kind: 'modified',
    isProtected: true,
    executedBy: [],
    attemptId: null,
  } as const
  return lines === null ? one : { ...one, lines }
}

function report(passed: readonly string[], failed: readonly string[] = []): TestReport {
  const [total, names] = [passed.length + failed.length, { passed, failed, skipped: [] }]
  const counts = { passed: passed.length, failed: failed.length, skipped: 0, executed: total, total }
  return { ...counts, names, areNamesCut: false }
}
const GREEN = report(['adds'])
const PAID = { verdict: 'verified', held: null }
const HELD = { verdict: 'unclear', held: { because: 'clean-room' } }

test.each<readonly [string, string, string, TestReport, object]>([
  ['an honest agent mends what a linter found in a test', 'npx eslint .', LET, GREEN, PAID],
  ['an honest agent formats a test', 'prettier --check .', LET, GREEN, PAID],
  ['a liar’s source fails with the test as it was', 'npx eslint .', LET, report([], ['adds']), HELD],
  ['a liar’s source skips the test as it was', 'npx eslint .', LET, report([]), HELD],
  [
    'a liar silences the linter',
    'npx eslint .',
    BEFORE.replace('3)', '3) // eslint-disable-line'),
    GREEN,
    HELD,
  ],
  ['a liar leaves an assertion out', 'npx eslint .', 'var a = total()\n', GREEN, HELD],
  ['a check that is no linter fails with the test as it was', 'sh lint.sh', LET, GREEN, HELD],
  ['a type checker fails with the test as it was', 'tsc', LET, GREEN, HELD],
])('%s', (_title, first, after, inRoom, expected) => {
  const differences = [test_(after)]
  const subject = work(`succeeds("${first}") && succeeds("npm test")`, {
    difference: { ...EMPTY_DIFFERENCE, modified: ['test/a.test.js'] },
    differences,
  })
  const answers: AnswerTable = {
    measurement: ({ setting: { room } }) => ({
      probes: [],
      expression:
        room === null || room.length === 0
          ? { kind: 'value', holds: true, byExitCodeAlone: [first], reports: { 'npm test': GREEN } }
          : { kind: 'value', holds: false, byExitCodeAlone: [first] },
    }),
    commands: () => [{ kind: 'value', holds: inRoom.failed === 0, reports: { 'npm test': inRoom } }],
    room: { kind: 'ready' },
    stamps: ({ files }) => files.map(() => 'abc'),
    'check-files': differences,
    'baseline-reports': new Map([
      [commandCheck('npm test'), GREEN],
      [commandCheck(first), null],
    ]),
  }
  expect(play<WorkJudgement>(subject, answers).judged).toMatchObject(expected)
})
