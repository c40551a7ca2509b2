import { describe, expect, test } from 'vitest'
import type { InterventionType } from '../vocabulary/intervention.ts'
import type { AttemptResult, EventBody, RaisedIntervention } from './events.ts'
import { applyEvent, fold } from './fold.ts'
import { attemptFinished, recorded } from './testing/sample-events.ts'

const raise = (type: InterventionType, details: Record<string, unknown> = {}): RaisedIntervention => ({
  event_type: type,
  severity: 'critical',
  details,
})

/** Returns an attempt in `cycle` that was not verified and raised these events. */
function failed(cycle: number, types: readonly InterventionType[], change: Partial<AttemptResult> = {}) {
  return attemptFinished({
    attemptId: `a${cycle}`,
    cycle,
    verdict: 'not_verified',
    filesChangedCount: 0,
    startedAt: `2025-03-10T10:00:00.00${cycle}+01:00`,
    interventions: types.map((type) => raise(type)),
    ...change,
  })
}

const verified = (cycle: number, change: Partial<AttemptResult> = {}) =>
  failed(cycle, [], { verdict: 'verified', ...change })

const state = (...bodies: readonly EventBody[]) => fold(recorded(bodies))

describe('the list of interventions', () => {
  test('contains those of attempts and of cycles, newest first, with their source', () => {
    const { interventions, interventionTotals } = state(
      failed(1, ['no_files_detected', 'false_completion_detected']),
      { type: 'intervention-raised', cycle: 2, taskId: null, intervention: raise('contract_weakened') },
    )
    expect(interventions).toMatchObject([
      {
        id: '2-0',
        iteration: 2,
        taskId: null,
        attemptId: null,
        intervention: { event_type: 'contract_weakened' },
        remediation: 'none',
      },
      {
        id: '1-1',
        iteration: 1,
        taskId: 'mail',
        attemptId: 'a1',
        intervention: { event_type: 'false_completion_detected' },
      },
      {
        id: '1-0',
        intervention: { event_type: 'no_files_detected' },
        at: '2025-03-10T10:00:00+01:00',
        remediation: 'pending',
      },
    ])
    expect(interventionTotals).toMatchObject({
      total: 3,
      byType: { no_files_detected: 1, false_completion_detected: 1, contract_weakened: 1 },
      bySeverity: { critical: 3 },
    })
  })

  test('lists an event once per task and iteration', () => {
    const { interventions, interventionTotals, profiles } = state(
      failed(1, ['no_files_detected', 'no_files_detected']),
      failed(1, ['no_files_detected']),
      failed(1, ['no_files_detected'], { taskId: 'other' }),
    )
    expect(interventions.map(({ taskId }) => taskId)).toEqual(['other', 'mail'])
    expect(interventionTotals.total).toBe(2)
    expect(profiles.claude?.noFilesCount).toBe(2)
  })

  test('also lists an event raised outside of attempts once per task and iteration', () => {
    const touched = (cycle: number, taskId: string | null): EventBody => ({
      type: 'intervention-raised',
      cycle,
      taskId,
      intervention: raise('supervisor_touched'),
    })
    const twice = state(touched(1, 'mail'), touched(1, 'mail'), failed(1, ['supervisor_touched']))
    expect(twice.interventions).toHaveLength(1)
    expect(twice.interventionTotals.total).toBe(1)
    expect(twice.days[0]?.otherInterventions).toEqual({ supervisor_touched: 1 })
    const others = [touched(2, 'mail'), touched(1, 'other'), touched(1, null), touched(1, null)]
    expect(state(touched(1, 'mail'), ...others).interventionTotals.total).toBe(5)
  })

  test('is limited in number and in the size of its details', () => {
    const huge = {
      text: 'x'.repeat(100_000),
      list: Array.from({ length: 5000 }, () => 'y'.repeat(5000)),
      deep: { a: { b: { c: { d: 'z'.repeat(100_000) } } } },
    }
    const bodies = Array.from(
      { length: 1100 },
      (_, index): EventBody => ({
        type: 'intervention-raised',
        cycle: index,
        taskId: null,
        intervention: raise('stalled', huge),
      }),
    )
    const { interventions, interventionTotals } = state(...bodies)
    expect(interventions).toHaveLength(1000)
    expect(interventions[0]?.iteration).toBe(1099)
    expect(interventionTotals.total).toBe(1100)
    expect(JSON.stringify(interventions[0]).length).toBeLessThan(20_000)
  })
})

