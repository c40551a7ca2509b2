import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Claim, type JsonValue, NO_CLAIM } from '../claims/types.ts'
import type { Hint } from '../contract/hint.ts'
import { workOf } from '../verification/difference.ts'
import {
  type CriterionInput,
  EMPTY_DIFFERENCE,
  type ExpressionResult,
  type FileDifference,
  type GateResult,
  type JudgeResult,
  type Measurement,
  type ProbeReading,
  type VerdictDecision,
  type VerdictInput,
} from '../verification/types.ts'
import { decideVerdict } from './verdict.ts'

const EXPRESSION: Hint = {
  kind: 'expression',
  source: 'email_count > 0',
  probes: ['email_count'],
  functions: [],
}
const CHANGES: Hint = { kind: 'expression', source: 'changed("a")', probes: [], functions: ['changed'] }
const PROBE: Hint = { kind: 'probe', source: 'email_count', name: 'email_count', path: [] }
const PASSED: Hint = { kind: 'probe', source: 'tests.passed', name: 'tests', path: ['passed'] }
const TESTS: Hint = { kind: 'probe', source: 'tests', name: 'tests', path: [] }
const SUITE: JsonValue = { passed: 3, total: 4, names: ['a', 'b'] }
const CLAIMED_WHOLE: readonly Claim['values'][] = [
  { tests: { passed: 3, total: 4, names: ['a', 'b'] } },
  { 'tests.passed': 3, 'tests.total': '4', 'tests.names': ['a', 'b'] },
  { tests: { passed: 3, total: 4 }, 'tests.names.0': 'a', 'tests.names.1': 'b' },
]
const CLAIMED_IN_PART: readonly { values: Claim['values']; isContradiction: boolean }[] = [
  { values: { tests: { total: 4 } }, isContradiction: false },
  { values: { 'tests.passed': 3 }, isContradiction: false },
  { values: { tests: { passed: 3, total: 4, names: [] } }, isContradiction: true },
]
const WORDS: Hint = { kind: 'words', source: 'task_completed' }
const BROKEN: Hint = { kind: 'broken', source: 'email_count >', reason: 'it ends too early' }

const HOLDS: ExpressionResult = { kind: 'value', holds: true }
const FAILS: ExpressionResult = { kind: 'value', holds: false }
const CHANGED: FileDifference = { ...EMPTY_DIFFERENCE, added: ['notes/inbox.md'] }
const UNSTORABLE: FileDifference = { ...CHANGED, unstorable: 'fatal: no BOM' }
const UNSEEN: FileDifference = { ...EMPTY_DIFFERENCE, incomplete: 'too many files' }
const CHECKED: FileDifference = { ...EMPTY_DIFFERENCE, modified: ['HEARTBEAT.md', 'pulseward.toml'] }
const DONE: Claim = { ...NO_CLAIM, status: 'done', exitSignal: true, source: 'report' }

function reads(name: string, value: JsonValue): ProbeReading {
  return { kind: 'value', name, value }
}
function measured(expression: ExpressionResult | null, ...probes: ProbeReading[]): Measurement {
  return { expression, probes }
}
function gate(status: GateResult['status']): GateResult {
  return {
    command: ['npm', 'test'],
    status,
    exitCode: status === 'failed' ? 1 : null,
    detail: 'its last line',
    durationMs: 5,
  }
}
function answer(verdict: 'verified' | 'not_verified' | 'unclear'): JudgeResult {
  return { kind: 'answer', verdict, reason: 'I looked' }
}

/** An attempt that ended normally, said nothing, changed nothing, and has nothing to measure. */
const BASE: VerdictInput = {
  required: true,
  outcome: 'completed',
  environmentFault: null,
  claim: NO_CLAIM,
  hint: WORDS,
  before: measured(null),
  after: measured(null),
  difference: EMPTY_DIFFERENCE,
  fileClaims: [],
  gates: [],
  judge: null,
}

type Expected = Pick<VerdictDecision, 'verdict' | 'fault'> & {
  contradiction?: boolean
  skipped?: boolean
  falseCompletion?: boolean
  reason: RegExp
}

const FAULT = { reason: 'rate limit reached', remedy: 'Wait.' }
const MISSING = {
  path: 'report.md',
  finding: 'missing',
  reason: 'it did not change during the attempt',
} as const
const SHOWN = { path: 'notes/inbox.md', finding: 'shown' } as const
const UNMEASURABLE = { path: 'dist/x', finding: 'unmeasurable', reason: 'git ignores it' } as const
const zero = measured(FAILS, reads('email_count', 0))
const three = measured(HOLDS, reads('email_count', 3))
const AT_WORK = { atWork: true, inARow: 0 }
const criterion = (text: string, after: Measurement): CriterionInput => ({
  text,
  hint: EXPRESSION,
  before: null,
  after,
})
const WRONG = { ...DONE, values: { email_count: 3 } }
const NO_POINTS = { verdict: null, fault: 'environment' } as const
const LIE = { verdict: 'not_verified', fault: 'agent', contradiction: true } as const
const AGENT = { verdict: 'not_verified', fault: 'agent' } as const
const GOOD = { verdict: 'verified', fault: null } as const
const UNREADABLE: ProbeReading = {
  kind: 'unreadable',
  name: 'email_count',
  reason: 'exit 1',
  configured: true,
}
const UNKNOWN: ProbeReading = {
  kind: 'unreadable',
  name: 'email_count',
  reason: 'there is no probe email_count',
  configured: false,
}

