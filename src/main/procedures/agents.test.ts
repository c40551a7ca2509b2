import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { type TemporaryLedger, temporaryLedger } from '../ledger/testing/temporary-ledger.ts'
import type { Ledger } from '../ports/ledger.ts'
import { agentFigures, agentsOf } from './agents.ts'

let files: TemporaryLedger
let ledger: Ledger
beforeEach(async () => {
  files = await temporaryLedger()
  ledger = await files.open()
})
afterEach(() => files.remove())

/** Only what is asked of it here; the rest of a runtime is a supervisor with its agent. */
function runtime(config: unknown): WorkspaceRuntime {
  return { id: 'one', name: 'One', ledger, loop: { config } } as unknown as WorkspaceRuntime
}

const INTERVENTIONS = {
  enabled: true,
  thresholdNoFiles: 3,
  windowIterations: 5,
  thresholdFalseCompletion: 2,
  aggressiveMode: false,
}

const lie = (agentId: string, cycle: number) =>
  finishedAttempt(`${agentId}-${cycle}`, {
    agentId,
    cycle,
    verdict: 'not_verified',
    interventions: [{ event_type: 'false_completion_detected', severity: 'critical', details: {} }],
  })

test('the configured agent comes first, before it has run too; the others by how recently they ran', async () => {
  const config = { agent: { id: 'claude' }, interventions: INTERVENTIONS }
  await ledger.append(lie('codex', 1), lie('gemini', 2))
  expect(agentsOf(runtime(config)).map(({ profile, configured }) => [profile.agent_id, configured])).toEqual([
    ['claude', true],
    ['gemini', false],
    ['codex', false],
  ])
  expect(agentsOf(runtime(null)).map(({ profile }) => profile.agent_id)).toEqual(['gemini', 'codex'])
})

test('a tripped breaker is tripped, and only the one that is', async () => {
  const config = { agent: { id: 'claude' }, interventions: INTERVENTIONS }
  await ledger.append(lie('codex', 1), lie('claude', 2), {
    type: 'breaker-changed',
    agentId: 'claude',
    state: 'tripped',
    reason: '2 false claims of completion, after a warning',
  })
  const [claude, codex] = agentsOf(runtime(config))
  expect(claude).toMatchObject({
    profile: { intervention_threshold_exceeded: true },
    breaker: { state: 'tripped', reason: '2 false claims of completion, after a warning', next: null },
  })
  expect(codex).toMatchObject({
    profile: { intervention_threshold_exceeded: false },
    breaker: { state: 'closed', next: { state: 'open', noFiles: 3, falseCompletions: 1 } },
  })
})

test('where nothing asks the breaker it has no thresholds and no next step', async () => {
  await ledger.append(lie('claude', 1))
  const off = { agent: { id: 'claude' }, interventions: { ...INTERVENTIONS, enabled: false } }
  for (const config of [off, null])
    expect(agentsOf(runtime(config))[0]?.breaker).toMatchObject({ thresholds: null, next: null })
})

test('the figures go out oldest first, with medians, and the dearest tasks first', async () => {
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
  const contract = ['check_email', 'report'].map((id) => ({
    id,
    description: id,
    required: true,
    verify: 'task_completed',
    maxAttempts: 3,
    checked: false,
    criteria: [],
    line: 1,
  }))
  await ledger.append(
    { type: 'contract-read', hash: 'h', tasks: contract },
    {
      type: 'cycle-started',
      cycle: 1,
      trigger: 'manual',
      dueAt: null,
      contractHash: 'h',
      forceAllRequired: false,
      contradictedTasks: [],
    },
    finishedAttempt('a1', { durationMs: 1000, evidenceCount: 2, activity: activity(null) }),
    finishedAttempt('a2', { durationMs: 2000, taskId: 'report', activity: activity(0.5) }),
  )
  files.nowMs += 86_400_000
  await ledger.append(finishedAttempt('a3', { durationMs: 9000 }))
  const figures = agentFigures(ledger.state)
  expect(figures).toMatchObject({
    today: '2026-03-02',
    days: [
      {
        day: '2026-03-01',
        agents: [
          {
            agentId: 'claude',
            evidencePerAttempt: 1,
            medianSeconds: 1.5,
            usage: { attempts: 2, inputTokens: 20_000, costUsd: 0.5 },
          },
        ],
      },
      { day: '2026-03-02', agents: [{ medianSeconds: 9, usage: null }] },
    ],
  })
  expect(figures.tasks.map(({ taskId }) => taskId)).toEqual(['report', 'check_email'])
})