describe('feedback', () => {
  test('waits from the attempt until the task is verified', () => {
    const waiting = state(failed(1, ['false_completion_detected']), failed(2, []))
    expect(waiting.feedback).toMatchObject([{ iteration: 1, taskId: 'mail', severity: 'critical' }])
    expect(state(failed(1, ['false_completion_detected']), verified(2)).feedback).toEqual([])
  })

  test.each<[InterventionType, Partial<AttemptResult>, number]>([
    ['protected_files_changed', {}, 2],
    ['evidence_validation_failed', {}, 2],
    ['evidence_validation_failed', { groundTruthContradiction: true }, 1],
    ['claim_refuted', {}, 1],
    ['no_files_detected', {}, 1],
    ['no_files_detected', { verdict: 'unclear' }, 2],
  ])(
    'says why an attempt with %s was not verified, unless that event already says so',
    (type, change, count) => {
      const findings = ['a check of this task fails']
      expect(state(failed(1, [type], { fault: 'agent', findings, ...change })).feedback).toHaveLength(count)
    },
  )

  test('is kept for other tasks when one is verified', () => {
    const { feedback } = state(
      failed(1, ['no_files_detected']),
      failed(1, ['no_files_detected'], { taskId: 'other', attemptId: 'b' }),
      verified(2),
    )
    expect(feedback.map(({ taskId }) => taskId)).toEqual(['other'])
  })

  test('ends when the operator overrules the task to verified, not to another verdict', () => {
    const overruled = (to: 'verified' | 'unclear'): EventBody => ({
      type: 'verdict-overruled',
      attemptId: 'a1',
      taskId: 'mail',
      attemptDay: '2025-03-10',
      from: 'not_verified',
      fromContradiction: false,
      to,
      reason: 'seen it',
      pointsDelta: 0,
    })
    expect(state(failed(1, ['no_files_detected']), overruled('unclear')).feedback).toHaveLength(1)
    expect(state(failed(1, ['no_files_detected']), overruled('verified')).feedback).toEqual([])
  })

  describe('on weakened tests', () => {
    const weakens = failed(1, ['protected_files_changed', 'claim_refuted'])
    const types = (...bodies: readonly EventBody[]) => state(...bodies).feedback.map(({ type }) => type)

    test('survives the next verified attempt of the task, and ends with the one after it', () => {
      expect(types(weakens)).toContain('claim_refuted')
      expect(types(weakens, verified(2))).toEqual(['protected_files_changed'])
      expect(types(weakens, verified(2), failed(3, []))).toContain('protected_files_changed')
      expect(types(weakens, verified(2), verified(3))).toEqual([])
    })

    test('of a verified attempt is repeated once', () => {
      const both = verified(1, { interventions: [raise('protected_files_changed')] })
      expect(types(both)).toEqual(['protected_files_changed'])
      expect(types(both, verified(2))).toEqual([])
    })

    test('ends when the task is verified if no tests were weakened', () => {
      expect(types(failed(1, ['claim_refuted']), verified(2))).toEqual([])
    })
  })

  test('about the contract is for every task of the next cycle, even after a verified attempt', () => {
    const weakened = verified(1, { interventions: [raise('contract_weakened', { changes: ['a removed'] })] })
    const end = (cycle: number): EventBody => ({ type: 'cycle-finished', cycle, ending: 'completed' })
    expect(state(weakened, end(1)).feedback).toMatchObject([{ taskId: null }])
    expect(state(weakened, end(1), verified(2), end(2)).feedback).toEqual([])
  })
})

describe('remediation', () => {
  const outcomes = (...bodies: readonly EventBody[]) =>
    state(...bodies)
      .interventions.filter(({ iteration }) => iteration === 1)
      .map(({ remediation }) => remediation)

  test.each<[string, EventBody, string, { tried: number; succeeded: number }]>([
    ['verified with feedback', verified(2, { feedbackShown: true }), 'succeeded', { tried: 1, succeeded: 1 }],
    ['refuted with feedback', failed(2, [], { feedbackShown: true }), 'failed', { tried: 1, succeeded: 0 }],
    ['verified without feedback', verified(2), 'none', { tried: 0, succeeded: 0 }],
    [
      'that is not judged',
      failed(2, [], { verdict: null, fault: 'environment', feedbackShown: true }),
      'pending',
      { tried: 0, succeeded: 0 },
    ],
    [
      'of another task',
      verified(2, { taskId: 'other', feedbackShown: true }),
      'pending',
      { tried: 0, succeeded: 0 },
    ],
  ])('next attempt: %s → %s', (_name, next, expected, remediations) => {
    const bodies = [failed(1, ['false_completion_detected']), next]
    expect(outcomes(...bodies)).toEqual([expected])
    expect(state(...bodies).interventionTotals.remediations).toEqual(remediations)
  })

  test('is answered by the next attempt and by no later one', () => {
    const bodies = [
      failed(1, ['false_completion_detected']),
      failed(2, [], { feedbackShown: true }),
      verified(3, { feedbackShown: true }),
    ]
    expect(outcomes(...bodies)).toEqual(['failed'])
    expect(state(...bodies).interventionTotals.remediations).toEqual({ tried: 1, succeeded: 0 })
  })
})