/** Every row of the design's table, and which row comes first if two could apply. */
const CASES: readonly (readonly [string, Partial<VerdictInput>, Expected])[] = [
  // git can't store what an isolated attempt left
  [
    'a passing check over files that cannot land',
    { hint: EXPRESSION, after: three, difference: UNSTORABLE },
    { verdict: 'unclear', fault: 'environment', reason: /nothing of it can land: fatal: no BOM/ },
  ],
  [
    'a failing check over files that cannot land',
    { hint: EXPRESSION, after: zero, difference: UNSTORABLE },
    { ...AGENT, reason: /fails/ },
  ],
  [
    'a false claim over files that cannot land',
    { hint: EXPRESSION, after: zero, claim: WRONG, difference: UNSTORABLE },
    { ...LIE, reason: /claimed/ },
  ],
  // the environment stopped the agent
  ['unavailable, no claim', { outcome: 'unavailable' }, { ...NO_POINTS, reason: /could not run/ }],
  ['denied, no claim', { outcome: 'denied' }, { ...NO_POINTS, reason: /denied/ }],
  [
    'an environment fault, no claim',
    { outcome: 'error', environmentFault: FAULT },
    { ...NO_POINTS, reason: /rate limit reached/ },
  ],
  [
    'an environment fault with a claimed value that changes by itself',
    { environmentFault: FAULT, claim: WRONG, after: zero, again: [reads('email_count', 5)] },
    { ...NO_POINTS, reason: /rate limit reached/ },
  ],
  [
    'an environment fault with a claimed value that differs twice',
    { environmentFault: FAULT, claim: WRONG, after: zero, again: [reads('email_count', 0)] },
    { ...LIE, falseCompletion: true, reason: /claimed email_count = 3, measured 0/ },
  ],
  [
    'an environment fault with a correct claim',
    { environmentFault: FAULT, claim: WRONG, after: three },
    { ...NO_POINTS, reason: /not scored/ },
  ],
  [
    'an environment fault with a false completion',
    { environmentFault: FAULT, claim: DONE },
    { ...NO_POINTS, reason: /rate limit/ },
  ],
  [
    'an environment fault with a skip',
    { environmentFault: FAULT, claim: { ...DONE, status: 'skipped' } },
    { ...NO_POINTS, reason: /rate limit/ },
  ],
  [
    'an environment fault with a claim that contradicts a measured value',
    { environmentFault: FAULT, claim: WRONG, hint: EXPRESSION, after: zero },
    { ...LIE, falseCompletion: true, reason: /claimed email_count = 3, measured 0/ },
  ],
  [
    'an environment fault with a missing claimed file',
    { environmentFault: FAULT, claim: DONE, fileClaims: [MISSING], difference: CHANGED },
    { ...LIE, reason: /report\.md/ },
  ],
  // skipped
  [
    'skipped, optional',
    { required: false, claim: { ...NO_CLAIM, status: 'skipped' } },
    { verdict: null, fault: null, skipped: true, reason: /optional/ },
  ],
  ['skipped, required', { claim: { ...NO_CLAIM, status: 'skipped' } }, { ...AGENT, reason: /required/ }],
  [
    'skipped before a wrong value',
    { required: false, claim: { ...WRONG, status: 'skipped' }, after: zero },
    { verdict: null, fault: null, skipped: true, reason: /optional/ },
  ],
  // contradicted
  [
    'a wrong value, a passing expression and a passing gate',
    {
      claim: { ...DONE, values: { email_count: 5 } },
      hint: EXPRESSION,
      after: three,
      difference: CHANGED,
      gates: [gate('passed')],
    },
    { ...LIE, reason: /claimed email_count = 5, measured 3/ },
  ],
  [
    'a wrong value for a bare probe',
    {
      claim: WRONG,
      hint: PROBE,
      before: zero,
      after: measured(null, reads('email_count', 0)),
      difference: CHANGED,
    },
    { ...LIE, reason: /claimed email_count = 3, measured 0/ },
  ],
  [
    'a wrong value for a bare probe with no file written: contradicts the value, not the completion',
    { claim: WRONG, hint: PROBE, before: zero, after: measured(null, reads('email_count', 0)) },
    { ...LIE, reason: /claimed email_count = 3, measured 0/ },
  ],
  [
    'a wrong value confirmed by a second reading',
    { claim: WRONG, hint: EXPRESSION, after: zero, again: [reads('email_count', 0)] },
    { ...LIE, falseCompletion: true, reason: /measured 0/ },
  ],
  [
    'a value of a probe that changes by itself, whatever else passes',
    {
      claim: { ...DONE, values: { email_count: 4 } },
      hint: EXPRESSION,
      after: three,
      again: [reads('email_count', 5)],
    },
    {
      verdict: 'unclear',
      fault: 'contract',
      falseCompletion: true,
      reason: /measured 3 and then 5: it changes by itself/,
    },
  ],
  [
    'one value that changes by itself and one that is wrong',
    {
      claim: { ...DONE, values: { email_count: 4, 'tests.passed': 9 } },
      hint: EXPRESSION,
      after: measured(HOLDS, reads('email_count', 3), reads('tests', { passed: 1 })),
      again: [reads('email_count', 5), reads('tests', { passed: 1 })],
      difference: CHANGED,
    },
    { ...LIE, reason: /^claimed tests\.passed = 9, measured 1$/ },
  ],
  [
    'a value within the tolerance of its probe',
    {
      claim: { ...DONE, values: { email_count: 3.2 } },
      hint: EXPRESSION,
      after: measured(HOLDS, { ...reads('email_count', 3), kind: 'value', value: 3, tolerance: 0.5 }),
    },
    { ...GOOD, reason: /passes/ },
  ],
  [
    'a wrong value for a dotted path',
    {
      claim: { ...DONE, values: { 'tests.passed': 12 } },
      after: measured(null, reads('tests', { passed: 11, total: 12 })),
      difference: CHANGED,
    },
    { ...LIE, reason: /claimed tests\.passed = 12, measured 11/ },
  ],
  [
    'a wrong value although the agent reports failure',
    { claim: { ...WRONG, status: 'failed' }, after: zero },
    { ...LIE, reason: /measured 0/ },
  ],
  [
    'a wrong value although the agent timed out',
    { outcome: 'timeout', claim: { ...WRONG, status: null, exitSignal: null }, after: zero },
    { ...LIE, reason: /measured 0/ },
  ],
  [
    'a claimed file that is not there, and an expression that passes',
    { claim: DONE, hint: EXPRESSION, after: three, fileClaims: [MISSING, SHOWN], difference: CHANGED },
    { ...LIE, reason: /claimed to have written report\.md, but it did not change/ },
  ],
  [
    'a claimed file that cannot be measured, and an expression that passes',
    { claim: DONE, hint: EXPRESSION, after: three, fileClaims: [UNMEASURABLE] },
    { ...GOOD, reason: /passes/ },
  ],
  [
    'a word instead of a number in running text',
    {
      claim: { ...NO_CLAIM, source: 'text', values: { email_count: 'checked' } },
      hint: EXPRESSION,
      after: three,
    },
    { ...GOOD, reason: /passes/ },
  ],
  [
    'the same word in a report',
    { claim: { ...DONE, values: { email_count: 'checked' } }, hint: EXPRESSION, after: three },
    { ...GOOD, reason: /passes/ },
  ],
  [
    'a value for a probe that is not configured',
    { claim: { ...DONE, values: { mood: 'good' } }, hint: EXPRESSION, after: three },
    { ...GOOD, reason: /passes/ },
  ],
  [
    'a value for a probe that cannot be read',
    { claim: WRONG, hint: WORDS, after: measured(null, UNREADABLE), difference: CHANGED },
    { verdict: 'unclear', fault: 'agent', reason: /nothing can be confirmed/ },
  ],
  // says failed
  [
    'reports failure, and the expression passes',
    { claim: { ...NO_CLAIM, status: 'failed' }, hint: EXPRESSION, after: three },
    { ...AGENT, reason: /did not succeed/ },
  ],
  // ended without claiming
  [
    'timeout, the expression passes now and did not before',
    { outcome: 'timeout', hint: EXPRESSION, before: zero, after: three },
    { ...GOOD, reason: /timeout/ },
  ],
  [
    'crash, the expression passes now and did not before',
    { outcome: 'error', hint: EXPRESSION, before: zero, after: three },
    { ...GOOD, reason: /ended with an error/ },
  ],
  [
    'timeout, the expression passed before too',
    { outcome: 'timeout', hint: EXPRESSION, before: three, after: three },
    { ...AGENT, reason: /timeout/ },
  ],
  [
    'timeout, nothing was measured before',
    { outcome: 'timeout', hint: EXPRESSION, before: null, after: three },
    { ...AGENT, reason: /timeout/ },
  ],
  [
    'timeout, the expression could not be evaluated before',
    {
      outcome: 'timeout',
      hint: EXPRESSION,
      before: measured({ kind: 'error', reason: 'no', fault: 'environment' }),
      after: three,
    },
    { ...AGENT, reason: /timeout/ },
  ],
  [
    'timeout, nothing to measure',
    { outcome: 'timeout', difference: CHANGED },
    { ...AGENT, reason: /timeout/ },
  ],
  [
    'timeout, an expression that cannot be evaluated',
    {
      outcome: 'timeout',
      hint: EXPRESSION,
      after: measured({ kind: 'error', reason: 'no', fault: 'contract' }),
    },
    { ...AGENT, reason: /timeout/ },
  ],
  [
    'timeout, but it had claimed completion',
    { outcome: 'timeout', claim: DONE, hint: EXPRESSION, before: three, after: three },
    { ...GOOD, reason: /passes/ },
  ],
  [
    'crash, but it had already sent its exit signal',
    { outcome: 'error', claim: { ...NO_CLAIM, exitSignal: false }, hint: EXPRESSION, after: three },
    { ...GOOD, reason: /passes/ },
  ],
  // ended at its limit
  [
    'at its limit while working, and the expression fails',
    { outcome: 'timeout', limit: AT_WORK, hint: EXPRESSION, after: zero },
    { verdict: 'unclear', fault: 'limit', reason: /still at work.*measured email_count = 0/ },
  ],
  [
    'at its limit while working, nothing to measure',
    { outcome: 'timeout', limit: AT_WORK, difference: CHANGED },
    { verdict: 'unclear', fault: 'limit', reason: /still at work/ },
  ],
  [
    'at its limit while working, and the expression now passes',
    { outcome: 'timeout', limit: AT_WORK, hint: EXPRESSION, before: zero, after: three },
    { ...GOOD, reason: /is there/ },
  ],
  [
    'at its limit while working for the third time in a row',
    { outcome: 'timeout', limit: { atWork: true, inARow: 2 }, hint: EXPRESSION, after: zero },
    { ...AGENT, reason: /ran into its timeout/ },
  ],
  [
    'at the daily limit while working, the third limit in a row: others used up the day',
    {
      outcome: 'budget',
      limit: { atWork: true, inARow: 2, ofTheDay: 'The day allows 5 USD.' },
      hint: EXPRESSION,
      after: zero,
    },
    { ...NO_POINTS, verdict: 'unclear', reason: /day's limit.*The day allows 5 USD\./ },
  ],
  [
    'at its limit and silent',
    { outcome: 'timeout', limit: { atWork: false, inARow: 0 }, hint: EXPRESSION, after: zero },
    { ...AGENT, reason: /ran into its timeout/ },
  ],
  [
    'at its limit while working, but its report claimed completion',
    { outcome: 'timeout', limit: AT_WORK, claim: DONE, hint: EXPRESSION, after: zero, difference: CHANGED },
    { ...AGENT, reason: /fails/ },
  ],
  [
    'at its limit while working, and a claimed file is missing',
    { outcome: 'timeout', limit: AT_WORK, difference: CHANGED, fileClaims: [MISSING] },
    { ...LIE, reason: /report\.md/ },
  ],
  // criteria with separate checks
  [
    'the task passes and one of its criteria fails',
    {
      hint: EXPRESSION,
      after: three,
      criteria: [criterion('has three mails', three), criterion('has none', zero)],
    },
    { ...AGENT, reason: /^criterion "has none": `email_count > 0` fails; measured email_count = 0$/ },
  ],
  [
    'the task and all of its criteria pass',
    { hint: EXPRESSION, after: three, criteria: [criterion('has three mails', three)] },
    { ...GOOD, reason: /criterion "has three mails": `email_count > 0` passes/ },
  ],
  [
    'a criterion that cannot be checked',
    {
      hint: EXPRESSION,
      after: three,
      criteria: [{ ...criterion('broken', three), hint: BROKEN }],
    },
    { verdict: 'unclear', fault: 'contract', reason: /criterion "broken": the check/ },
  ],
  [
    'evidence for a task without a check, and a criterion fails',
    { claim: DONE, difference: CHANGED, fileClaims: [SHOWN], criteria: [criterion('has mails', zero)] },
    { ...AGENT, reason: /criterion "has mails"/ },
  ],
  [
    'evidence for a task without a check, and all criteria pass',
    { claim: DONE, difference: CHANGED, fileClaims: [SHOWN], criteria: [criterion('has mails', three)] },
    { ...GOOD, reason: /notes\/inbox\.md/ },
  ],
  [
    'the task passes, a criterion names an unknown probe, and nothing confirms it',
    {
      claim: DONE,
      hint: EXPRESSION,
      after: three,
      criteria: [{ ...criterion('is covered', measured(null, UNKNOWN)), hint: PROBE }],
    },
    {
      verdict: 'unclear',
      fault: 'contract',
      falseCompletion: true,
      reason: /criterion "is covered": there is no probe email_count/,
    },
  ],
  [
    'the task passes, and a criterion is only text: nothing more can be measured',
    {
      claim: DONE,
      hint: EXPRESSION,
      after: three,
      criteria: [{ ...criterion('reads well', three), hint: WORDS }],
    },
    { ...GOOD, reason: /passes/ },
  ],
  [
    'the task passes, a criterion names an unknown probe, and the claimed file changed',
    {
      claim: DONE,
      hint: EXPRESSION,
      after: three,
      difference: CHANGED,
      fileClaims: [SHOWN],
      criteria: [{ ...criterion('is covered', measured(null, UNKNOWN)), hint: PROBE }],
    },
    { ...GOOD, reason: /passes/ },
  ],
  [
    'done without a file, and a criterion’s measurement changed',
    { claim: DONE, criteria: [{ ...criterion('has mails', three), before: zero }] },
    { verdict: 'unclear', fault: 'agent', falseCompletion: false, reason: /nothing can be confirmed/ },
  ],
  [
    'done without a file, and a criterion’s measurement did not change',
    { claim: DONE, criteria: [{ ...criterion('has mails', three), before: three }] },
    { ...AGENT, falseCompletion: true, reason: /nothing measured moved/ },
  ],
  // expression false
  [
    'expression false, no claim',
    { hint: EXPRESSION, after: zero },
    { ...AGENT, reason: /fails; measured email_count = 0/ },
  ],
  [
    'expression false, which outranks an unavailable gate',
    { hint: EXPRESSION, after: zero, gates: [gate('unavailable')] },
    { ...AGENT, reason: /fails/ },
  ],
  // gates
  [
    'a gate fails, and the expression passes',
    { hint: EXPRESSION, after: three, gates: [gate('passed'), gate('failed')] },
    { ...AGENT, reason: /`npm test` failed with exit code 1: its last line/ },
  ],
  [
    'a gate fails, and the check is invalid',
    { hint: BROKEN, gates: [gate('failed')] },
    { ...AGENT, reason: /npm test/ },
  ],
  [
    'a gate fails exactly as in the baseline, and the expression passes',
    { hint: EXPRESSION, after: three, gates: [{ ...gate('failed'), redAsInBase: true }] },
    { verdict: 'unclear', fault: 'contract', reason: /fails as it did in the base/ },
  ],
  [
    'the same, and another gate newly fails',
    { hint: EXPRESSION, after: three, gates: [{ ...gate('failed'), redAsInBase: true }, gate('failed')] },
    { ...AGENT, reason: /`npm test` failed/ },
  ],
  [
    'the same, and nothing measurable passes',
    { claim: DONE, difference: CHANGED, gates: [{ ...gate('failed'), redAsInBase: true }] },
    { ...AGENT, reason: /`npm test` failed/ },
  ],
  [
    'a probe that worked before and was silenced',
    { hint: PROBE, after: measured(null, UNREADABLE), silenced: ['the probe email_count answered before'] },
    { ...AGENT, reason: /answered before/ },
  ],
  // cannot be checked
  [
    'a gate is unavailable, and the expression passes',
    { hint: EXPRESSION, after: three, gates: [gate('unavailable')] },
    { verdict: 'unclear', fault: 'environment', reason: /`npm test` could not run/ },
  ],
  [
    'an expression with a contract error',
    { hint: EXPRESSION, after: measured({ kind: 'error', reason: 'no probe x', fault: 'contract' }) },
    { verdict: 'unclear', fault: 'contract', reason: /no probe x/ },
  ],
  [
    'an expression with an environment error',
    { hint: EXPRESSION, after: measured({ kind: 'error', reason: 'timed out', fault: 'environment' }) },
    { verdict: 'unclear', fault: 'environment', reason: /timed out/ },
  ],
  [
    'an expression that was not evaluated',
    { hint: EXPRESSION, after: measured(null) },
    { verdict: 'unclear', fault: 'environment', reason: /not evaluated/ },
  ],
  ['an invalid check', { hint: BROKEN }, { verdict: 'unclear', fault: 'contract', reason: /too early/ }],
  [
    'done with an unknown probe and nothing to show: never a false completion',
    { hint: PROBE, claim: DONE, after: measured(null, UNKNOWN) },
    { verdict: 'unclear', fault: 'contract', reason: /no probe email_count/ },
  ],
  [
    'an unknown probe, and the claimed file changed',
    { hint: PROBE, claim: DONE, after: measured(null, UNKNOWN), difference: CHANGED, fileClaims: [SHOWN] },
    { ...GOOD, reason: /notes\/inbox\.md/ },
  ],
  [
    'an unknown probe, and a claimed file is missing',
    { hint: PROBE, claim: DONE, after: measured(null, UNKNOWN), difference: CHANGED, fileClaims: [MISSING] },
    { ...LIE, reason: /report\.md/ },
  ],
  [
    'an unknown probe, and the judge rejects the claim',
    {
      hint: PROBE,
      claim: DONE,
      after: measured(null, UNKNOWN),
      difference: CHANGED,
      judge: answer('not_verified'),
    },
    { ...AGENT, reason: /judge/ },
  ],
  [
    'a probe that was not read',
    { hint: PROBE, after: measured(null) },
    { verdict: 'unclear', fault: 'contract', reason: /there is no probe email_count/ },
  ],
  [
    'an unreadable probe',
    { hint: PROBE, after: measured(null, UNREADABLE) },
    { verdict: 'unclear', fault: 'contract', reason: /exit 1/ },
  ],
  [
    'a probe that timed out',
    { hint: PROBE, after: measured(null, { ...UNREADABLE, fault: 'environment' }) },
    { verdict: 'unclear', fault: 'environment', reason: /could not be read/ },
  ],
  [
    'a probe without the path in the check',
    { hint: PASSED, after: measured(null, reads('tests', { total: 3 })) },
    { verdict: 'unclear', fault: 'contract', reason: /no passed/ },
  ],
  // held
  [
    'passes only in place',
    { hint: EXPRESSION, after: three, held: { reasons: ['green in place, red in the clean room'] } },
    { verdict: 'unclear', fault: null, reason: /clean room/ },
  ],
  [
    'held, but fails even in place',
    { hint: EXPRESSION, after: zero, held: { reasons: ['x'] } },
    { ...AGENT, reason: /fails/ },
  ],
  // holds
  ['exit 0, no claim, expression true', { hint: EXPRESSION, after: three }, { ...GOOD, reason: /passes/ }],
  [
    'expression true, which outranks a false completion',
    { hint: EXPRESSION, claim: DONE, before: three, after: three },
    { ...GOOD, reason: /passes/ },
  ],
  [
    'a correct claim for a bare probe',
    { hint: PROBE, claim: WRONG, after: measured(null, reads('email_count', 3)) },
    { ...GOOD, reason: /claimed email_count = 3/ },
  ],
  [
    'a correct claim for a bare probe with a path, given by its path',
    {
      hint: PASSED,
      claim: { ...DONE, values: { 'tests.passed': '3' } },
      after: measured(null, reads('tests', { passed: 3 })),
    },
    { ...GOOD, reason: /tests\.passed = 3/ },
  ],
  [
    'a correct claim for a bare probe with a path, given in an object',
    {
      hint: PASSED,
      claim: { ...DONE, values: { tests: { passed: 3, note: 'all' } } },
      after: measured(null, reads('tests', { passed: 3 })),
    },
    { ...GOOD, reason: /tests\.passed = 3/ },
  ],
  [
    'a claim for a bare probe that names another path',
    {
      hint: PASSED,
      claim: { ...NO_CLAIM, values: { 'tests.total': 4 } },
      after: measured(null, reads('tests', { passed: 3, total: 4 })),
    },
    { verdict: 'unclear', fault: 'agent', reason: /no value was claimed/ },
  ],
  ...CLAIMED_WHOLE.map((values): [string, Partial<VerdictInput>, Expected] => [
    `a bare probe of an object claimed as a whole: ${JSON.stringify(values)}`,
    {
      hint: TESTS,
      claim: { ...DONE, values },
      after: measured(null, reads('tests', SUITE)),
      difference: CHANGED,
    },
    { ...GOOD, reason: /measured tests = / },
  ]),
  ...CLAIMED_IN_PART.map(({ values, isContradiction }): [string, Partial<VerdictInput>, Expected] => [
    `a bare probe of an object claimed in part: ${JSON.stringify(values)}`,
    {
      hint: TESTS,
      claim: { ...DONE, values },
      after: measured(null, reads('tests', SUITE)),
      difference: CHANGED,
    },
    isContradiction
      ? { ...AGENT, contradiction: true, reason: /claimed tests/ }
      : { verdict: 'unclear', fault: 'agent', reason: /no value was claimed for all of it/ },
  ]),
  // completion claimed without a change
  [
    'done with nothing to show',
    { claim: DONE },
    { ...AGENT, falseCompletion: true, reason: /claimed completion/ },
  ],
  [
    'an exit signal alone with nothing to show',
    { claim: { ...NO_CLAIM, exitSignal: true } },
    { ...AGENT, falseCompletion: true, reason: /claimed completion/ },
  ],
  [
    'done with nothing to show, whatever the judge says',
    { claim: DONE, judge: answer('verified') },
    { ...AGENT, falseCompletion: true, reason: /claimed completion/ },
  ],
  [
    'done with a bare probe, no value and nothing to show',
    { claim: DONE, hint: PROBE, after: measured(null, reads('email_count', 3)) },
    { verdict: 'unclear', fault: 'agent', reason: /no value was claimed/ },
  ],
  [
    'done, and a probe’s value changed',
    {
      claim: DONE,
      hint: PROBE,
      before: measured(null, reads('email_count', 5)),
      after: measured(null, reads('email_count', 0)),
    },
    { verdict: 'unclear', fault: 'agent', reason: /email_count is 0, and no value was claimed/ },
  ],
  [
    'done, and a file was made executable',
    { claim: DONE, difference: { ...EMPTY_DIFFERENCE, otherwiseChanged: ['run.sh'] } },
    { verdict: 'unclear', fault: 'agent', reason: /nothing can be confirmed/ },
  ],
  [
    'done, and HEAD moved',
    { claim: DONE, difference: { ...EMPTY_DIFFERENCE, headMoved: { from: 'a', to: 'b' } } },
    { verdict: 'unclear', fault: 'agent', reason: /nothing can be confirmed/ },
  ],
  [
    'done, and a claimed file cannot be measured',
    { claim: DONE, fileClaims: [UNMEASURABLE] },
    { verdict: 'unclear', fault: 'agent', reason: /nothing can be confirmed/ },
  ],
  [
    'done, and the snapshot is incomplete',
    { claim: DONE, difference: { ...EMPTY_DIFFERENCE, incomplete: 'too many files' } },
    { verdict: 'unclear', fault: 'agent', reason: /nothing can be confirmed/ },
  ],
  // `changed` where the snapshot could not see everything
  [
    'an expression about changes fails, and the snapshot is incomplete',
    { claim: DONE, hint: CHANGES, after: measured(FAILS), difference: UNSEEN },
    { verdict: 'unclear', fault: 'environment', reason: /the snapshot is incomplete: too many files/ },
  ],
  [
    'an expression about changes fails, and a large file may only have been touched',
    {
      claim: DONE,
      hint: CHANGES,
      after: measured(FAILS),
      difference: { ...EMPTY_DIFFERENCE, unsure: ['secret', 'a'] },
    },
    {
      verdict: 'unclear',
      fault: 'environment',
      falseCompletion: true,
      reason: /incomplete: a could not be read, or is too large/,
    },
  ],
  [
    'an expression about changes fails, and only unrelated files could not be read',
    {
      claim: DONE,
      hint: CHANGES,
      after: measured(FAILS),
      difference: { ...EMPTY_DIFFERENCE, unsure: ['secret', 'closed/'] },
    },
    { ...AGENT, falseCompletion: true, reason: /fails/ },
  ],
  [
    'an expression about computed paths fails, and a file could not be read',
    {
      claim: DONE,
      hint: { ...CHANGES, source: 'changed(name + ".md")' },
      after: measured(FAILS),
      difference: { ...CHANGED, unsure: ['secret.md'] },
    },
    { verdict: 'unclear', fault: 'environment', reason: /secret\.md could not be read/ },
  ],
  [
    'done with nothing to show, and a file could not be read',
    { claim: DONE, difference: { ...EMPTY_DIFFERENCE, unsure: ['secret'] } },
    { ...AGENT, falseCompletion: true, reason: /claimed completion/ },
  ],
  [
    'an expression about changes passes, and the snapshot is incomplete',
    { claim: DONE, hint: CHANGES, after: measured(HOLDS), difference: UNSEEN },
    { ...GOOD, reason: /passes/ },
  ],
  [
    'an expression that requires no change passes, and the snapshot is incomplete',
    {
      claim: DONE,
      hint: { ...CHANGES, source: '!changed("a")' },
      after: measured(HOLDS),
      difference: UNSEEN,
    },
    { verdict: 'unclear', fault: 'environment', reason: /the snapshot is incomplete/ },
  ],
  [
    'an expression about something else fails, and the snapshot is incomplete',
    { claim: DONE, hint: EXPRESSION, after: measured(FAILS), difference: UNSEEN },
    { ...AGENT, reason: /fails/ },
  ],
  [
    'timed out without a report, an expression about changes fails, and the snapshot is incomplete',
    { outcome: 'timeout', hint: CHANGES, after: measured(FAILS), difference: UNSEEN },
    { ...AGENT, reason: /ran into its timeout without a report/ },
  ],
  // asked again for what is done
  [
    'done again, nothing to show, and the last verdict is still valid',
    { claim: DONE, stillStands: true },
    { ...GOOD, reason: /nothing that it rests on has changed/ },
  ],
  [
    'no claim, and the last verdict is still valid',
    { stillStands: true },
    { verdict: 'unclear', fault: 'agent', reason: /nothing can be confirmed/ },
  ],
  [
    'done again, a claimed file is missing, and the last verdict is still valid',
    { claim: DONE, stillStands: true, fileClaims: [MISSING], difference: CHANGED },
    { ...LIE, reason: /report\.md/ },
  ],
  [
    'a session without a task, a gate or a measurable claim',
    { hasNoTask: true },
    { verdict: 'unclear', fault: 'contract', reason: /there is no gate, and no claim that can be measured/ },
  ],
  [
    'done with nothing to show for a task that writes no files',
    { claim: DONE, writesNoFiles: true },
    { verdict: 'unclear', fault: 'agent', reason: /nothing can be confirmed/ },
  ],
  // editing the contract itself is not evidence
  [
    'done, and it edited and named only the contract',
    {
      claim: { ...DONE, evidence: ['HEARTBEAT.md:7 checked'] },
      difference: CHECKED,
      work: workOf(CHECKED, 'x'),
    },
    { ...AGENT, falseCompletion: true, reason: /claimed completion/ },
  ],
  [
    'done, and it edited and committed only the contract, claimed by a pattern',
    {
      claim: DONE,
      difference: { ...CHECKED, headMoved: { from: 'a', to: 'b' } },
      work: workOf({ ...CHECKED, headMoved: { from: 'a', to: 'b' } }, 'x'),
      fileClaims: [{ path: '**/*.md', finding: 'shown' }],
    },
    { ...AGENT, falseCompletion: true, reason: /claimed completion/ },
  ],
  [
    'done, and the requested tag exists',
    { claim: DONE, work: workOf({ ...EMPTY_DIFFERENCE, names: ['refs/tags/v1'] }, 'Tag the release') },
    { verdict: 'verified', fault: null, reason: /confirms.*refs\/tags\/v1/ },
  ],
  [
    'done, and it only created a branch for another kind of task',
    {
      claim: DONE,
      work: workOf({ ...EMPTY_DIFFERENCE, names: ['HEAD', 'refs/heads/x'] }, 'Write the report'),
    },
    { ...AGENT, falseCompletion: true, reason: /claimed completion/ },
  ],
  [
    'done, and it only created a branch for a push',
    { claim: DONE, work: workOf({ ...EMPTY_DIFFERENCE, names: ['refs/heads/x'] }, 'Push main to origin') },
    { ...AGENT, falseCompletion: true, reason: /claimed completion/ },
  ],
  [
    'done, and it was asked to edit the contract',
    {
      claim: DONE,
      difference: CHECKED,
      work: workOf(CHECKED, 'Add a task to HEARTBEAT.md'),
      fileClaims: [{ path: 'HEARTBEAT.md', finding: 'shown' }],
    },
    { ...GOOD, reason: /HEARTBEAT\.md/ },
  ],
  [
    'done, and it names the contract besides a file it wrote',
    {
      claim: { ...DONE, evidence: ['HEARTBEAT.md'] },
      difference: { ...CHECKED, added: ['notes/inbox.md'] },
      fileClaims: [SHOWN],
    },
    { ...GOOD, reason: /what the agent named: notes\/inbox\.md$/ },
  ],
  // words: judge, evidence, nothing
  [
    'the judge confirms the claim',
    { claim: DONE, difference: CHANGED, judge: answer('verified') },
    { ...GOOD, reason: /the judge says verified: I looked/ },
  ],
  [
    'the judge rejects what the snapshot would confirm',
    { claim: DONE, difference: CHANGED, fileClaims: [SHOWN], judge: answer('not_verified') },
    { ...AGENT, reason: /the judge says not verified/ },
  ],
  [
    'the judge cannot tell',
    { claim: DONE, difference: CHANGED, fileClaims: [SHOWN], judge: answer('unclear') },
    { verdict: 'unclear', fault: 'agent', reason: /the judge says unclear/ },
  ],
  [
    'the judge is not asked about measured values',
    { hint: PROBE, after: measured(null, reads('email_count', 3)), judge: answer('verified') },
    { verdict: 'unclear', fault: 'agent', reason: /no value was claimed/ },
  ],
  [
    'the judge does not answer, and the snapshot confirms',
    {
      claim: DONE,
      difference: CHANGED,
      fileClaims: [SHOWN],
      judge: { kind: 'unavailable', reason: 'timed out' },
    },
    { ...GOOD, reason: /notes\/inbox\.md/ },
  ],
  [
    'the judge does not answer, and nothing is confirmed',
    { claim: DONE, difference: CHANGED, judge: { kind: 'unavailable', reason: 'timed out' } },
    { verdict: 'unclear', fault: 'environment', reason: /nothing can be confirmed/ },
  ],
  [
    'done, and the claimed file changed',
    { claim: DONE, difference: CHANGED, fileClaims: [SHOWN, UNMEASURABLE] },
    { ...GOOD, reason: /notes\/inbox\.md/ },
  ],
  [
    'done, and the evidence names a file that changed',
    {
      claim: { ...DONE, evidence: ['wrote it', '`notes/inbox.md:1-12` summary of 3 new emails'] },
      difference: CHANGED,
    },
    { ...GOOD, reason: /notes\/inbox\.md/ },
  ],
  [
    'done, and only files it never named changed',
    { claim: DONE, difference: CHANGED },
    { verdict: 'unclear', fault: 'agent', reason: /nothing can be confirmed/ },
  ],
  [
    'no completion claim, and files changed',
    { difference: CHANGED, fileClaims: [SHOWN] },
    { verdict: 'unclear', fault: 'agent', reason: /nothing can be confirmed/ },
  ],
  ['no claim, and nothing changed', {}, { verdict: 'unclear', fault: 'agent', reason: /task_completed/ }],
]

describe('the verdict table', () => {
  it.each(CASES)('%s', (_, parts, expected) => {
    const decision = decideVerdict({ ...BASE, ...parts })
    expect(decision).toMatchObject({
      verdict: expected.verdict,
      fault: expected.fault,
      groundTruthContradiction: expected.contradiction ?? false,
      skipped: expected.skipped ?? false,
      falseCompletion: expected.falseCompletion ?? false,
    })
    expect(decision.reasons.join('; ')).toMatch(expected.reason)
  })
})

describe('what a decision contains besides the verdict', () => {
  it('lists each claim with its measurement, including those that agree', () => {
    const { comparisons } = decideVerdict({
      ...BASE,
      claim: { ...DONE, values: { email_count: 3, 'tests.passed': 2, secret: 1, ghost: 1 } },
      after: measured(null, reads('email_count', 3), reads('tests', { passed: 1 }), {
        kind: 'unreadable',
        name: 'secret',
        reason: 'exit 1',
        configured: true,
      }),
      fileClaims: [SHOWN, MISSING, UNMEASURABLE],
      difference: CHANGED,
    })
    expect(comparisons).toEqual([
      { subject: 'email_count', claimed: '3', measured: '3', agrees: true },
      { subject: 'tests.passed', claimed: '2', measured: '1', agrees: false },
      { subject: 'secret', claimed: '1', measured: null, agrees: null },
      { subject: 'notes/inbox.md', claimed: 'written', measured: 'written', agrees: true },
      { subject: 'report.md', claimed: 'written', measured: 'not written', agrees: false },
      { subject: 'dist/x', claimed: 'written', measured: null, agrees: null },
    ])
  })

  it('lists a completion claimed without a change with the empty difference', () => {
    expect(decideVerdict({ ...BASE, claim: DONE }).comparisons).toEqual([
      { subject: 'completion', claimed: 'done', measured: 'nothing changed', agrees: false },
    ])
  })

  it('lists all contradictions at once, within limits', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ ...MISSING, path: `f${index}` }))
    const { reasons } = decideVerdict({
      ...BASE,
      claim: WRONG,
      after: zero,
      fileClaims: many,
      difference: CHANGED,
    })
    expect(reasons[0]).toBe('claimed email_count = 3, measured 0')
    expect(reasons[1]).toMatch(/f0/)
    expect(reasons).toHaveLength(20)
    expect(reasons.at(-1)).toMatch(/42 more/)
  })

  it.each([
    ['names the tests that failed, not the stack', 'adds', '1 of 1 tests failed: adds'],
    ['shows the output if no test gives a reason', '(exit code 1)', 'its last line'],
  ])('%s', (_title, failed, why) => {
    const names = { passed: [], failed: [failed], skipped: [] }
    const report = { passed: 0, failed: 1, skipped: 0, executed: 1, total: 1, names, areNamesCut: false }
    const red = { ...gate('failed'), report }
    const { reasons, findings } = decideVerdict({ ...BASE, hint: EXPRESSION, after: three, gates: [red] })
    expect(reasons).toContain(`the gate \`npm test\` failed with exit code 1: ${why}`)
    expect(findings).toContain('a quality check of the workspace fails: its last line')
  })

  it('reports that the check passed before the attempt', () => {
    const decision = decideVerdict({ ...BASE, hint: EXPRESSION, before: three, after: three })
    expect(decision.heldBefore).toBe(true)
    expect(decision.reasons).toContain('this already passed before the attempt')
    expect(decideVerdict({ ...BASE, hint: EXPRESSION, before: zero, after: three }).heldBefore).toBe(false)
    expect(decideVerdict({ ...BASE, hint: EXPRESSION, before: null, after: three }).heldBefore).toBe(false)
  })

  it('includes the remedy if the fault is not the agent’s', () => {
    expect(decideVerdict({ ...BASE, environmentFault: FAULT }).remedy).toBe('Wait.')
    expect(decideVerdict({ ...BASE, hint: BROKEN }).remedy).toMatch(/HEARTBEAT\.md/)
    expect(decideVerdict({ ...BASE, hint: PROBE, after: measured(null, UNKNOWN) }).remedy).toMatch(
      /pulseward probe add email_count/,
    )
    expect(decideVerdict({ ...BASE, gates: [gate('unavailable')] }).remedy).toMatch(/\[gates\]/)
    expect(decideVerdict({ ...BASE, claim: DONE }).remedy).toBeNull()
  })
})

