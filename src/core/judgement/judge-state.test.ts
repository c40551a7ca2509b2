import { describe, expect, test } from 'vitest'
import { parseHint } from '../contract/hint.ts'
import type { BaseDifference } from '../custody/baseline-difference.ts'
import type { TestReport } from '../reports/test-report.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import type { PastAttempt, StateCase } from './case.ts'
import { type AnswerTable, gate, holding, POLICY, play, WITH_GATE } from './testing/play.ts'

/* Judging the current state: sweeps, resting tasks, ticked boxes and conditions. */

const DIFFERS: BaseDifference = {
  path: 'cart.test.mjs',
  kind: 'modified',
  isProtected: true,
  executedBy: [],
  attemptId: 'a-0',
}
const READY = { kind: 'ready' } as const
const asked = { id: 'fix', description: 'Fix the totals', criteria: [], mayChange: [] }
const refuted: PastAttempt = {
  attemptId: 'a-0',
  taskId: 'fix',
  seq: 7,
  startedAt: '2026-03-01T10:00:00.000Z',
  verdict: 'not_verified',
  fault: 'agent',
  overruled: null,
  review: null,
}

function state(
  asks: StateCase['asks'],
  verify = 'succeeds("npm test")',
  change: Partial<StateCase> = {},
): StateCase {
  return {
    source: 'sweep',
    asks,
    task: { id: 'fix', verify, asked },
    checks: [{ criterion: null, hint: parseHint(verify, Object.keys(POLICY.probes)) }],
    policy: POLICY,
    isAgentRunning: false,
    history: { attempts: [] },
    ...change,
  }
}

const inPlaceOnly: AnswerTable['measurement'] = ({ setting }) => holding(setting.room === null)
const lost = { passed: ['a', 'b'], failed: [], skipped: [] }
const reportOf = (passed: readonly string[]) =>
  ({
    passed: passed.length,
    failed: 0,
    skipped: 0,
    executed: passed.length,
    total: passed.length,
    names: { ...lost, passed },
    areNamesCut: false,
  }) as TestReport

