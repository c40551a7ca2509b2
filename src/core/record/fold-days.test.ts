import { describe, expect, it } from 'vitest'
import type { AgentActivity, AgentUsage } from '../activity/types.ts'
import { INTERVENTION_ROWS } from '../vocabulary/intervention.ts'
import type { AttemptResult, EventBody } from './events.ts'
import { fold } from './fold.ts'
import type { WorkspaceState } from './state.ts'
import { attemptFinished, contractRead, cycleStarted, recorded } from './testing/sample-events.ts'

const BEGUN = [contractRead('h1', 'mail', 'chart'), cycleStarted(1)]
const stateAfter = (...bodies: EventBody[]): WorkspaceState => fold(recorded([...BEGUN, ...bodies]))
const dayOf = (state: WorkspaceState, agentId = 'claude') => state.days[0]?.agents[agentId]

let attempts = 0
function attempt(change: Partial<AttemptResult> = {}): EventBody {
  attempts++
  return attemptFinished({ attemptId: `a${attempts}`, ...change })
}

function activity(usage: Partial<AgentUsage> | null): AgentActivity {
  const unknown = { inputTokens: null, outputTokens: null, cachedInputTokens: null, costUsd: null }
  return {
    sessionId: null,
    model: null,
    version: null,
    usage: usage === null ? null : { ...unknown, ...usage },
    calls: [],
    omittedCalls: 0,
    unknownEvents: {},
    final: null,
  }
}

describe('a day’s figures', () => {
  it('count attempts by the verifier’s verdict, with contradictions, evidence and durations', () => {
    const state = stateAfter(
      attempt({ attemptId: 'wrong', evidenceCount: 2, durationMs: 4100 }),
      attempt({ verdict: 'not_verified', groundTruthContradiction: true, evidenceCount: 1, durationMs: 950 }),
      {
        type: 'verdict-overruled',
        attemptId: 'wrong',
        taskId: 'mail',
        attemptDay: '2025-03-10',
        from: 'verified',
        fromContradiction: false,
        to: 'not_verified',
        reason: 'r',
        pointsDelta: -25,
      },
    )
    expect(state.days).toHaveLength(1)
    expect(dayOf(state)).toEqual({
      attempts: { verified: 1, not_verified: 1, unclear: 0, none: 0 },
      contradictions: 1,
      interventions: {},
      worked: 2,
      evidence: 3,
      seconds: [1, 4.1],
      usage: null,
    })
  })

  it('count neither evidence nor duration for an attempt that the environment stopped', () => {
    const stopped = { verdict: null, fault: 'environment', evidenceCount: 5 } as const
    expect(dayOf(stateAfter(attempt(stopped)))).toMatchObject({
      attempts: { none: 1 },
      worked: 0,
      evidence: 0,
      seconds: [],
    })
  })

  it('count each intervention once per task and iteration, and list those without an attempt separately', () => {
    const raised = (event_type: 'stalled' | 'contract_weakened') => ({
      event_type,
      severity: INTERVENTION_ROWS[event_type].severity,
      details: {},
    })
    const state = stateAfter(
      attempt({ interventions: [raised('stalled'), raised('stalled')] }),
      attempt({ interventions: [raised('stalled')] }),
      {
        type: 'intervention-raised',
        cycle: 1,
        taskId: null,
        intervention: raised('contract_weakened'),
      },
    )
    expect(dayOf(state)?.interventions).toEqual({ stalled: 1 })
    expect(state.days[0]?.otherInterventions).toEqual({ contract_weakened: 1 })
  })

  it('divide a run’s duration and usage among its tasks', () => {
    const shared = {
      durationMs: 9000,
      tasksInRun: 3,
      activity: activity({ inputTokens: 3000, costUsd: 0.75 }),
    }
    const day = dayOf(stateAfter(attempt(shared), attempt({ ...shared, taskId: 'chart' })))
    expect(day?.seconds).toEqual([3, 3])
    expect(day?.usage).toEqual({
      attempts: 2,
      inputTokens: 2000,
      outputTokens: null,
      cachedInputTokens: null,
      costUsd: 0.5,
    })
  })

  it('distinguish usage that no program reported from zero usage', () => {
    const state = stateAfter(
      attempt({ activity: activity(null) }),
      attempt({ activity: activity({}) }),
      attempt({ activity: activity({ outputTokens: 0 }) }),
    )
    expect(dayOf(state)?.usage).toMatchObject({ attempts: 1, outputTokens: 0, inputTokens: null })
    expect(state.tasks.mail?.usage).toMatchObject({ attempts: 1 })
    expect(state.tasks.chart).toBeUndefined()
  })

  it('keep agents apart, even those named like object members, and leave out those that never ran', () => {
    const state = stateAfter(
      attempt({ agentId: 'codex' }),
      attempt({ agentId: '__proto__' }),
      attempt({ agentId: '' }),
    )
    expect(Object.keys(state.days[0]?.agents ?? {})).toEqual(['__proto__', 'codex'])
  })

  it('are kept for 30 days, 10 agents and 100 durations', () => {
    const days = Array.from({ length: 40 }, (_, index) =>
      recorded([attempt()], new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10), index + 1),
    ).flat()
    const kept = fold(days).days
    expect(kept.map(({ day }) => day)).toHaveLength(30)
    expect([kept[0]?.day, kept.at(-1)?.day]).toEqual(['2025-02-09', '2025-01-11'])
    const busy = Array.from({ length: 120 }, (_, index) => attempt({ agentId: `agent-${index % 12}` }))
    expect(Object.keys(stateAfter(...busy).days[0]?.agents ?? {})).toHaveLength(10)
    const long = Array.from({ length: 130 }, (_, index) => attempt({ durationMs: index * 1000 }))
    expect(dayOf(stateAfter(...long))?.seconds).toHaveLength(100)
    expect(dayOf(stateAfter(...long))?.seconds[0]).toBe(129)
  })
})
