import { describe, expect, test } from 'vitest'
import { withBreaker, withClosedBreaker } from '../intervention/breaker.ts'
import { newProfile } from '../intervention/profile.ts'
import { profileAfterRun, RUN_AT } from '../intervention/testing/profile-after-run.ts'
import type { EventBody } from '../record/events.ts'
import { fold } from '../record/fold.ts'
import { attemptFinished, contractRead, cycleStarted, recorded } from '../record/testing/sample-events.ts'
import { agentFigures, agentViews, profileView } from './agent.ts'

const after = (...bodies: readonly EventBody[]) => fold(recorded(bodies))

const INTERVENTIONS = {
  enabled: true,
  thresholdNoFiles: 3,
  windowIterations: 5,
  thresholdFalseCompletion: 2,
  aggressiveMode: false,
}

const lie = (agentId: string, cycle: number) =>
  attemptFinished({
    attemptId: `${agentId}-${cycle}`,
    agentId,
    cycle,
    verdict: 'not_verified',
    interventions: [{ event_type: 'false_completion_detected', severity: 'critical', details: {} }],
  })

test('lists the configured agent first, even before it has run, and the others by their latest run', () => {
  const config = { agent: { id: 'claude' }, interventions: INTERVENTIONS }
  const state = after(lie('codex', 1), lie('gemini', 2))
  expect(agentViews(state, config).map(({ profile, configured }) => [profile.agent_id, configured])).toEqual([
    ['claude', true],
    ['gemini', false],
    ['codex', false],
  ])
  expect(agentViews(state, null).map(({ profile }) => profile.agent_id)).toEqual(['gemini', 'codex'])
})

test('reports a tripped breaker as tripped, and no other', () => {
  const config = { agent: { id: 'claude' }, interventions: INTERVENTIONS }
  const state = after(lie('codex', 1), lie('claude', 2), {
    type: 'breaker-changed',
    agentId: 'claude',
    state: 'tripped',
    reason: '2 false claims of completion, after a warning',
  })
  const [claude, codex] = agentViews(state, config)
  expect(claude).toMatchObject({
    profile: { intervention_threshold_exceeded: true },
    breaker: { state: 'tripped', reason: '2 false claims of completion, after a warning', next: null },
  })
  expect(codex).toMatchObject({
    profile: { intervention_threshold_exceeded: false },
    breaker: { state: 'closed', next: { state: 'open', noFiles: 3, falseCompletions: 1 } },
  })
})

test('lists the profile’s last 50 events, oldest first, each with its exit code and whether anything came of it', () => {
  const raised = Array.from({ length: 60 }, (_, index) =>
    attemptFinished({
      attemptId: `claude-${index}`,
      agentId: 'claude',
      cycle: index + 1,
      verdict: 'not_verified',
      interventions: [
        { event_type: 'no_files_detected', severity: 'critical', details: { return_code: index } },
      ],
    }),
  )
  const state = after(...raised, lie('codex', 61))
  const history = agentViews(state, null).find(({ profile }) => profile.agent_id === 'claude')?.profile
    .intervention_history
  expect(history).toHaveLength(50)
  expect(history?.[0]).toMatchObject({ iteration: 11, agent_return_code: 10, remediation_attempted: false })
  expect(history?.at(-1)).toMatchObject({ iteration: 60, agent_return_code: 59 })
})

test('shows no thresholds and no next step if the breaker is not used', () => {
  const state = after(lie('claude', 1))
  const off = { agent: { id: 'claude' }, interventions: { ...INTERVENTIONS, enabled: false } }
  for (const config of [off, null])
    expect(agentViews(state, config)[0]?.breaker).toMatchObject({ thresholds: null, next: null })
})

test('returns figures oldest first, with medians, and the most expensive tasks first', () => {
  const activity = (costUsd: number | null) => ({
    sessionId: null,
    model: null,
    version: null,
    usage: { inputTokens: 10_000, outputTokens: 100, cachedInputTokens: null, costUsd },
    calls: [],
    omittedCalls: 0,
    unknownEvents: {},
    final: null,
  })
  const first = recorded([
    contractRead('h', 'check_email', 'report'),
    cycleStarted(1),
    attemptFinished({
      attemptId: 'a1',
      taskId: 'check_email',
      durationMs: 1000,
      evidenceCount: 2,
      activity: activity(null),
    }),
    attemptFinished({ attemptId: 'a2', taskId: 'report', durationMs: 2000, activity: activity(0.5) }),
  ])
  const next = recorded(
    [attemptFinished({ attemptId: 'a3', taskId: 'check_email', durationMs: 9000 })],
    '2025-03-11',
    5,
  )
  const figures = agentFigures(fold([...first, ...next]))
  expect(figures).toMatchObject({
    today: '2025-03-11',
    days: [
      {
        day: '2025-03-10',
        agents: [
          {
            agentId: 'claude',
            evidencePerAttempt: 1,
            medianSeconds: 1.5,
            usage: { attempts: 2, inputTokens: 20_000, costUsd: 0.5 },
          },
        ],
      },
      { day: '2025-03-11', agents: [{ medianSeconds: 9, usage: null }] },
    ],
  })
  expect(figures.tasks.map(({ taskId }) => taskId)).toEqual(['report', 'check_email'])
})

describe('an agent’s profile', () => {
  test('is all zeros for an agent that never ran', () => {
    expect(profileView(newProfile('claude'))).toEqual({
      agent_id: 'claude',
      total_iterations: 0,
      no_files_count: 0,
      false_completion_count: 0,
      avg_files_per_iteration: 0,
      avg_evidence_count: 0,
      last_reinforcement: null,
      intervention_threshold_exceeded: false,
      intervention_history: [],
    })
  })

  test('averages files over iterations and evidence over attempts', () => {
    let profile = profileAfterRun(newProfile('claude'), 1, [], {
      filesChanged: 3,
      evidenceCount: 1,
      run: 'a',
    })
    profile = profileAfterRun(profile, 1, ['no_files_detected'], {
      filesChanged: 2,
      run: 'b',
      feedbackShown: true,
    })
    profile = profileAfterRun(profile, 4, ['false_completion_detected'], {
      filesChanged: 0,
      evidenceCount: 1,
    })
    expect(profileView(profile)).toMatchObject({
      total_iterations: 2,
      no_files_count: 1,
      false_completion_count: 1,
      avg_files_per_iteration: 2.5,
      avg_evidence_count: 0.67,
      last_reinforcement: RUN_AT,
    })
  })

  test('counts the files of a run that served several tasks once', () => {
    let profile = profileAfterRun(newProfile('claude'), 1, [], { filesChanged: 4, run: 'same' })
    profile = profileAfterRun(profile, 1, [], { filesChanged: 4, run: 'same' })
    expect(profileView(profile).avg_files_per_iteration).toBe(4)
  })

  test('shows that the threshold is exceeded until the breaker is closed', () => {
    const open = withBreaker(newProfile('claude'), { state: 'open', reason: 'r' }, RUN_AT)
    expect(profileView(open).intervention_threshold_exceeded).toBe(true)
    expect(profileView(withClosedBreaker(open)).intervention_threshold_exceeded).toBe(false)
  })
})
