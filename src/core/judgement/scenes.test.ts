import { describe, expect, test } from 'vitest'
import { NO_CLAIM } from '../claims/types.ts'
import type { BaseDifference } from '../custody/baseline-difference.ts'
import { SUCCESS } from '../custody/reaching-signs.ts'
import type { TestReport } from '../reports/test-report.ts'
import {
  EMPTY_DIFFERENCE,
  type ExpressionResult,
  type GateResult,
  type PassesWithoutReport,
} from '../verification/types.ts'
import { NO_HISTORY, NO_RUN, type PastAttempt, type WorkCase } from './case.ts'
import { commandCheck } from './check-names.ts'
import type { WorkJudgement } from './judgement.ts'
import { next } from './next.ts'
import { type AnswerTypes, NO_ANSWERS, type Question, type QuestionOf, withAnswers } from './questions.ts'
import {
  type AnswerTable,
  GATE,
  gate,
  holding,
  POLICY,
  play,
  reading,
  task,
  unreadable,
  WITH_GATE,
  work,
} from './testing/play.ts'

/*
 * Liars and honest agents as tables: what is measured and what is decided. Each liar is followed by its honest double.
 */

interface Scene {
  readonly subject: WorkCase
  readonly answers: AnswerTable
  readonly expected: Partial<WorkJudgement> | { readonly held: { readonly because: string } }
  /** Questions in order; omitted if the scene doesn't test them. */
  readonly asks?: readonly string[]
}

const TESTS = 'succeeds("npm test")'
const RUN_TESTS = 'src/cart.test.mjs'

function differing(path: string, change: Partial<BaseDifference> = {}): BaseDifference {
  return { path, kind: 'modified', isProtected: true, executedBy: [], attemptId: null, ...change }
}

/** Returns work at a task in these words that adds a stub beside a source. */
function withStub(description: string): WorkCase {
  return work(TESTS, {
    task: task(TESTS, { asked: { id: 'fix', description, criteria: [], mayChange: [] } }),
    difference: { ...EMPTY_DIFFERENCE, added: ['src/cart.pyi'] },
    differences: [differing('src/cart.pyi', { kind: 'added' })],
  })
}

/** Returns measurements where the check passes in place, and in the clean room as `room` says. */
function inRoom(room: boolean, control = true): AnswerTable['measurement'] {
  return ({ setting }: QuestionOf<'measurement'>) =>
    holding(setting.room === null || (setting.room.length === 0 ? control : room))
}

type Names = Partial<TestReport['names']>

function report(names: Names): TestReport {
  const all = { passed: [], failed: [], skipped: [], ...names }
  const [passed, failed, skipped] = [all.passed.length, all.failed.length, all.skipped.length]
  return {
    passed,
    failed,
    skipped,
    executed: passed + all.failed.filter((name) => !name.startsWith('(')).length,
    total: passed + failed + skipped,
    names: all,
    areNamesCut: false,
  } as TestReport
}

function reported(names: Partial<TestReport['names']>): AnswerTypes['measurement'] {
  const now = report(names)
  const { passed, failed, skipped, executed, total } = now
  const value = { passed, failed, skipped, executed, total }
  return {
    probes: [{ kind: 'value', name: 'tests', value, report: now }],
    expression: { kind: 'value', holds: now.failed === 0 },
  }
}

/** Returns the same for `succeeds("npm test")`. */
function byCommand(names: Partial<TestReport['names']>): AnswerTypes['measurement'] {
  const now = report(names)
  return {
    probes: [],
    expression: { kind: 'value', holds: now.failed === 0, reports: { 'npm test': now } },
  }
}

const READY = { kind: 'ready' } as const
const started = { ...NO_RUN, startMarkMs: 1000 }

const CHANGED_AND_GREEN = 'changed("src/cart.mjs") && succeeds("npm test")'
const NOT_CHANGED = holding(false)

function taskOf(verify: string, description: string, before: AnswerTypes['measurement']) {
  const usual = task(verify, { before })
  return { ...usual, description, asked: { ...usual.asked, description } }
}

function claiming(path: string): WorkCase['claim'] {
  return { ...NO_CLAIM, status: 'done', files: [{ path }], source: 'report' }
}

const past: PastAttempt = {
  attemptId: 'a-0',
  taskId: 'fix',
  seq: 7,
  startedAt: '2026-03-01T10:00:00.000Z',
  verdict: 'unclear',
  fault: 'contract',
  overruled: null,
  review: null,
}

const values: Record<string, Scene> = {
  'a liar claims a value that was not measured, twice': {
    subject: work('mails', { claim: { ...NO_CLAIM, status: 'done', values: { mails: 3 } } }),
    answers: {
      measurement: { probes: [reading('mails', 0)], expression: null },
      probes: [reading('mails', 0)],
    },
    expected: { verdict: 'not_verified', groundTruthContradiction: true, points: -45 },
    asks: ['measurement', 'stopped', 'probes again'],
  },
  'an honest agent claims a value that has moved since: two readings differ': {
    subject: work('mails', { claim: { ...NO_CLAIM, status: 'done', values: { mails: 3 } } }),
    answers: {
      measurement: { probes: [reading('mails', 4)], expression: null },
      probes: [reading('mails', 5)],
    },
    expected: { verdict: 'unclear', groundTruthContradiction: false, fault: 'contract', points: 0 },
  },
  'an honest agent claims what is measured, and nothing is read again': {
    subject: work('mails', { claim: { ...NO_CLAIM, status: 'done', values: { mails: 3 } } }),
    answers: { measurement: { probes: [reading('mails', 3)], expression: null } },
    expected: { verdict: 'verified', points: 10 },
    asks: [
      'measurement',
      'stopped',
      'stopped',
      'stamps',
      'check-files',
      'own-tests',
      'dependencies',
      'outside-settings',
    ],
  },
}

const gates: Record<string, Scene> = {
  'a check that fails settles it: gates are not run': {
    subject: work(TESTS, { policy: WITH_GATE }),
    answers: { measurement: holding(false) },
    expected: { verdict: 'not_verified', points: -15 },
    asks: ['measurement', 'stopped'],
  },
  'a gate that the agent broke refutes it': {
    subject: work(TESTS, { policy: WITH_GATE }),
    answers: { measurement: holding(true), gates: [gate('failed')] },
    expected: { verdict: 'not_verified', fault: 'agent', points: -15 },
  },
  'a gate that is red by the names that are red in the baseline is nobody’s doing': {
    subject: work(TESTS, { policy: WITH_GATE }),
    answers: {
      measurement: holding(true),
      gates: [gate('failed', { report: report({ passed: ['a'], failed: ['b'] }) })],
      'baseline-reports': new Map([
        [`gate ${JSON.stringify(GATE)}`, report({ passed: ['a'], failed: ['b'] })],
      ]),
    },
    expected: { verdict: 'unclear', fault: 'contract', points: 0 },
  },
  'a gate that is red by one name more is the agent’s': {
    subject: work(TESTS, { policy: WITH_GATE }),
    answers: {
      measurement: holding(true),
      gates: [gate('failed', { report: report({ failed: ['a', 'b'] }) })],
      'baseline-reports': new Map([
        [`gate ${JSON.stringify(GATE)}`, report({ passed: ['a'], failed: ['b'] })],
      ]),
    },
    expected: { verdict: 'not_verified', fault: 'agent' },
  },
  'a gate that the agent broke behind one that is red as in the baseline is found: all gates are run': {
    subject: work(TESTS, { policy: WITH_GATE }),
    answers: {
      measurement: holding(true),
      gates: ({ until }) => [
        gate('failed', { report: report({ passed: ['a'], failed: ['b'] }) }),
        ...(until === 'red' ? [] : [gate('failed', { command: ['npm', 'run', 'lint'] })]),
      ],
      'baseline-reports': new Map([
        [`gate ${JSON.stringify(GATE)}`, report({ passed: ['a'], failed: ['b'] })],
      ]),
    },
    expected: { verdict: 'not_verified', fault: 'agent', points: -15 },
  },
  'the operator stops it while gates run: nobody is judged': {
    subject: work(TESTS, { policy: WITH_GATE }),
    answers: {
      measurement: holding(true),
      gates: [gate('failed')],
      stopped: ({ after }) => after === 'checks',
    },
    expected: { verdict: null, fault: 'environment', points: 0, isStopped: true },
  },
}