const anyJson = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)))
const anyName = fc.constantFrom('email_count', 'tests', 'tests.passed', 'ghost', '__proto__', '')
const anyExpression = fc.constantFrom<ExpressionResult | null>(HOLDS, FAILS, null, {
  kind: 'error',
  reason: 'no',
  fault: 'contract',
})
const anyReading: fc.Arbitrary<ProbeReading> = fc.oneof(
  fc.record({ kind: fc.constant('value' as const), name: anyName, value: anyJson }),
  fc.record({
    kind: fc.constant('unreadable' as const),
    name: anyName,
    reason: fc.string(),
    configured: fc.boolean(),
  }),
)
const anyMeasurement = fc.record({
  probes: fc.array(anyReading, { maxLength: 3 }),
  expression: anyExpression,
})
const anyInput: fc.Arbitrary<VerdictInput> = fc.record({
  required: fc.boolean(),
  outcome: fc.constantFrom('completed', 'timeout', 'error', 'denied', 'unavailable'),
  environmentFault: fc.constantFrom(null, FAULT),
  claim: fc.record({
    status: fc.constantFrom('done', 'skipped', 'failed', null),
    values: fc.dictionary(anyName, anyJson, { maxKeys: 3 }),
    files: fc.constant([]),
    evidence: fc.array(fc.string(), { maxLength: 2 }),
    exitSignal: fc.constantFrom(true, false, null),
    source: fc.constantFrom('report', 'text', 'none'),
    notes: fc.constant([]),
  }),
  hint: fc.constantFrom(EXPRESSION, PROBE, PASSED, WORDS, BROKEN),
  before: fc.option(anyMeasurement),
  after: anyMeasurement,
  difference: fc.constantFrom(EMPTY_DIFFERENCE, CHANGED, {
    ...EMPTY_DIFFERENCE,
    incomplete: 'too many files',
  }),
  fileClaims: fc.subarray([SHOWN, MISSING, UNMEASURABLE]),
  gates: fc.subarray([gate('passed'), gate('failed'), gate('unavailable')]),
  judge: fc.constantFrom(null, answer('verified'), answer('not_verified'), {
    kind: 'unavailable' as const,
    reason: 'no',
  }),
})