describe('profiles', () => {
  test('leave out attempts that the environment stopped or a crash cut off', () => {
    const { profiles } = state(
      failed(1, [], { verdict: null, fault: 'environment' }),
      failed(2, [], { agentId: '' }),
      failed(3, ['no_files_detected'], { filesChangedCount: 0, evidenceCount: 4, feedbackShown: true }),
    )
    expect(Object.keys(profiles)).toEqual(['claude'])
    expect(profiles.claude).toMatchObject({ iterations: 1, attempts: 1, noFilesCount: 1, evidenceOffered: 4 })
    expect(profiles.claude?.lastReinforcement).toBe('2025-03-10T10:02:00+01:00')
  })

  test('are kept for the 50 agents that ran last', () => {
    const bodies = Array.from({ length: 60 }, (_, index) =>
      verified(index + 1, { agentId: `agent-${index}` }),
    )
    const { profiles } = state(...bodies)
    expect(Object.keys(profiles)).toHaveLength(50)
    expect(profiles['agent-59']).toBeDefined()
    expect(profiles['agent-9']).toBeUndefined()
  })
})

describe('the circuit breaker and suspension', () => {
  const lies = [failed(1, ['false_completion_detected']), failed(2, ['false_completion_detected'])]
  const opened: EventBody = { type: 'breaker-changed', agentId: 'claude', state: 'open', reason: 'two lies' }
  const suspended: EventBody = { type: 'suspended', reason: 'two lies' }

  test('keeps a tripped breaker tripped, whatever follows', () => {
    const { profiles } = state(...lies, opened, verified(3), verified(4))
    expect(profiles.claude?.breaker).toMatchObject({
      state: 'open',
      since: '2025-03-10T10:02:00+01:00',
      reason: 'two lies',
      seen: { noFiles: 0, falseCompletions: 2 },
    })
  })

  test('ignores a change of an unknown agent', () => {
    const before = fold(recorded(lies))
    const after = applyEvent(
      before,
      recorded([{ ...opened, agentId: 'constructor' }], '2025-03-10', 3)[0] as never,
    )
    expect(after.profiles).toEqual(before.profiles)
  })

  test('reports a suspension as a notice until it is resumed, which closes the breaker and keeps the numbers', () => {
    const now = state(...lies, opened, suspended)
    expect(now.suspended).toEqual({ since: '2025-03-10T10:03:00+01:00', reason: 'two lies' })
    expect(now.notices).toMatchObject([
      { code: 'suspended', message: 'Suspended for manual review: two lies.' },
    ])
    const lifted = state(...lies, opened, suspended, { type: 'suspension-lifted', reason: 'talked to it' })
    expect(lifted.suspended).toBeNull()
    expect(lifted.notices).toEqual([])
    expect(lifted.feedback).toHaveLength(2)
    expect(lifted.profiles.claude).toMatchObject({
      falseCompletionCount: 2,
      counted: { falseCompletions: 0 },
      breaker: { state: 'closed' },
    })
  })

  test('starts at zero after a reset and keeps the agents; the reset can be undone', () => {
    const reset = state(...lies, opened, suspended, { type: 'interventions-reset' })
    expect(reset).toMatchObject({ suspended: null, feedback: [], interventions: [], notices: [] })
    expect(reset.interventionTotals.total).toBe(0)
    const before = state(...lies)
    expect(Object.keys(reset.profiles)).toEqual(Object.keys(before.profiles))
    expect(Object.values(reset.profiles)).toMatchObject([{ attempts: 0, falseCompletionCount: 0 }])
    const restored = state(...lies, { type: 'interventions-reset' }, { type: 'interventions-restored' })
    expect(restored.interventions).toEqual(before.interventions)
    expect(restored.interventionTotals).toEqual(before.interventionTotals)
    expect(Object.values(restored.profiles)).toMatchObject([{ attempts: 2, falseCompletionCount: 2 }])
    expect(restored.interventionArchive).toBeNull()
  })

  test('keeps what an earlier reset set aside when there is nothing to reset', () => {
    const twice = [{ type: 'interventions-reset' }, { type: 'interventions-reset' }] as const
    const restored = state(...lies, ...twice, { type: 'interventions-restored' })
    expect(restored.interventions).toEqual(state(...lies).interventions)
    expect(restored.profiles.claude).toMatchObject({ attempts: 2, falseCompletionCount: 2 })
  })
})

test('counts attempts by verdict and duration, regardless of overruling', () => {
  const { attemptTotals } = state(
    verified(1, { durationMs: 900 }),
    failed(2, [], { durationMs: 61_000 }),
    failed(3, [], { verdict: null, durationMs: 9_000_000 }),
  )
  expect(attemptTotals.byVerdict).toEqual({ verified: 1, not_verified: 1, unclear: 0, none: 1 })
  expect(attemptTotals.seconds).toEqual({
    count: 3,
    sum: 9061.9,
    buckets: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
  })
})