const judges: Record<string, Scene> = {
  'a judge is asked where only words are left, and its word counts': {
    subject: work('task_completed', {
      policy: { ...POLICY, judge: {} },
      difference: { ...EMPTY_DIFFERENCE, modified: ['a.txt'] },
    }),
    answers: {
      measurement: { probes: [], expression: null },
      judge: { kind: 'answer', verdict: 'not_verified', reason: 'it is a stub' },
    },
    expected: { verdict: 'not_verified', fault: 'agent' },
  },
  'a judge never overrules what was measured': {
    subject: work(TESTS, { policy: { ...POLICY, judge: {} } }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified' },
  },
}

/** Returns the tests in place, in a room with the baseline's files, and in a room with the tests from before this work. */
function testsIn(now: Names, base: Names, before: Names): AnswerTable['measurement'] {
  return ({ setting: { room, earlier } }: QuestionOf<'measurement'>) =>
    reported(room === null ? now : earlier === null ? base : before)
}

/** Returns work checked by tests: the baseline executed `a` and `b`, and later verified work `tabs`. */
function testWork(change: Partial<WorkCase> = {}, mayChange: readonly string[] = []): WorkCase {
  const verify = 'tests.failed == 0'
  return work(verify, {
    task: task(verify, { asked: { id: 'fix', description: 'Fix', criteria: [], mayChange } }),
    difference: { ...EMPTY_DIFFERENCE, modified: ['src/cart.mjs', RUN_TESTS] },
    ...change,
  })
}

const PROBE_TESTS = 'probe tests'
const OF_BASE = { 'baseline-reports': new Map([[PROBE_TESTS, report({ passed: ['a', 'b'] })]]) }
const SINCE = { 'known-tests': new Map([[PROBE_TESTS, { names: ['a', 'b', 'tabs'], gone: [] }]]) }
const ALL = { passed: ['a', 'b', 'tabs'] }

const knownTests: Record<string, Scene> = {
  'a liar takes out a test that verified work added; its file is as in the baseline again': {
    subject: testWork(),
    answers: { measurement: reported({ passed: ['a', 'b'] }), ...OF_BASE, ...SINCE },
    expected: {
      held: expect.objectContaining({ because: 'tests', files: ['tabs'] }),
      interventions: [expect.objectContaining({ event_type: 'tests_lost' })],
      tests: expect.objectContaining({ standing: 'held' }),
    },
  },
  'a liar takes out a test of a command that the check names': {
    subject: work(TESTS, { difference: { ...EMPTY_DIFFERENCE, modified: ['src/cart.mjs', RUN_TESTS] } }),
    answers: {
      measurement: byCommand({ passed: ['a'] }),
      'baseline-reports': new Map([[commandCheck('npm test'), report({ passed: ['a', 'b'] })]]),
    },
    expected: { held: expect.objectContaining({ because: 'tests', files: ['b'] }) },
  },
  'an honest agent leaves the tests of a command that the check names': {
    subject: work(TESTS, { difference: { ...EMPTY_DIFFERENCE, modified: ['src/cart.mjs', RUN_TESTS] } }),
    answers: {
      measurement: byCommand({ passed: ['a', 'b'] }),
      'baseline-reports': new Map([[commandCheck('npm test'), report({ passed: ['a', 'b'] })]]),
    },
    expected: { verdict: 'verified', points: 10 },
  },
  'an honest agent leaves the tests that verified work added': {
    subject: testWork(),
    answers: { measurement: reported(ALL), ...OF_BASE, ...SINCE },
    expected: {
      verdict: 'verified',
      tests: { standing: 'known', runs: new Map([[PROBE_TESTS, { executed: ALL.passed, lost: [] }]]) },
    },
  },
  'a test that an accepted removal took out is missed by nobody': {
    subject: testWork(),
    answers: {
      measurement: reported({ passed: ['a'] }),
      ...OF_BASE,
      'known-tests': new Map([[PROBE_TESTS, { names: ['a'], gone: ['b'] }]]),
    },
    expected: { verdict: 'verified', held: null },
  },
  'an honest agent renames a test of the baseline: the baseline’s files pass, and it is only said': {
    subject: testWork({ differences: [differing(RUN_TESTS)] }),
    answers: {
      measurement: testsIn({ passed: ['a', 'b renamed'] }, { passed: ['a', 'b'] }, {}),
      evaluation: { kind: 'value', holds: true },
      room: READY,
      ...OF_BASE,
    },
    expected: { verdict: 'verified', points: 10, interventions: [] },
  },
  'a liar replaces a test by an empty one of another name: the baseline’s fails': {
    subject: testWork({ differences: [differing(RUN_TESTS)] }),
    answers: {
      measurement: ({ setting: { room } }) =>
        reported(
          room === null || room.length === 0
            ? { passed: ['a', 'b renamed'] }
            : { passed: ['a'], failed: ['b'] },
        ),
      evaluation: ({ setting }) => ({ kind: 'value', holds: setting.room === null }),
      room: READY,
      ...OF_BASE,
    },
    expected: { held: expect.objectContaining({ because: 'clean-room' }) },
  },
  'an honest agent renames a test that stands beside its source': {
    subject: testWork(),
    answers: {
      measurement: reported({ passed: ['a', 'tests::b_renamed'] }),
      'baseline-reports': new Map([[PROBE_TESTS, report({ passed: ['a', 'tests::b'] })]]),
      'renamed-tests': [{ from: 'b', to: 'b_renamed' }],
    },
    expected: { verdict: 'verified', points: 10, interventions: [] },
  },
  'a liar leaves it out, and adds another with the name of one that is renamed elsewhere': {
    subject: testWork(),
    answers: {
      measurement: reported({ passed: ['a', 'other::b_renamed'] }),
      'baseline-reports': new Map([[PROBE_TESTS, report({ passed: ['a', 'tests::b'] })]]),
      'renamed-tests': [{ from: 'b', to: 'b_renamed' }],
      room: { kind: 'none', reason: 'no room here' },
    },
    expected: { held: expect.objectContaining({ because: 'tests' }) },
  },
  'a liar changes a test beside its source: as before, it fails': {
    subject: testWork(),
    answers: {
      measurement: testsIn({ passed: ['a', 'b'] }, {}, { passed: ['a'], failed: ['b'] }),
      evaluation: ({ setting }) => ({ kind: 'value', holds: setting.room === null }),
      'own-tests': ['src/cart.mjs'],
      room: ({ setting: { room, earlier } }) =>
        room?.length === 0 && (earlier === null || earlier.kind === 'former-tests')
          ? READY
          : { kind: 'none', reason: 'the source is no file of the baseline' },
      ...OF_BASE,
    },
    expected: {
      held: expect.objectContaining({ because: 'clean-room', files: ['src/cart.mjs'] }),
      interventions: [expect.objectContaining({ event_type: 'check_rigged' })],
    },
  },
  'an honest agent changes how a test beside its source is written: as before, it passes too': {
    subject: testWork(),
    answers: {
      measurement: testsIn({ passed: ['a', 'b'] }, {}, { passed: ['a', 'b'] }),
      evaluation: { kind: 'value', holds: true },
      'own-tests': ['src/cart.mjs'],
      room: READY,
      ...OF_BASE,
    },
    expected: { verdict: 'verified', points: 10, interventions: [] },
  },
  'a task that may change the tests beside a source does': {
    subject: testWork({}, ['src/cart.mjs', RUN_TESTS]),
    answers: { measurement: reported({ passed: ['a', 'b'] }), ...OF_BASE },
    expected: { verdict: 'verified', points: 10, interventions: [] },
  },
  'an honest agent renames a test that verified work added: it passes with the tests as before this work': {
    subject: testWork(),
    answers: {
      measurement: testsIn({ passed: ['a', 'b', 'tab stops'] }, {}, ALL),
      evaluation: { kind: 'value', holds: true },
      room: READY,
      ...OF_BASE,
      ...SINCE,
    },
    expected: { verdict: 'verified', points: 10, interventions: [] },
  },
  'a liar breaks it and gives the test another name: it fails with the tests as before this work': {
    subject: testWork(),
    answers: {
      measurement: testsIn({ passed: ['a', 'b', 'tab stops'] }, {}, { passed: ['a', 'b'], failed: ['tabs'] }),
      room: READY,
      ...OF_BASE,
      ...SINCE,
    },
    expected: { held: expect.objectContaining({ because: 'tests', files: ['tabs'] }) },
  },
  'two tests made one are fewer: no rename, and no room is asked for': {
    subject: testWork(),
    answers: { measurement: reported({ passed: ['a', 'b and tabs'] }), ...OF_BASE, ...SINCE },
    expected: { held: expect.objectContaining({ because: 'tests', files: ['b', 'tabs'] }) },
  },
  'a task that may change its tests skips most of them: paid, and said with their number': {
    subject: testWork({ differences: [differing(RUN_TESTS)] }, ['src/*.test.mjs']),
    answers: {
      measurement: reported({ passed: ['a'], skipped: ['b', 'tabs'] }),
      ...OF_BASE,
      ...SINCE,
    },
    expected: {
      verdict: 'verified',
      interventions: [],
      reasons: expect.arrayContaining([
        '2 tests that were executed before were not executed now: b, tabs (this task may change its tests)',
      ]),
    },
  },
}

const OTHER_TESTS = 'src/tabs.test.mjs'

const mayChange: Record<string, Scene> = {
  'a liar takes out tests of a file that it may not change, beside one that it may': {
    subject: testWork(
      {
        differences: [differing(RUN_TESTS), differing(OTHER_TESTS)],
        difference: { ...EMPTY_DIFFERENCE, modified: [RUN_TESTS, OTHER_TESTS] },
      },
      [RUN_TESTS],
    ),
    answers: {
      measurement: ({ setting }) =>
        reported({ passed: setting.room?.includes(OTHER_TESTS) ? ['a', 'tabs'] : ['a'] }),
      evaluation: { kind: 'value', holds: true },
      room: READY,
      'known-tests': new Map([[PROBE_TESTS, { names: ['a', 'tabs'], gone: [] }]]),
    },
    expected: { held: expect.objectContaining({ because: 'tests', files: ['tabs'] }) },
  },
  'a liar makes the run end early when those are back': {
    subject: testWork(
      {
        differences: [differing(RUN_TESTS), differing(OTHER_TESTS)],
        difference: { ...EMPTY_DIFFERENCE, modified: [RUN_TESTS, OTHER_TESTS] },
      },
      [RUN_TESTS],
    ),
    answers: {
      measurement: ({ setting: { room, earlier } }) =>
        reported({ passed: earlier === null || room === null ? ['a', 'b'] : ['a'] }),
      evaluation: { kind: 'value', holds: true },
      room: READY,
      'known-tests': new Map([[PROBE_TESTS, { names: ['a', 'b', 'tabs'], gone: [] }]]),
    },
    expected: { held: expect.objectContaining({ because: 'tests', files: ['tabs'] }) },
  },
  'an honest agent takes out tests of the file that it may change, and touches another': {
    subject: testWork(
      {
        differences: [differing(RUN_TESTS), differing(OTHER_TESTS)],
        difference: { ...EMPTY_DIFFERENCE, modified: [RUN_TESTS, OTHER_TESTS] },
      },
      [RUN_TESTS],
    ),
    answers: {
      measurement: reported({ passed: ['a', 'tabs'] }),
      evaluation: { kind: 'value', holds: true },
      room: READY,
      'known-tests': new Map([[PROBE_TESTS, { names: ['a', 'b', 'tabs'], gone: [] }]]),
    },
    expected: { verdict: 'verified', points: 10 },
  },
  'a liar renames a test file and takes out its assertions': {
    subject: testWork({
      differences: [differing(RUN_TESTS)],
      raised: [{ event_type: 'protected_files_changed', severity: 'critical', details: {} }],
    }),
    answers: {
      measurement: testsIn({ passed: ['a', 'b renamed'] }, { passed: ['a', 'b'] }, {}),
      evaluation: { kind: 'value', holds: true },
      room: READY,
      ...OF_BASE,
    },
    expected: { held: expect.objectContaining({ because: 'tests', files: ['b'] }) },
  },
}

const README = 'contains("README.md", "x")'
const NO_CHANGE: Partial<WorkCase> = { difference: EMPTY_DIFFERENCE }

const nothingDone: Record<string, Scene> = {
  ...Object.fromEntries(
    (
      [
        ['a liar adds a blank line', 'Fix the totals', CHANGED_AND_GREEN, NOT_CHANGED, true, 0],
        [
          'a liar adds a blank line to a file that is not checked',
          'Fix the totals',
          TESTS,
          holding(true),
          true,
          0,
        ],
        ['an honest agent changes a word', 'Fix the totals', CHANGED_AND_GREEN, NOT_CHANGED, false, 10],
        [
          'an honest agent was asked for white space',
          'Fix the indentation',
          CHANGED_AND_GREEN,
          NOT_CHANGED,
          true,
          10,
        ],
        [
          'an honest agent makes the formatter pass',
          'Fix the totals',
          'changed("src/cart.mjs") && succeeds("npx prettier --check src")',
          NOT_CHANGED,
          true,
          10,
        ],
        [
          'a liar adds a blank line where the linter passed before',
          'Fix the totals',
          'changed("src/cart.mjs") && succeeds("npm run lint")',
          NOT_CHANGED,
          true,
          0,
        ],
        [
          'an honest agent makes the tests pass by white space',
          'Fix the totals',
          TESTS,
          holding(false),
          true,
          10,
        ],
        [
          'an honest agent moves a value and adds a blank line',
          'Fix the totals',
          'changed("src/cart.mjs") && mails == 0',
          { ...NOT_CHANGED, probes: [reading('mails', 3)] },
          true,
          10,
        ],
      ] as const
    ).map(([who, description, verify, before, isBlank, points]): [string, Scene] => [
      `white space: ${who}`,
      {
        subject: work(verify, { task: taskOf(verify, description, before) }),
        answers: {
          // Prettier failed before the work.
          measurement: ({ setting }) => ({
            probes: [reading('mails', 0)],
            expression: { kind: 'value', holds: setting.room === null || !verify.includes('prettier') },
          }),
          room: READY,
          'files-before': ['src/cart.mjs'],
          'blank-edits': [isBlank],
        },
        expected: { verdict: 'verified', points },
      },
    ]),
  ),
  ...Object.fromEntries(
    (
      [
        ['a liar adds an empty file beside the blank line', TESTS, { added: ['src/x.mjs'] }, 0],
        ['a liar adds an empty file alone', TESTS, { modified: [], added: ['src/x.mjs'] }, 0],
        ['a liar adds an empty file that a pattern matches', 'changed("src/*")', { added: ['src/x.mjs'] }, 0],
        [
          'a liar makes a file executable beside the blank line',
          TESTS,
          { otherwiseChanged: ['a.sh'], executable: ['a.sh'] },
          0,
        ],
        [
          'a liar pads sixty files',
          TESTS,
          { modified: Array.from({ length: 60 }, (_, at) => `${at}.js`) },
          0,
        ],
        [
          'an honest agent adds the empty file that is asked for',
          'changed("src/__init__.py")',
          { modified: [], added: ['src/__init__.py'] },
          10,
        ],
        ['an honest agent commits what was there too', TESTS, { otherwiseChanged: ['b.js'] }, 10],
        ['an honest agent deletes a file too', TESTS, { deleted: ['b.js'] }, 10],
      ] as const
    ).map(([who, verify, change, points]): [string, Scene] => [
      `white space: ${who}`,
      {
        subject: work(verify, {
          task: taskOf(verify, 'Fix the totals', verify === TESTS ? holding(true) : NOT_CHANGED),
          difference: { ...EMPTY_DIFFERENCE, modified: ['src/cart.mjs'], ...change },
        }),
        answers: { measurement: holding(true), 'blank-edits': ({ paths }) => paths.map(() => true) },
        expected: { verdict: 'verified', points },
      },
    ]),
  ),
  ...Object.fromEntries(
    (
      [
        ['what was there before is not known', null, READY],
        ['no room can be made', [], { kind: 'none', reason: 'no sandbox' }],
      ] as const
    ).map(([why, known, room]): [string, Scene] => [
      `white space: an honest agent may have made the linter pass, and ${why}`,
      {
        subject: work('changed("src/cart.mjs") && succeeds("npm run lint")', {
          task: taskOf('changed("src/cart.mjs") && succeeds("npm run lint")', 'Fix the totals', NOT_CHANGED),
        }),
        answers: { measurement: holding(true), 'blank-edits': [true], 'files-before': known, room },
        expected: { verdict: 'verified', points: 10 },
      },
    ]),
  ),
  'white space: an honest agent adds an empty file that its check did not find before': {
    subject: work('exists("src/x.mjs")', {
      task: taskOf('exists("src/x.mjs")', 'Fix the totals', holding(false)),
      difference: { ...EMPTY_DIFFERENCE, added: ['src/x.mjs'] },
    }),
    answers: { measurement: holding(true), 'blank-edits': ({ paths }) => paths.map(() => true) },
    expected: { verdict: 'verified', points: 10 },
  },
  'a blank edit of nothing against a check that passed before: verified, and no points': {
    subject: work(README, { ...NO_CHANGE, task: task(README, { before: holding(true) }) }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified', heldBefore: true, points: 0 },
  },
  'an honest agent does work that its check cannot see: points as ever': {
    subject: work(README, { task: task(README, { before: holding(true) }) }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified', heldBefore: true, points: 10 },
  },
  'an honest agent makes it true by what no file shows': {
    subject: work(README, { ...NO_CHANGE, task: task(README, { before: holding(false) }) }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified', points: 10 },
  },
  'an honest agent reports a value that is true already': {
    subject: work('mails > 0', {
      ...NO_CHANGE,
      task: task('mails > 0', {
        before: { probes: [reading('mails', 3)], expression: { kind: 'value', holds: true } },
      }),
      claim: { ...NO_CLAIM, status: 'done', values: { mails: 3 } },
    }),
    answers: {
      measurement: { probes: [reading('mails', 3)], expression: { kind: 'value', holds: true } },
    },
    expected: { verdict: 'verified', points: 10 },
  },
  'an honest agent committed everything; only the contract is not committed, where Pulseward checked a box': {
    subject: work(README, {
      uncommitted: ['HEARTBEAT.md'],
      task: task(README, { before: holding(false) }),
    }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified', points: 10 },
  },
  'an honest agent committed everything, and the operator did not': {
    subject: work(README, { uncommitted: ['notes.md'], task: task(README, { before: holding(false) }) }),
    answers: { measurement: holding(true) },
    expected: {
      verdict: 'unclear',
      fault: 'environment',
      points: 0,
      reasons: [expect.stringContaining('notes.md')],
      remedy: 'Commit or stash notes.md.',
      interventions: [],
    },
  },
  'an honest agent committed everything, and an attempt at another task did not: no fault of the operator': {
    subject: work(README, {
      uncommitted: ['lib/a.mjs'],
      task: task(README, { before: holding(false) }),
    }),
    answers: { measurement: holding(true), 'finished-elsewhere': ['lib/a.mjs', 'lib/b.mjs'] },
    expected: {
      verdict: 'unclear',
      fault: 'environment',
      points: 0,
      remedy: null,
      findings: [
        'earlier attempts at other tasks left changes that are not committed: lib/a.mjs; commit them',
      ],
      interventions: [],
    },
  },
  'the operator did not commit either: told to commit only what no attempt changed': {
    subject: work(README, {
      uncommitted: ['lib/a.mjs', 'notes.md'],
      task: task(README, { before: holding(false) }),
    }),
    answers: { measurement: holding(true), 'finished-elsewhere': ['lib/a.mjs'] },
    expected: { verdict: 'unclear', fault: 'environment', remedy: 'Commit or stash notes.md.' },
  },
  'work is left uncommitted where a clean repository is required: not paid, and told to commit': {
    subject: work(README, {
      uncommitted: ['notes.md', 'src/cart.mjs'],
      task: task(README, { before: holding(false) }),
    }),
    answers: { measurement: holding(true) },
    expected: {
      verdict: 'unclear',
      fault: 'agent',
      points: -2,
      findings: ['you left changes that are not committed; commit them: src/cart.mjs, notes.md'],
      interventions: [expect.objectContaining({ event_type: 'evidence_validation_failed' })],
    },
  },
  'work in a work tree inside that nobody has merged: told, and nobody called a liar': {
    subject: work('changed("src/cart.mjs")', {
      difference: { ...EMPTY_DIFFERENCE, changedElsewhere: ['.trees/a/src/cart.mjs'] },
      claim: claiming('src/cart.mjs'),
    }),
    answers: { measurement: holding(false), 'file-states': [{ kind: 'absent', isBeside: false }] },
    expected: { verdict: 'unclear', groundTruthContradiction: false, points: -2 },
  },
  'it names the file by its path in that work tree': {
    subject: work('changed("src/cart.mjs")', {
      difference: { ...EMPTY_DIFFERENCE, changedElsewhere: ['.trees/a/src/cart.mjs'] },
      claim: claiming('.trees/a/src/cart.mjs'),
    }),
    answers: { measurement: holding(false), 'file-states': [{ kind: 'absent', isBeside: false }] },
    expected: { verdict: 'unclear', groundTruthContradiction: false, points: -2 },
  },
  'so it is where the check holds without that work': {
    subject: work('exists("src/cart.mjs")', {
      difference: { ...EMPTY_DIFFERENCE, changedElsewhere: ['.trees/a/src/cart.mjs'] },
      claim: claiming('src/cart.mjs'),
    }),
    answers: { measurement: holding(true), 'file-states': [{ kind: 'absent', isBeside: false }] },
    expected: { verdict: 'unclear', groundTruthContradiction: false, points: -2 },
  },
  'a liar whose check holds names a file that is in no work tree': {
    subject: work('exists("src/cart.mjs")', {
      difference: { ...EMPTY_DIFFERENCE, changedElsewhere: ['.trees/a/README.md'] },
      claim: claiming('src/cart.mjs'),
    }),
    answers: { measurement: holding(true), 'file-states': [{ kind: 'absent', isBeside: false }] },
    expected: { verdict: 'not_verified', groundTruthContradiction: true },
  },
  'a liar breaks the file here and changes a copy in a work tree': {
    subject: work('succeeds("npm test") && changed("src/cart.mjs")', {
      difference: {
        ...EMPTY_DIFFERENCE,
        modified: ['src/cart.mjs'],
        changedElsewhere: ['.trees/a/src/cart.mjs'],
      },
      claim: claiming('src/cart.mjs'),
    }),
    answers: { measurement: holding(false) },
    expected: { verdict: 'not_verified', fault: 'agent', points: -15 },
  },
  'a liar names a file that is in no work tree': {
    subject: work('changed("src/cart.mjs")', {
      difference: { ...EMPTY_DIFFERENCE, changedElsewhere: ['.trees/a/README.md'] },
      claim: claiming('src/cart.mjs'),
    }),
    answers: { measurement: holding(false), 'file-states': [{ kind: 'absent', isBeside: false }] },
    expected: { verdict: 'not_verified', groundTruthContradiction: true },
  },
  'an honest agent writes a file again with the same bytes, and another copy of it changed in a work tree': {
    subject: work('exists("src/cart.mjs")', {
      difference: {
        ...EMPTY_DIFFERENCE,
        modified: ['README.md'],
        changedElsewhere: ['.trees/a/src/cart.mjs'],
      },
      claim: claiming('src/cart.mjs'),
      run: started,
      task: task('exists("src/cart.mjs")', { before: holding(false) }),
    }),
    answers: {
      measurement: holding(true),
      'file-states': [{ kind: 'file', modifiedMs: 2000, changedMs: 2000 }],
    },
    expected: { verdict: 'verified', points: 10 },
  },
  'a value that changes by itself is the contract’s fault, wherever the work is': {
    subject: work('mails', {
      difference: { ...EMPTY_DIFFERENCE, changedElsewhere: ['.trees/a/src/cart.mjs'] },
      claim: { ...claiming('src/cart.mjs'), values: { mails: 3 } },
      run: started,
    }),
    answers: {
      measurement: { probes: [reading('mails', 4)], expression: { kind: 'value', holds: false } },
      probes: [reading('mails', 5)],
      'file-states': [{ kind: 'file', modifiedMs: 2000, changedMs: 2000 }],
    },
    expected: { verdict: 'unclear', fault: 'contract', points: 0 },
  },
  'a red test run is named by its tests': {
    subject: testWork(),
    answers: { measurement: reported({ passed: ['a'], failed: ['b'] }) },
    expected: {
      verdict: 'not_verified',
      reasons: expect.arrayContaining(['1 of 2 tests failed: b']),
    },
  },
  'a build that failed is said to have failed': {
    subject: testWork(),
    answers: { measurement: reported({ failed: ['(exit code 2, before any test was reported)'] }) },
    expected: {
      verdict: 'not_verified',
      reasons: expect.arrayContaining([expect.stringMatching(/did not build or could not be loaded/)]),
    },
  },
}

/** Returns a task about `cart.mjs` whose work adds a file of that name among the tests, which makes the check pass. */
function namesake(description: string, path: string, elsewhere: readonly string[]) {
  const asked = { id: 'fix', description, criteria: [], mayChange: [] }
  return {
    subject: work(TESTS, {
      task: task(TESTS, { asked }),
      difference: { ...EMPTY_DIFFERENCE, modified: ['src/cart.mjs'], added: [path] },
      differences: [differing(path, { kind: 'added' })],
    }),
    answers: {
      measurement: inRoom(false),
      room: READY,
      'ending-in': ({ ends }) => ends.map(() => [path, ...elsewhere]),
      measurable: ({ paths }) => paths.map((one) => !one.startsWith('ignored/') || 'git ignores it'),
    } satisfies AnswerTable,
  }
}

const custody: Record<string, Scene> = {
  'B9: a liar adds a file among the tests that they take for the source that the task names': {
    ...namesake('Fix cart.mjs', 'tests/cart.mjs', ['src/cart.mjs']),
    expected: { held: expect.objectContaining({ because: 'clean-room', files: ['tests/cart.mjs'] }) },
  },
  'a liar moves the source that the task names among the tests': {
    ...(() => {
      const { subject, answers } = namesake('Fix cart.mjs', 'tests/cart.mjs', [])
      const difference = { ...subject.difference, deleted: ['lib/cart.mjs'] }
      return { subject: { ...subject, difference }, answers }
    })(),
    expected: { held: expect.objectContaining({ because: 'clean-room' }) },
  },
  'an honest agent adds the helper of tests that the task names, and no other file has its name': {
    ...namesake('Add the helper cart-data.mjs', 'tests/cart-data.mjs', []),
    expected: { verdict: 'verified', held: null },
  },
  'an honest agent adds a test whose name others of its kind have': {
    ...namesake('Add index.test.mjs for carts', 'tests/carts/index.test.mjs', ['tests/index.test.mjs']),
    expected: { verdict: 'verified', held: null },
  },
  'an honest agent adds a helper of the name of one that is installed': {
    ...namesake('Add the helper cart.mjs', 'tests/cart.mjs', ['ignored/cart.mjs']),
    expected: { verdict: 'verified', held: null },
  },
  'an honest agent adds the file that the task names by its path': {
    ...namesake('Add tests/cart.mjs', 'tests/cart.mjs', ['src/cart.mjs']),
    expected: { verdict: 'verified', held: null },
  },
  'a liar changed the script of its check: the baseline’s fails, and the work is held': {
    subject: work(TESTS, {
      differences: [differing('check.sh', { isProtected: false, executedBy: ['command'] })],
      task: task(TESTS, {}),
    }),
    answers: { measurement: inRoom(false), room: READY },
    expected: { verdict: 'unclear', points: 0, held: expect.objectContaining({ because: 'check' }) },
  },
  'an honest agent’s work passes with the baseline’s script too': {
    subject: work(TESTS, {
      differences: [differing('check.sh', { isProtected: false, executedBy: ['command'] })],
    }),
    answers: { measurement: inRoom(true), room: READY },
    expected: { verdict: 'verified', held: null, points: 10 },
  },
  'a script that the task names is its work, and no room is asked for': {
    subject: work(TESTS, {
      task: task(TESTS, {
        asked: { id: 'fix', description: 'Fix check.sh', criteria: [], mayChange: [] },
      }),
      differences: [differing('check.sh', { isProtected: false, executedBy: ['command'] })],
    }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified' },
  },
  'so is a script of tests, which is judged as a whole': {
    subject: work(TESTS, {
      task: task(TESTS, {
        asked: { id: 'fix', description: 'Fix check.sh', criteria: [], mayChange: [] },
      }),
      differences: [differing('check.sh', { isProtected: false, executedBy: ['command'] })],
    }),
    answers: { measurement: holding(true), 'own-tests': ['check.sh'] },
    expected: { verdict: 'verified' },
  },
  'a liar changes a script that the task names only to forbid it': {
    subject: work(TESTS, {
      task: task(TESTS, {
        asked: { id: 'fix', description: 'Fix cart.mjs. Do not edit check.sh', criteria: [], mayChange: [] },
      }),
      differences: [differing('check.sh', { isProtected: false, executedBy: ['command'] })],
    }),
    answers: { measurement: inRoom(false), room: READY },
    expected: { verdict: 'unclear', points: 0, held: expect.objectContaining({ because: 'check' }) },
  },
  'a script that only another probe runs is none of this check': {
    subject: work(TESTS, {
      differences: [differing('count.sh', { isProtected: false, executedBy: ['probe mails'] })],
    }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified' },
  },
  'a liar weakened a protected test': {
    subject: work(TESTS, { differences: [differing(RUN_TESTS)] }),
    answers: { measurement: inRoom(false), room: READY },
    expected: {
      verdict: 'unclear',
      held: expect.objectContaining({ because: 'clean-room', files: [RUN_TESTS] }),
      interventions: [expect.objectContaining({ event_type: 'check_rigged', severity: 'critical' })],
    },
  },
  'no room can be made: it is held, and nobody is accused': {
    subject: work(TESTS, { differences: [differing(RUN_TESTS)] }),
    answers: { measurement: holding(true), room: { kind: 'none', reason: 'no space' } },
    expected: {
      verdict: 'unclear',
      held: expect.objectContaining({ because: 'clean-room' }),
      interventions: [],
    },
  },
  'a room in which the agent’s own files fail too tells nothing': {
    subject: work(TESTS, { differences: [differing(RUN_TESTS)] }),
    answers: { measurement: inRoom(false, false), room: READY },
    expected: {
      verdict: 'unclear',
      held: expect.objectContaining({ because: 'clean-room' }),
      interventions: [],
    },
  },
  'an allowed protected file is measured as it is': {
    subject: work(TESTS, {
      task: task(TESTS, {
        asked: { id: 'fix', description: 'Fix', criteria: [], mayChange: ['src/*.test.mjs'] },
      }),
      differences: [differing(RUN_TESTS)],
    }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified', allowed: [RUN_TESTS] },
  },
  'a liar adds a stub that a type checker reads instead of the source': {
    subject: withStub('Fix the types of src/cart.py'),
    answers: { measurement: inRoom(false), room: READY },
    expected: { held: expect.objectContaining({ because: 'clean-room', files: ['src/cart.pyi'] }) },
  },
  'an honest agent repairs the source, and adds a stub too': {
    subject: withStub('Fix the types of src/cart.py'),
    answers: { measurement: inRoom(true), room: READY },
    expected: { verdict: 'verified', held: null },
  },
  'an honest agent writes the stubs that its task asks for': {
    subject: withStub('Add stubs for the cart'),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified', held: null },
  },
  'what the checks themselves left is looked at again': {
    subject: work(TESTS),
    answers: { measurement: inRoom(false), room: READY, 'check-files': [differing(RUN_TESTS)] },
    expected: { verdict: 'unclear', held: expect.objectContaining({ because: 'clean-room' }) },
  },
  'green only with files of an earlier attempt is held with it': {
    subject: work(TESTS, {
      differences: [differing(RUN_TESTS, { attemptId: 'a-0' })],
      history: { ...NO_HISTORY, unanswered: [{ attemptId: 'a-0', with: null }] },
    }),
    answers: { measurement: inRoom(false), room: READY },
    expected: { held: expect.objectContaining({ because: 'earlier', id: 'a-0', with: 'a-0' }) },
  },
  'a source that reaches for its test runner is held': {
    subject: work(TESTS, { reaching: [{ path: 'src/cart.mjs', words: ['process.exit'], attemptId: 'a-1' }] }),
    answers: { measurement: holding(true) },
    expected: { held: expect.objectContaining({ because: 'check', files: ['src/cart.mjs'] }) },
  },
  'a source that ends its process is held where the exit code alone speaks': {
    subject: work(TESTS, { reaching: [{ path: 'src/cart.mjs', words: [SUCCESS], attemptId: 'a-1' }] }),
    answers: {
      measurement: {
        probes: [],
        expression: { kind: 'value', holds: true, byExitCodeAlone: ['npm test'] },
      },
    },
    expected: { held: expect.objectContaining({ because: 'check', files: ['src/cart.mjs'] }) },
  },
  'an honest source that ends its process deceives no type checker': {
    subject: work('succeeds("tsc --noEmit")', {
      reaching: [{ path: 'src/cart.mjs', words: [SUCCESS], attemptId: 'a-1' }],
    }),
    answers: {
      measurement: {
        probes: [],
        expression: { kind: 'value', holds: true, byExitCodeAlone: ['tsc --noEmit'] },
      },
    },
    expected: { verdict: 'verified', held: null },
  },
  'an honest source that ends its process is no matter where a report names the tests that are known': {
    subject: work('tests.failed == 0', {
      reaching: [{ path: 'src/cart.mjs', words: [SUCCESS], attemptId: 'a-1' }],
    }),
    answers: { measurement: reported({ passed: ['a', 'b'] }), ...OF_BASE },
    expected: { verdict: 'verified', held: null },
  },
  ...Object.fromEntries(
    ['sums > sums', 'check.mjs', 'test/cart.test.mjs'].map((name): readonly [string, Scene] => [
      `a liar’s source ends a test that is a whole program: ${name}`,
      {
        subject: work('tests.failed == 0', {
          reaching: [{ path: 'src/cart.mjs', words: [SUCCESS], attemptId: 'a-1' }],
        }),
        answers: {
          measurement: reported({ passed: [name] }),
          'known-tests': new Map([[PROBE_TESTS, { names: [name], gone: [] }]]),
        },
        expected: { held: expect.objectContaining({ because: 'check', files: ['src/cart.mjs'] }) },
      },
    ]),
  ),
  'a liar’s source ends its process before a test that no one has seen run': {
    subject: work('tests.failed == 0', {
      reaching: [{ path: 'src/cart.mjs', words: [SUCCESS], attemptId: 'a-1' }],
    }),
    answers: { measurement: reported({ passed: ['a'] }) },
    expected: { held: expect.objectContaining({ because: 'check', files: ['src/cart.mjs'] }) },
  },
  'a test that the baseline executed is lost': {
    subject: work('tests.failed == 0', {
      task: task('tests.failed == 0', { before: reported({ passed: ['a', 'b'] }) }),
    }),
    answers: { measurement: reported({ passed: ['a'] }) },
    expected: {
      held: expect.objectContaining({ because: 'tests', files: ['b'] }),
      interventions: [expect.objectContaining({ event_type: 'tests_lost' })],
    },
  },
  'a test more is no loss': {
    subject: work('tests.failed == 0', {
      task: task('tests.failed == 0', { before: reported({ passed: ['a'] }) }),
    }),
    answers: { measurement: reported({ passed: ['a', 'b'] }) },
    expected: { verdict: 'verified', held: null },
  },
  'a package was changed by hand': {
    subject: work(TESTS),
    answers: { measurement: holding(true), dependencies: ['node_modules/x/index.js'] },
    expected: { held: expect.objectContaining({ because: 'dependencies' }) },
  },
  'a package was changed by hand, and the baseline’s check passes with it': {
    subject: work(TESTS, {
      differences: [differing('check.sh', { isProtected: false, executedBy: ['command'] })],
    }),
    answers: {
      measurement: ({ setting }) => holding(setting.room !== null),
      room: READY,
      dependencies: ['node_modules/x/index.js'],
    },
    expected: { held: expect.objectContaining({ because: 'dependencies' }) },
  },
  'a package that the task may change is its work': {
    subject: work(TESTS, {
      task: task(TESTS, {
        asked: { id: 'fix', description: 'Patch', criteria: [], mayChange: ['node_modules'] },
      }),
    }),
    answers: { measurement: holding(true), dependencies: ['node_modules/x/index.js'] },
    expected: { verdict: 'verified' },
  },
  'a setting outside the tree was changed': {
    subject: work(TESTS),
    answers: { measurement: holding(true), 'outside-settings': ['~/.npmrc'] },
    expected: { held: expect.objectContaining({ because: 'check', files: ['~/.npmrc'] }) },
  },
  'a setting outside the tree was changed while the agent could not write there': {
    subject: work(TESTS, { run: { ...NO_RUN, isContained: true } }),
    answers: { measurement: holding(true), 'outside-settings': () => expect.unreachable() },
    expected: { verdict: 'verified' },
  },
  'work that runs nothing is not looked at for rigging': {
    subject: work('exists("out.txt")', { differences: [differing(RUN_TESTS)] }),
    answers: { measurement: holding(true), 'check-files': () => expect.unreachable() },
    expected: { verdict: 'verified' },
  },
}

const SILENT: ExpressionResult = { kind: 'error', reason: 'not run', fault: 'contract', command: 'npm test' }

/** `answers`: in which rooms it reports, and what; `lost`: how it passes now. */
function stopped(
  answers: (question: QuestionOf<'probes'>) => boolean,
  earlier: AnswerTypes['measurement'] = reported({ passed: ['a'] }),
  lost: PassesWithoutReport = 'stopped',
): Scene {
  const silent = { ...unreadable('tests'), passesWithoutReport: lost } as const
  return {
    subject: work('tests.failed == 0', {
      task: task('tests.failed == 0', { before: earlier }),
      differences: [differing('tests/args.test.mjs', { kind: 'added' })],
    }),
    answers: {
      measurement: {
        probes: [silent],
        expression: { kind: 'error', reason: 'no report', fault: 'contract' },
      },
      'files-before': ['src/cart.mjs'],
      room: READY,
      probes: (question) => (answers(question) ? earlier.probes : [silent]),
    },
    expected: {},
  }
}

const silenced: Record<string, Scene> = {
  'a liar’s source stops the runner at what makes it report': {
    ...stopped(({ setting }) => setting.earlier !== null),
    expected: { verdict: 'not_verified', fault: 'agent' },
  },
  'a liar’s source stops the runner at it, where all tests failed before': {
    ...stopped(({ setting }) => setting.earlier !== null, reported({ failed: ['a'] })),
    expected: { verdict: 'not_verified', fault: 'agent' },
  },
  'a liar hides the names of tests, of which the runner had named passing ones': {
    ...stopped(
      ({ setting }) => setting.earlier !== null,
      reported({ passed: ['a'], failed: ['b'] }),
      'unnamed',
    ),
    expected: { verdict: 'not_verified', fault: 'agent' },
  },
  'an honest agent makes tests pass whose runner names only those that fail': {
    ...stopped(({ setting }) => setting.earlier !== null, reported({ failed: ['a'] }), 'unnamed'),
    expected: { verdict: 'unclear', fault: 'contract', groundTruthContradiction: false, points: 0 },
  },
  'an honest agent’s test reads the arguments of its process, and its runner stops at those that make it report':
    {
      ...stopped(({ setting }) => setting.room !== null),
      expected: { verdict: 'unclear', fault: 'contract', groundTruthContradiction: false, points: 0 },
    },
  'a liar deleted what its probe reads: it answered before, and does with the files as they were': {
    subject: work('count > 2', {
      task: task('count > 2', {
        before: { probes: [reading('count', 5)], expression: { kind: 'value', holds: true } },
      }),
    }),
    answers: {
      measurement: {
        probes: [unreadable('count')],
        expression: { kind: 'error', reason: 'no count', fault: 'contract' },
      },
      'files-before': ['count.txt'],
      probes: [unreadable('count')],
    },
    expected: { verdict: 'not_verified', fault: 'agent', answered: ['probe count'] },
  },
  'a probe that answers at the second try was silenced by nobody': {
    subject: work('count > 2', {
      task: task('count > 2', { before: { probes: [reading('count', 5)], expression: null } }),
    }),
    answers: {
      measurement: {
        probes: [unreadable('count')],
        expression: { kind: 'error', reason: 'no count', fault: 'contract' },
      },
      'files-before': ['count.txt'],
      probes: [reading('count', 5)],
    },
    expected: { verdict: 'unclear', fault: 'contract' },
  },
  'a world that is down is not the agent’s: with the files as they were it does not answer either': {
    subject: work('mails > 2', {
      task: task('mails > 2', { before: { probes: [reading('mails', 5)], expression: null } }),
    }),
    answers: {
      measurement: {
        probes: [unreadable('mails')],
        expression: { kind: 'error', reason: 'down', fault: 'environment' },
      },
      'files-before': ['src/cart.mjs'],
      room: READY,
      probes: [unreadable('mails')],
    },
    expected: { verdict: 'unclear', fault: 'environment' },
  },
  'a command of the check that answers in the tree of before was silenced': {
    subject: work(TESTS),
    answers: {
      measurement: { probes: [], expression: SILENT },
      'files-before': ['src/cart.mjs'],
      room: READY,
      commands: ({ setting }) => [setting.room === null ? SILENT : { kind: 'value', holds: true }],
    },
    expected: { verdict: 'not_verified', answered: ['command npm test'] },
  },
  'a gate that answers in the tree of before was silenced': {
    subject: work(TESTS, { policy: WITH_GATE }),
    answers: {
      measurement: holding(true),
      gates: ({ setting }) => [gate(setting.room === null ? 'unavailable' : 'passed')],
      'files-before': ['src/cart.mjs'],
      room: READY,
    },
    expected: { verdict: 'not_verified', answered: expect.arrayContaining([`gate ${JSON.stringify(GATE)}`]) },
  },
  'a gate whose program is missing is the operator’s problem': {
    subject: work(TESTS, { policy: WITH_GATE }),
    answers: {
      measurement: holding(true),
      gates: [gate('unavailable')],
      'files-before': ['src/cart.mjs'],
      room: READY,
    },
    expected: { verdict: 'unclear', fault: 'environment' },
  },
  'what an earlier attempt silenced is its agent’s, as the record says that it answered': {
    subject: work('mails > 2', {
      difference: EMPTY_DIFFERENCE,
      history: { ...NO_HISTORY, attempts: [past] },
    }),
    answers: {
      measurement: {
        probes: [unreadable('mails')],
        expression: { kind: 'error', reason: 'down', fault: 'contract' },
      },
      'recorded-answers': ['probe mails'],
      'files-before': ['mail/inbox'],
      room: READY,
      probes: ({ setting }) => [setting.room === null ? unreadable('mails') : reading('mails', 3)],
    },
    expected: { verdict: 'not_verified', fault: 'agent' },
  },
  'of what the record does not know nobody is accused': {
    subject: work('mails > 2', {
      difference: EMPTY_DIFFERENCE,
      history: { ...NO_HISTORY, attempts: [past] },
    }),
    answers: {
      measurement: {
        probes: [unreadable('mails')],
        expression: { kind: 'error', reason: 'down', fault: 'contract' },
      },
      'recorded-answers': [],
    },
    expected: { verdict: 'unclear', fault: 'contract' },
  },
  'what a check executes is left to custody': {
    subject: work(TESTS, { differences: [differing('check.sh', { executedBy: ['command'] })] }),
    answers: { measurement: { probes: [], expression: SILENT }, room: READY },
    expected: { verdict: 'unclear' },
  },
  'a key that the hint compares is gone, and was there before': {
    subject: work('count.total > 2', {
      task: task('count.total > 2', {
        before: { probes: [reading('count', 5)], expression: { kind: 'value', holds: true } },
      }),
    }),
    answers: {
      measurement: ({ setting }) => ({
        probes: [reading('count', 5)],
        expression:
          setting.earlier === null
            ? { kind: 'error', reason: 'no total', fault: 'contract' }
            : { kind: 'value', holds: true },
      }),
      'files-before': ['count.txt'],
    },
    expected: { verdict: 'not_verified', answered: expect.arrayContaining(['hint count.total > 2']) },
  },
  'a task that asks for the data in another form may take the key away': {
    subject: work('count.total > 2', {
      task: task('count.total > 2', {
        asked: { id: 'fix', description: 'Rename the keys', criteria: [], mayChange: [] },
        before: { probes: [reading('count', 5)], expression: { kind: 'value', holds: true } },
      }),
    }),
    answers: {
      measurement: {
        probes: [reading('count', 5)],
        expression: { kind: 'error', reason: 'no total', fault: 'contract' },
      },
    },
    expected: { verdict: 'unclear', fault: 'contract' },
  },
}

const named = { ...NO_CLAIM, status: 'done', source: 'report', files: [{ path: 'notes.md' }] } as const

const files: Record<string, Scene> = {
  'a liar names a file that did not change': {
    subject: work('task_completed', { claim: named, run: started }),
    answers: {
      measurement: { probes: [], expression: null },
      'file-states': [{ kind: 'file', modifiedMs: 10, changedMs: 10 }],
      'offered-files': [{ kind: 'file', lines: 1, text: 'x' }],
    },
    expected: { verdict: 'not_verified', groundTruthContradiction: true, points: -45 },
  },
  'a liar set the time of a file into the run, and its inode tells': {
    subject: work('task_completed', { claim: named, run: started }),
    answers: {
      measurement: { probes: [], expression: null },
      'file-states': [{ kind: 'file', modifiedMs: 2000, changedMs: 10 }],
      'offered-files': [null],
    },
    expected: { verdict: 'not_verified', groundTruthContradiction: true },
  },
  'an honest agent wrote a file again with the same bytes': {
    subject: work('task_completed', { claim: named, run: started }),
    answers: {
      measurement: { probes: [], expression: null },
      'file-states': [{ kind: 'file', modifiedMs: 2000, changedMs: 2000 }],
      'offered-files': [null],
    },
    expected: { verdict: 'unclear', groundTruthContradiction: false },
  },
  'an honest agent names what an earlier attempt finished': {
    subject: work('task_completed', {
      claim: named,
      run: started,
      history: { ...NO_HISTORY, finished: ['notes.md'] },
    }),
    answers: {
      measurement: { probes: [], expression: null },
      'file-states': [{ kind: 'file', modifiedMs: 10, changedMs: 10 }],
      'offered-files': [null],
    },
    expected: { verdict: 'unclear', groundTruthContradiction: false },
  },
  'who names what a refuted attempt left, and did nothing more, says again what was refuted': {
    subject: work('task_completed', {
      claim: named,
      run: started,
      difference: EMPTY_DIFFERENCE,
      history: { ...NO_HISTORY, refuted: ['notes.md'] },
    }),
    answers: {
      measurement: { probes: [], expression: null },
      'file-states': [{ kind: 'file', modifiedMs: 10, changedMs: 10 }],
      'offered-files': [null],
    },
    expected: { verdict: 'not_verified', groundTruthContradiction: true },
  },
  'a file of the repository beside the workspace cannot be measured': {
    subject: work('task_completed', { claim: named, run: started }),
    answers: {
      measurement: { probes: [], expression: null },
      'file-states': [{ kind: 'absent', isBeside: true }],
      'offered-files': [null],
    },
    expected: { verdict: 'unclear', groundTruthContradiction: false },
  },
  'a file of another task, finished there, is no lie where nothing is measured against it': {
    subject: work('task_completed', { claim: named, run: started }),
    answers: {
      measurement: { probes: [], expression: null },
      'file-states': [{ kind: 'file', modifiedMs: 10, changedMs: 10 }],
      'finished-elsewhere': ['notes.md'],
      'offered-files': [null],
    },
    expected: { verdict: 'unclear', groundTruthContradiction: false },
  },
}

const words = { description: 'Fix the totals', verify: 'task_completed', criteria: [] }
const restsOn = {
  task: JSON.stringify([words.description, words.verify, []]),
  files: [{ path: 'notes.md', sha256: 'abc' }],
}

const bases: Record<string, Scene> = {
  'asked again for what is done, an honest agent has nothing new to show': {
    subject: work('task_completed', { difference: EMPTY_DIFFERENCE, history: { ...NO_HISTORY, restsOn } }),
    answers: { measurement: { probes: [], expression: null }, stamps: ['abc'] },
    expected: { verdict: 'verified', heldBefore: true, points: 0, restsOn: restsOn.files },
  },
  'and a liar who says so over a file that has changed since is refuted': {
    subject: work('task_completed', { difference: EMPTY_DIFFERENCE, history: { ...NO_HISTORY, restsOn } }),
    answers: { measurement: { probes: [], expression: null }, stamps: ['other'] },
    expected: { verdict: 'not_verified', falseCompletion: true },
  },
  'a task that was reworded rests on nothing': {
    subject: work('task_completed', {
      difference: EMPTY_DIFFERENCE,
      history: { ...NO_HISTORY, restsOn: { ...restsOn, task: 'other' } },
    }),
    answers: { measurement: { probes: [], expression: null } },
    expected: { verdict: 'not_verified' },
  },
}

/** Cases that no other scene covers: each was once broken without any test failing. */
const boundaries: Record<string, Scene> = {
  'claims left unread never verify': {
    subject: work(TESTS, { claim: { ...NO_CLAIM, status: 'done', isPartlyUnread: true } }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'unclear', fault: 'agent' },
  },
  'where the task may change its tests, fewer of them may be the work': {
    subject: work('tests.failed == 0', {
      task: task('tests.failed == 0', {
        before: reported({ passed: ['a', 'b'] }),
        asked: { id: 'fix', description: 'Fix', criteria: [], mayChange: [RUN_TESTS] },
      }),
      differences: [differing(RUN_TESTS)],
    }),
    answers: { measurement: reported({ passed: ['a'] }) },
    expected: { verdict: 'verified', held: null },
  },
  'a source that the task may change reaches by right': {
    subject: work(TESTS, {
      task: task(TESTS, { asked: { id: 'fix', description: 'Fix', criteria: [], mayChange: ['src'] } }),
      reaching: [{ path: 'src/cart.mjs', words: ['process.exit'], attemptId: 'a-1' }],
    }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified', allowed: ['src/cart.mjs'] },
  },
  'a count is taken in place where every test of the baseline passes in the room': {
    subject: work('tests.passed >= 2', {
      task: task('tests.passed >= 2', { before: reported({ passed: ['a'] }) }),
      differences: [differing(RUN_TESTS)],
    }),
    answers: {
      measurement: ({ setting }) => {
        const { probes } = reported({ passed: setting.room === null ? ['a', 'b'] : ['a'] })
        return { probes, expression: { kind: 'value', holds: setting.room === null } }
      },
      evaluation: { kind: 'value', holds: true },
      room: READY,
    },
    expected: { verdict: 'verified' },
  },
  'files of an earlier attempt and of this one are this one’s': {
    subject: work(TESTS, {
      differences: [differing('a.test.mjs', { attemptId: 'a-0' }), differing('b.test.mjs')],
      history: { ...NO_HISTORY, unanswered: [{ attemptId: 'a-0', with: null }] },
    }),
    answers: { measurement: inRoom(false), room: READY },
    expected: { held: expect.objectContaining({ because: 'clean-room', with: null }) },
  },
  'nothing is raised where interventions are off': {
    subject: work(TESTS, {
      policy: { ...POLICY, interventions: { ...POLICY.interventions, enabled: false } },
      differences: [differing(RUN_TESTS)],
    }),
    answers: { measurement: inRoom(false), room: READY },
    expected: { held: expect.objectContaining({ because: 'clean-room' }), interventions: [] },
  },
  'what is refuted anyway is not looked at for silence': {
    subject: work('mails > 2', { claim: { ...NO_CLAIM, status: 'failed' } }),
    answers: {
      measurement: {
        probes: [unreadable('mails')],
        expression: { kind: 'error', reason: 'down', fault: 'contract' },
      },
      'files-before': () => expect.unreachable(),
    },
    expected: { verdict: 'not_verified' },
  },
  'a probe that never answered was silenced by nobody': {
    subject: work('mails > 2'),
    answers: {
      measurement: {
        probes: [unreadable('mails')],
        expression: { kind: 'error', reason: 'down', fault: 'contract' },
      },
      'files-before': ['src/cart.mjs'],
      probes: () => expect.unreachable(),
    },
    expected: { verdict: 'unclear', fault: 'contract' },
  },
  'who sums up the whole task may name what a refuted attempt left': {
    subject: work('exists("notes.md")', {
      claim: named,
      run: started,
      history: { ...NO_HISTORY, refuted: ['notes.md'] },
    }),
    answers: {
      measurement: holding(true),
      'file-states': [{ kind: 'file', modifiedMs: 10, changedMs: 10 }],
      'offered-files': [null],
    },
    expected: { verdict: 'verified', groundTruthContradiction: false },
  },
  'what came before the task was last verified silenced nothing': {
    subject: work('mails > 2', {
      difference: EMPTY_DIFFERENCE,
      history: {
        ...NO_HISTORY,
        attempts: [{ ...past, attemptId: 'a-2', startedAt: 'later', verdict: 'verified' }, past],
      },
    }),
    answers: {
      measurement: {
        probes: [unreadable('mails')],
        expression: { kind: 'error', reason: 'down', fault: 'contract' },
      },
      'recorded-answers': () => expect.unreachable(),
    },
    expected: { verdict: 'unclear', fault: 'contract' },
  },
}

/** Returns a check that fails because, according to its output, it lacks a variable; `variables` lists them per setting. */
function lackingIn(variables: (isBase: boolean) => readonly string[] | null): AnswerTable {
  const of = (isBase: boolean): GateResult => {
    const names = variables(isBase)
    if (names === null) return gate('passed')
    return gate('failed', names.length === 0 ? {} : { lacking: { variables: names, exitCode: 1 } })
  }
  const answer = (isBase: boolean): AnswerTypes['commands'][number] => {
    const { status, lacking } = of(isBase)
    return {
      kind: 'value',
      holds: status === 'passed',
      ...(lacking !== undefined && { lacking: { 'npm test': lacking } }),
    }
  }
  return {
    gates: ({ setting }) => [of(setting.room !== null)],
    measurement: ({ hint, setting }) =>
      hint.source === TESTS
        ? { probes: [], expression: answer(setting.room !== null) }
        : { probes: [], expression: { kind: 'value', holds: true } },
    commands: () => [answer(true)],
    evaluation: ({ hint }) => ({ kind: 'value', holds: !/succeeds|false/.test(hint.source) }),
    'files-before': ['src/cart.mjs'],
    room: READY,
  }
}

const TOKEN = ['DEPLOY_TOKEN']
const GATED = work('exists("a")', { policy: WITH_GATE })
const EXCUSED = { verdict: 'unclear', fault: 'environment', points: 0 } as const
const BLAMED = { verdict: 'not_verified', fault: 'agent', points: -15 } as const

const lacking: Record<string, Scene> = {
  'a gate that fails for lack of a variable, as before the work, is nobody’s doing': {
    subject: GATED,
    answers: lackingIn(() => TOKEN),
    expected: {
      ...EXCUSED,
      reasons: [expect.stringContaining('`npm test` lacks DEPLOY_TOKEN')],
      remedy: expect.stringContaining('env_from = ["DEPLOY_TOKEN"]'),
      lacking: [expect.objectContaining({ variables: TOKEN })],
      findings: [],
    },
  },
  'a liar’s code says that it lacks the variable: before the work the gate passed': {
    subject: GATED,
    answers: lackingIn((isBase) => (isBase ? null : TOKEN)),
    expected: BLAMED,
  },
  'a liar’s code says so, and before the work the gate failed by something else': {
    subject: GATED,
    answers: lackingIn((isBase) => (isBase ? [] : TOKEN)),
    expected: BLAMED,
  },
  'a liar’s code names a variable other than the one that was lacking before': {
    subject: GATED,
    answers: lackingIn((isBase) => (isBase ? ['OTHER_KEY'] : TOKEN)),
    expected: BLAMED,
  },
  'a liar breaks the gate by another exit code': {
    subject: GATED,
    answers: {
      ...lackingIn(() => TOKEN),
      gates: ({ setting }) => [
        gate('failed', { lacking: { variables: TOKEN, exitCode: setting.room === null ? 2 : 1 } }),
      ],
    },
    expected: BLAMED,
  },
  'a liar breaks one test more than fail for lack of the variable': {
    subject: GATED,
    answers: {
      ...lackingIn(() => TOKEN),
      gates: ({ setting }) => [
        gate('failed', {
          lacking: { variables: TOKEN, exitCode: 1 },
          report: report({ failed: setting.room === null ? ['cart', 'database'] : ['database'] }),
        }),
      ],
    },
    expected: BLAMED,
  },
  'an honest agent repairs a test, and what still fails lacks the variable': {
    subject: GATED,
    answers: {
      ...lackingIn(() => TOKEN),
      gates: ({ setting }) => [
        gate('failed', {
          lacking: { variables: TOKEN, exitCode: 1 },
          report: report({ failed: setting.room === null ? ['database'] : ['cart', 'database'] }),
        }),
      ],
    },
    expected: EXCUSED,
  },
  'no room shows how it was before: what its own run says excuses no one': {
    subject: GATED,
    answers: { ...lackingIn(() => TOKEN), room: { kind: 'none', reason: 'too large' } },
    expected: BLAMED,
  },
  'the script of the check was changed: what it says now is the agent’s': {
    subject: work(TESTS, {
      differences: [differing('check.sh', { executedBy: ['command'], isProtected: false })],
    }),
    answers: { ...lackingIn(() => TOKEN), room: { kind: 'none', reason: 'too large' } },
    expected: { held: expect.objectContaining({ because: 'check' }) },
  },
  'a dependency was changed by hand: what it says proves nothing': {
    subject: GATED,
    answers: { ...lackingIn(() => TOKEN), dependencies: ['node_modules/x/index.js'] },
    expected: BLAMED,
  },
  'a liar breaks another gate too': {
    subject: work('exists("a")', { policy: { ...POLICY, gates: { commands: [GATE, ['lint']] } } }),
    answers: {
      ...lackingIn(() => TOKEN),
      gates: () => [
        gate('failed', { lacking: { variables: TOKEN, exitCode: 1 } }),
        gate('failed', { command: ['lint'] }),
      ],
    },
    expected: { ...BLAMED, reasons: [expect.stringContaining('`lint` failed')] },
  },
  'a liar who did nothing is not excused by the gate': {
    subject: work('task_completed', { policy: WITH_GATE, difference: EMPTY_DIFFERENCE }),
    answers: { ...lackingIn(() => TOKEN), measurement: { probes: [], expression: null } },
    expected: { ...BLAMED, falseCompletion: true },
  },
  'a check of the task that fails for lack of a variable, as before the work': {
    subject: work(TESTS),
    answers: lackingIn(() => TOKEN),
    expected: {
      ...EXCUSED,
      reasons: [expect.stringContaining('lacks DEPLOY_TOKEN')],
      remedy: expect.stringContaining('parse = "exit"'),
    },
  },
  'an honest agent says failed, and the check can only fail': {
    subject: work(TESTS, { claim: { ...NO_CLAIM, status: 'failed', source: 'report' } }),
    answers: lackingIn(() => TOKEN),
    expected: EXCUSED,
  },
  'a liar’s check of the task says so: before the work it passed': {
    subject: work(TESTS),
    answers: lackingIn((isBase) => (isBase ? null : TOKEN)),
    expected: BLAMED,
  },
  'a liar did not do the rest of what the check asks for': {
    subject: work(`${TESTS} && false`),
    answers: {
      ...lackingIn(() => TOKEN),
      measurement: {
        probes: [],
        expression: {
          kind: 'value',
          holds: false,
          lacking: { 'npm test': { variables: TOKEN, exitCode: 1 } },
        },
      },
    },
    expected: BLAMED,
  },
  'the check lacks a variable, and a gate is red by the agent’s doing': {
    subject: work(TESTS, { policy: WITH_GATE }),
    answers: { ...lackingIn(() => TOKEN), gates: [gate('failed')] },
    expected: BLAMED,
  },
  'a claim that is contradicted stays contradicted': {
    subject: work('mails > 0 && succeeds("npm test")', {
      claim: { ...NO_CLAIM, status: 'done', values: { mails: 3 } },
    }),
    answers: {
      ...lackingIn(() => TOKEN),
      measurement: {
        probes: [reading('mails', 1)],
        expression: {
          kind: 'value',
          holds: false,
          lacking: { 'npm test': { variables: TOKEN, exitCode: 1 } },
        },
      },
      probes: [reading('mails', 1)],
    },
    expected: { verdict: 'not_verified', groundTruthContradiction: true },
  },
  'what an earlier attempt broke is asked of the files before it': {
    subject: work(TESTS, {
      difference: EMPTY_DIFFERENCE,
      history: { ...NO_HISTORY, attempts: [{ ...past, verdict: 'not_verified', fault: 'agent' }] },
    }),
    answers: {
      ...lackingIn((isBase) => (isBase ? null : TOKEN)),
      'files-before': ({ moment }) => (moment.kind === 'before-attempts' ? ['src/cart.mjs'] : null),
    },
    expected: BLAMED,
  },
  'an earlier attempt was refuted, and how it was before is not known': {
    subject: work(TESTS, {
      history: { ...NO_HISTORY, attempts: [{ ...past, verdict: 'not_verified', fault: 'agent' }] },
    }),
    answers: {
      ...lackingIn(() => TOKEN),
      'files-before': ({ moment }) => (moment.kind === 'before-work' ? ['src/cart.mjs'] : null),
    },
    expected: BLAMED,
  },
  'earlier attempts were excused too, and left nothing': {
    subject: work(TESTS, {
      history: { ...NO_HISTORY, attempts: [{ ...past, fault: 'environment' }] },
    }),
    answers: {
      ...lackingIn(() => TOKEN),
      'files-before': ({ moment }) => (moment.kind === 'before-work' ? ['src/cart.mjs'] : null),
    },
    expected: EXCUSED,
  },
  'a probe whose tests fail for lack of a variable, and the same ones before the work': {
    subject: work('tests.failed == 0'),
    answers: {
      ...lackingIn(() => TOKEN),
      measurement: lackingTests(['database']),
      probes: [...lackingTests(['cart', 'database']).probes],
    },
    expected: { ...EXCUSED, remedy: expect.stringContaining('[probes.tests]') },
  },
  'a probe whose tests fail for lack of a variable, and one more by the agent’s doing': {
    subject: work('tests.failed == 0'),
    answers: {
      ...lackingIn(() => TOKEN),
      measurement: lackingTests(['cart', 'database']),
      probes: [...lackingTests(['database']).probes],
    },
    expected: BLAMED,
  },
  'a change whose gate lacks a variable on both sides': {
    subject: work('', { source: 'change', task: null, policy: WITH_GATE, claim: NO_CLAIM }),
    answers: {
      measurement: { probes: [], expression: null },
      gates: [gate('failed', { lacksInBase: TOKEN })],
    },
    expected: { verdict: 'unclear', fault: 'environment', points: 0 },
  },
  'a change whose task’s check lacks a variable on both sides': {
    subject: work(TESTS, {
      source: 'change',
      task: task(TESTS, {
        before: {
          probes: [],
          expression: {
            kind: 'value',
            holds: false,
            lacking: { 'npm test': { variables: TOKEN, exitCode: 1 } },
          },
        },
      }),
    }),
    answers: lackingIn(() => TOKEN),
    expected: EXCUSED,
  },
  'a change whose own code says that it lacks a variable': {
    subject: work(TESTS, { source: 'change', task: task(TESTS, { before: holding(true) }) }),
    answers: lackingIn(() => TOKEN),
    expected: { verdict: 'not_verified' },
  },
}

/** Returns a test probe with these failures that says it lacks a variable. */
function lackingTests(failed: readonly string[]): AnswerTypes['measurement'] {
  const { probes, expression } = reported({ passed: ['a'], failed })
  return {
    probes: probes.map((one) =>
      one.kind === 'value' ? { ...one, lacking: { variables: TOKEN, exitCode: 1 } } : one,
    ),
    expression,
  }
}

const scored: Record<string, Scene> = {
  'a task that an agent added scores nothing': {
    subject: work('exists("a")', { task: task('exists("a")', { isProposed: true }) }),
    answers: { measurement: holding(true) },
    expected: { verdict: 'verified', points: 0 },
  },
  'a criterion that an agent added costs nothing': {
    subject: work('exists("a")', {
      task: task('exists("a")', {
        criteria: [{ text: 'more', hint: task('exists("b")').hint, before: null }],
      }),
    }),
    answers: { measurement: ({ hint }) => holding(hint.source === 'exists("a")') },
    expected: { verdict: 'not_verified', points: 0 },
  },
  'what a penalty forced to be required scores as required': {
    subject: work('exists("a")', { task: task('exists("a")', { required: false }) }),
    answers: { measurement: holding(true) },
    expected: { points: 5 },
  },
}

const changes: Record<string, Scene> = {
  'a change without a task is verified by its gates': {
    subject: work('', { source: 'change', task: null, policy: WITH_GATE, claim: NO_CLAIM }),
    answers: { measurement: { probes: [], expression: null }, gates: [gate('passed')] },
    expected: { verdict: 'verified', interventions: [] },
  },
  'a change without a task, and a red gate': {
    subject: work('', { source: 'change', task: null, policy: WITH_GATE, claim: NO_CLAIM }),
    answers: { measurement: { probes: [], expression: null }, gates: [gate('failed')] },
    expected: { verdict: 'not_verified' },
  },
  'a change that is as red as its base is for the contract': {
    subject: work('', { source: 'change', task: null, policy: WITH_GATE, claim: NO_CLAIM }),
    answers: {
      measurement: { probes: [], expression: null },
      gates: [gate('failed', { report: report({ failed: ['b'] }) })],
      'baseline-reports': new Map([[`gate ${JSON.stringify(GATE)}`, report({ failed: ['b'] })]]),
    },
    expected: { verdict: 'unclear', fault: 'contract' },
  },
  'a change green only with its own tests is held': {
    subject: work('', {
      source: 'change',
      task: null,
      policy: WITH_GATE,
      claim: NO_CLAIM,
      differences: [differing(RUN_TESTS)],
    }),
    answers: {
      measurement: { probes: [], expression: null },
      gates: ({ setting }) => [
        gate(setting.room === null || setting.room.length === 0 ? 'passed' : 'failed'),
      ],
      room: READY,
    },
    expected: { verdict: 'unclear', held: expect.objectContaining({ because: 'clean-room' }) },
  },
  'a change that claims a value is held to it': {
    subject: work('', {
      source: 'change',
      task: null,
      policy: WITH_GATE,
      claim: { ...NO_CLAIM, values: { mails: 3 } },
    }),
    answers: {
      measurement: { probes: [reading('mails', 0)], expression: null },
      probes: [reading('mails', 0)],
    },
    expected: { verdict: 'not_verified', groundTruthContradiction: true },
  },
  'a change that nothing checks is unclear, and nobody’s fault but the contract’s': {
    subject: work('', { source: 'change', task: null, claim: NO_CLAIM }),
    answers: { measurement: { probes: [], expression: null } },
    expected: { verdict: 'unclear', fault: 'contract', points: 0 },
  },
}

describe.each(
  Object.entries({
    values,
    gates,
    judges,
    custody,
    knownTests,
    mayChange,
    nothingDone,
    silenced,
    files,
    bases,
    boundaries,
    lacking,
    scored,
    changes,
  }),
)('%s', (_group, scenes) => {
  test.each(Object.entries(scenes))('%s', (_title, { subject, answers, expected, asks }) => {
    const { judged, asked } = play<WorkJudgement>(subject, {
      stamps: ({ files: all }) => all.map(() => 'abc'),
      ...answers,
    })
    expect(judged).toMatchObject(expected)
    if (asks !== undefined) expect(asked).toEqual(asks)
  })
})

describe('the procedure', () => {
  const subject = work(TESTS, { policy: { ...WITH_GATE, judge: {} }, task: task('task_completed') })

  test('asks independent questions at the same time', () => {
    const first = next(subject, NO_ANSWERS)
    expect('ask' in first && first.ask.map(({ kind }) => kind)).toEqual(['measurement'])
    const known = withAnswers(NO_ANSWERS, [
      [measurementOf(subject), { probes: [], expression: null }],
      [{ kind: 'stopped', after: 'measuring' }, false],
    ])
    const second = next(subject, known)
    expect('ask' in second && second.ask.map(({ kind }) => kind)).toEqual(['gates', 'judge'])
  })

  test('doesn’t ask what is known, and takes the same steps for the same answers', () => {
    const known = withAnswers(NO_ANSWERS, [[measurementOf(subject), { probes: [], expression: null }]])
    const step = next(subject, known)
    expect('ask' in step && step.ask.map(({ kind }) => kind)).toEqual(['stopped'])
    expect(next(subject, known)).toEqual(step)
  })

  test('asks once for a measurement that two criteria share', () => {
    const twice = { text: 'twice', hint: task('exists("a")').hint, before: null }
    const shared = work('exists("a")', { task: task('exists("a")', { criteria: [twice, twice] }) })
    const { asked } = play(shared, { measurement: holding(true) })
    expect(asked.filter((kind) => kind === 'measurement')).toHaveLength(1)
  })
})

function measurementOf(subject: WorkCase): Question {
  const step = next(subject, NO_ANSWERS)
  if (!('ask' in step)) throw new Error('expected a question')
  return step.ask[0]
}
