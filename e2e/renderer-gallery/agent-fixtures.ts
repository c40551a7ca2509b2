import type {
  AgentDay,
  AgentFigures,
  AgentProfile,
  KnownAgent,
  UsageTotals,
} from '../../src/core/read-model/agent.ts'
import { aProfile } from './intervention-fixtures.ts'

/** An agent whose breaker fits its profile: tripped where the workspace is suspended, open where a threshold was met. */
export function anAgent(
  profile: AgentProfile,
  suspended: { readonly since: string; readonly reason: string } | null,
): KnownAgent {
  const state = suspended !== null ? 'tripped' : profile.intervention_threshold_exceeded ? 'open' : 'closed'
  return {
    profile,
    breaker: {
      state,
      since: state === 'closed' ? null : (suspended?.since ?? new Date(Date.now() - 3_600_000).toISOString()),
      reason: state === 'closed' ? '' : (suspended?.reason ?? '2 false claims of completion'),
      noFiles: state === 'closed' ? 1 : 3,
      falseCompletions: state === 'closed' ? 0 : 2,
      windowIterations: 5,
      thresholds: { noFiles: 3, falseCompletions: 2, aggressiveMode: false },
      next: {
        closed: { state: 'open' as const, noFiles: 2, falseCompletions: 2 },
        open: { state: 'tripped' as const, noFiles: 1, falseCompletions: 1 },
        tripped: null,
      }[state],
    },
    configured: true,
  }
}

/** Two agents: the configured one at work for a month, and one that was tried for a week. */
export function twoAgents(): KnownAgent[] {
  const tried = aProfile({
    agent_id: 'codex',
    total_iterations: 61,
    no_files_count: 9,
    false_completion_count: 4,
    avg_evidence_count: 0.8,
    last_reinforcement: new Date(Date.now() - 9 * 86_400_000).toISOString(),
  })
  return [anAgent(aProfile({ total_iterations: 412 }), null), { ...anAgent(tried, null), configured: false }]
}

function usage(index: number, attempts: number): UsageTotals {
  return {
    attempts,
    inputTokens: attempts * (11_000 + (index % 7) * 1900),
    outputTokens: attempts * (820 + (index % 5) * 240),
    cachedInputTokens: attempts * 7000,
    costUsd: Math.round(attempts * (0.04 + (index % 4) * 0.013) * 1e4) / 1e4,
  }
}

function aDay(agentId: string, index: number, share: number): AgentDay {
  const verified = Math.round((9 + ((index * 5) % 11)) * share)
  const failed = Math.round(((index * 7) % 5) * share)
  const attempts = { verified, not_verified: failed, unclear: index % 3, none: index % 6 === 0 ? 2 : 0 }
  return {
    agentId,
    attempts,
    contradictions: index % 9 === 0 ? 1 : 0,
    interventions: {
      agent_reinforced: failed,
      ...(index % 4 === 0 && { no_files_detected: 1 + (index % 2) }),
      ...(index % 5 === 0 && { false_completion_detected: 1 }),
      ...(index % 7 === 0 && { evidence_validation_failed: 2 }),
      ...(index % 11 === 0 && { permission_denied: 1 }),
    },
    evidencePerAttempt: Math.round((1.2 + Math.sin(index / 4)) * 100) / 100,
    medianSeconds: 70 + ((index * 13) % 90),
    usage: index < 18 ? usage(index, verified + failed) : null,
  }
}

/** A month of figures, with a gap in it; usage has been reported for the last 18 days. */
export function aMonth(nowMs: number): AgentFigures {
  const day = (index: number) => new Date(nowMs - index * 86_400_000).toISOString().slice(0, 10)
  const indices = Array.from({ length: 30 }, (_, index) => 29 - index).filter(
    (index) => index < 20 || index > 22,
  )
  return {
    today: day(0),
    days: indices.map((index) => ({
      day: day(index),
      agents: [
        aDay('claude', index, 1),
        ...(index > 8 && index < 16 ? [{ ...aDay('codex', index, 0.5), usage: null }] : []),
      ],
      otherInterventions: { ...(index === 12 && { contract_weakened: 1 }) },
    })),
    tasks: ['write_report', 'check_email', 'run_tests', 'بريد_جديد'].map((taskId, index) => ({
      taskId,
      usage: usage(index + 2, 40 - index * 9),
    })),
  }
}