const SCENES: Record<string, [StateCase, AnswerTable, Verdict]> = {
  'a blocked task whose check passes is done': [state('done'), { measurement: holding(true) }, 'verified'],
  'and is not where it fails': [state('done'), { measurement: holding(false) }, 'not_verified'],
  'what an attempt changed cannot be asked': [state('done', '!changed("*")'), {}, 'unclear'],
  'words measure nothing': [state('done', 'task_completed'), {}, 'unclear'],
  'a bare probe needs a claim': [state('done', 'mails'), {}, 'unclear'],
  'a criterion that fails leaves it open': [
    state('done', 'exists("a")', {
      checks: [
        { criterion: null, hint: parseHint('exists("a")', []) },
        { criterion: 'more', hint: parseHint('exists("b")', []) },
      ],
    }),
    { measurement: ({ hint }) => holding(hint.source === 'exists("a")') },
    'not_verified',
  ],
  'a check that passes only with what an agent changed leaves it open': [
    state('done'),
    { measurement: inPlaceOnly, 'check-files': [DIFFERS], room: READY },
    'not_verified',
  ],
  'so it does where no room can be made': [
    state('done'),
    { measurement: holding(true), 'check-files': [DIFFERS], room: { kind: 'none', reason: 'full' } },
    'not_verified',
  ],
  'what the operator changed while no agent ran is theirs': [
    state('done'),
    { measurement: inPlaceOnly, 'check-files': [{ ...DIFFERS, attemptId: null }] },
    'verified',
  ],
  'what changed while one runs is not': [
    state('done', undefined, { isAgentRunning: true }),
    { measurement: inPlaceOnly, 'check-files': [{ ...DIFFERS, attemptId: null }], room: READY },
    'not_verified',
  ],
  'a source that reaches for its runner leaves it open': [
    state('done'),
    { measurement: holding(true), reaching: [{ path: 'cart.mjs', words: ['exit'], attemptId: 'a-0' }] },
    'not_verified',
  ],
  'a verified task rests while all that it is checked by passes': [
    state('still-verified', undefined, { policy: WITH_GATE }),
    { measurement: holding(true), gates: [gate('passed')] },
    'verified',
  ],
  'and does not once a gate fails': [
    state('still-verified', undefined, { policy: WITH_GATE }),
    { measurement: holding(true), gates: [gate('failed')] },
    'not_verified',
  ],
  'the first gate that is not green answers it: the others are not run': [
    state('still-verified', undefined, { policy: WITH_GATE }),
    {
      measurement: holding(true),
      gates: ({ until }) => [gate(until === 'red' ? 'failed' : 'passed')],
    },
    'not_verified',
  ],
  'nor where a package was changed by hand': [
    state('still-verified'),
    { measurement: holding(true), dependencies: ['node_modules/x'] },
    'unclear',
  ],
  'nor where a setting outside the tree was': [
    state('still-verified'),
    { measurement: holding(true), 'outside-settings': ['~/.npmrc'] },
    'unclear',
  ],
  'nor where a test of the baseline is executed no longer': [
    state('still-verified', 'tests.failed == 0'),
    {
      measurement: {
        probes: [{ kind: 'value', name: 'tests', value: { failed: 0 }, report: reportOf(['a']) }],
        expression: { kind: 'value', holds: true },
      },
      'baseline-reports': new Map([['probe tests', reportOf(['a', 'b'])]]),
    },
    'unclear',
  ],
  'nor where it passes only with what an agent changed': [
    state('still-verified'),
    { measurement: inPlaceOnly, 'check-files': [DIFFERS], room: READY },
    'not_verified',
  ],
  'nor where a gate passes only so': [
    state('still-verified', undefined, { policy: WITH_GATE }),
    {
      measurement: holding(true),
      gates: ({ setting }) => [gate(setting.room === null ? 'passed' : 'failed')],
      'check-files': [DIFFERS],
      room: READY,
    },
    'not_verified',
  ],
  'what only an attempt can answer cannot rest': [state('still-verified', 'mails'), {}, 'unclear'],
  'a ticked box is contradicted by a check that fails': [
    state('ticked'),
    { measurement: holding(false) },
    'not_verified',
  ],
  'and by nothing that cannot be measured': [state('ticked', 'mails'), {}, 'unclear'],
  'a condition that holds': [state('condition'), { measurement: holding(true) }, 'verified'],
  'a condition that does not': [state('condition'), { measurement: holding(false) }, 'not_verified'],
  'a condition that cannot be measured silences nobody': [
    state('condition'),
    { measurement: { probes: [], expression: { kind: 'error', reason: 'down', fault: 'environment' } } },
    'unclear',
  ],
  'a condition that an agent made false by its check silences nobody': [
    state('condition'),
    {
      measurement: ({ setting }) => holding(setting.room !== null),
      'check-files': [DIFFERS],
      room: READY,
    },
    'unclear',
  ],
  'so it is where no room can be made': [
    state('condition'),
    { measurement: holding(false), 'check-files': [DIFFERS], room: { kind: 'none', reason: 'full' } },
    'unclear',
  ],
  'a condition that the operator made false holds no more': [
    state('condition'),
    {
      measurement: ({ setting }) => holding(setting.room !== null),
      'check-files': [{ ...DIFFERS, attemptId: null }],
    },
    'not_verified',
  ],
  'a condition that a refuted attempt made false silences nobody': [
    state('condition', 'exists("a")', { history: { attempts: [refuted] } }),
    {
      measurement: ({ setting }) => holding(setting.earlier !== null),
      'earlier-claims': [{ status: 'done', exitSignal: true }],
      'files-before': ['a'],
    },
    'unclear',
  ],
  'one who said that it failed gained nothing by it': [
    state('condition', 'exists("a")', { history: { attempts: [refuted] } }),
    { measurement: holding(false), 'earlier-claims': [{ status: 'failed', exitSignal: false }] },
    'not_verified',
  ],
}

describe('judging the state', () => {
  test.each(Object.entries(SCENES))('%s', (_title, [subject, answers, verdict]) => {
    const { judged } = play(subject, answers)
    expect(judged.verdict).toBe(verdict)
    expect(judged).toMatchObject({ points: 0, held: null, fault: null, groundTruthContradiction: false })
  })
})
