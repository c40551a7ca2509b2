import { describe, expect, test } from 'vitest'
import type { BaseDifference } from '../custody/baseline-difference.ts'
import type { TestReport } from '../reports/test-report.ts'
import { EMPTY_DIFFERENCE } from '../verification/types.ts'
import type { PastAttempt } from './case.ts'
import type { WorkJudgement } from './judgement.ts'
import type { AnswerTypes, QuestionOf } from './questions.ts'
import { play, task, work } from './testing/play.ts'

/*
 * The operator changed a test, but its fixture is still as verified work left it, so the baseline's files don't pass
 * together.
 */

const TESTS = 'tests/cut.test.mjs'
const VERIFY = 'tests.failed == 0'
const NAMES = ['cuts a line', 'writes a tab', 'cuts words']
const TAB = ['writes a tab']

function measured(failed: readonly string[]): AnswerTypes['measurement'] {
  const now = report(failed)
  const { passed, skipped, executed, total } = now
  const value = { passed, failed: now.failed, skipped, executed, total }
  return {
    probes: [{ kind: 'value', name: 'tests', value, report: now }],
    expression: { kind: 'value', holds: now.failed === 0 },
  }
}

function report(failed: readonly string[]): TestReport {
  const passed = NAMES.filter((name) => !failed.includes(name))
  const counts = { passed: passed.length, failed: failed.length, skipped: 0 }
  const all = { passed, failed, skipped: [] }
  return { ...counts, executed: NAMES.length, total: NAMES.length, names: all, areNamesCut: false }
}

function differing(path: string, change: Partial<BaseDifference> = {}): BaseDifference {
  return { path, kind: 'modified', isProtected: true, executedBy: [], attemptId: null, ...change }
}

const EARLIER: PastAttempt = {
  ...{ attemptId: 'a-0', taskId: 'other', seq: 7, startedAt: '2026-03-01T10:00:00.000Z' },
  ...{ verdict: 'verified', fault: null, overruled: null, review: null },
}
const FIXTURE = differing('tests/fixtures/tabs.mjs', { kind: 'added', attemptId: 'a-0' })

/** What failed at each time and place. */
interface Told {
  readonly redInTree?: readonly string[]
  readonly redInBaseline?: readonly string[]
  /** With the work and the baseline's tests. */
  readonly inRoom?: readonly string[]
  /** With the work and the tests as they were right before it. */
  readonly withTestsBefore?: readonly string[]
  readonly differences?: readonly BaseDifference[]
  readonly earlier?: PastAttempt
}

function judge({
  redInTree = [],
  redInBaseline = TAB,
  inRoom = TAB,
  withTestsBefore = [],
  differences = [differing(TESTS), FIXTURE],
  earlier = EARLIER,
}: Told): WorkJudgement {
  const subject = work(VERIFY, {
    task: task(VERIFY, { before: measured(redInTree) }),
    difference: { ...EMPTY_DIFFERENCE, modified: ['src/cut.mjs', TESTS] },
    differences,
    history: { ...work(VERIFY).history, attempts: [earlier] },
  })
  return play<WorkJudgement>(subject, {
    measurement: ({ setting: { room, earlier: moment } }: QuestionOf<'measurement'>) => {
      if (moment !== null) return measured(withTestsBefore)
      return measured(room === null || room.length === 0 ? [] : inRoom)
    },
    evaluation: ({ readings }) => ({
      kind: 'value',
      holds: readings.every((one) => one.kind === 'value' && one.report?.failed === 0),
    }),
    room: { kind: 'ready' },
    'baseline-reports': new Map([['probe tests', report(redInBaseline)]]),
    stamps: ({ files }) => files.map(() => 'abc'),
  }).judged
}

describe('baseline files that did not pass together before the work', () => {
  test.each<[string, Told]>([
    ['with tests that it changed too', {}],
    ['without a change to tests', { differences: [FIXTURE] }],
  ])('are no evidence against an honest agent whose work passes %s', (_how, told) => {
    const expected = { verdict: 'verified', held: null, points: 10, allowed: [], turnedGreen: new Map() }
    expect(judge(told)).toMatchObject(expected)
  })

  test.each<[string, Told]>([
    ['breaks something that passed there', { inRoom: [...TAB, 'cuts words'] }],
    ['passes only with its own tests', { withTestsBefore: ['cuts words'] }],
    ['was asked to fix what was red in the tree', { redInTree: TAB }],
    ['breaks what was green in the baseline', { redInBaseline: [] }],
    ['goes on with what was not verified', { earlier: { ...EARLIER, verdict: 'unclear' } }],
    ['left all of them itself', { differences: [differing(TESTS)] }],
  ])('hold an agent that %s', (_what, told) => {
    expect(judge(told)).toMatchObject({ verdict: 'unclear', held: { because: 'clean-room' } })
  })
})