describe('an attempt that was cut off', () => {
  const six = { ...EMPTY_DIFFERENCE, added: ['1', '2', '3', '4', '5', '6'].map((name) => `out/${name}.txt`) }

  it.each([
    ['at its limit while working', { outcome: 'timeout', limit: AT_WORK }],
    ['at its timeout, without output', { outcome: 'timeout' }],
    ['by a crash', { outcome: 'error' }],
  ] as const)('%s tells the next one what it changed, so that it can continue from there', (_name, parts) => {
    const { findings } = decideVerdict({ ...BASE, ...parts, hint: EXPRESSION, after: zero, difference: six })
    expect(findings).toContain(
      'your changes are still there: out/1.txt, out/2.txt, out/3.txt, out/4.txt, out/5.txt and 1 more',
    )
  })

  it('says nothing if it changed nothing, or only what doesn’t count as work', () => {
    const cut = { ...BASE, outcome: 'timeout' as const, hint: EXPRESSION, after: zero }
    const contract = { difference: CHANGED, work: EMPTY_DIFFERENCE }
    for (const parts of [{}, contract])
      expect(decideVerdict({ ...cut, ...parts }).findings.join()).not.toContain(
        'your changes are still there',
      )
  })
})

describe('every decision (seed 7)', () => {
  it('is consistent for any findings', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const decision = decideVerdict(input)
        expect(decision.reasons.length).toBeGreaterThan(0)
        if (decision.groundTruthContradiction) expect(decision.verdict).toBe('not_verified')
        if (decision.verdict === null) {
          expect(decision.groundTruthContradiction || decision.falseCompletion).toBe(false)
          expect(decision.skipped).toBe(decision.fault !== 'environment')
        } else expect(decision.skipped).toBe(false)
        expect(decision.fault === null).toBe(decision.verdict === 'verified' || decision.skipped)
        if (decision.verdict === 'verified') {
          expect(input.fileClaims).not.toContain(MISSING)
          expect(decision.comparisons.some(({ agrees }) => agrees === false)).toBe(false)
        }
      }),
      { seed: 7, numRuns: 2000 },
    )
  })
})
