import { addUsage } from '../activity/usage.ts'
import { COST_PHASE_KEYS } from '../vocabulary/cost-phase.ts'
import { each } from '../vocabulary/each.ts'
import { VERDICTS } from '../vocabulary/verdict.ts'
import type { AttemptResult } from './events.ts'
import type { AttemptTotals, WorkspaceState } from './state.ts'

/** Upper bounds of the duration histogram's buckets in seconds; values above the last are only in its count. */
export const DURATION_BOUNDS = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600] as const

/** The same number as for profiles. */
const KEPT_AGENTS = 50

export const NO_ATTEMPTS: AttemptTotals = {
  byVerdict: each([...VERDICTS, 'none'], () => 0),
  seconds: { count: 0, sum: 0, buckets: DURATION_BOUNDS.map(() => 0) },
  usage: {},
  costs: each(COST_PHASE_KEYS, () => 0),
}

/** Counts an attempt by its verdict and duration; later overruling changes neither. */
export function countAttempt(state: WorkspaceState, result: AttemptResult): WorkspaceState {
  const { byVerdict, seconds, usage, costs } = state.attemptTotals
  const verdict = result.verdict ?? 'none'
  const duration = result.durationMs / 1000
  const bucket = DURATION_BOUNDS.findIndex((bound) => duration <= bound)
  return {
    ...state,
    attemptTotals: {
      byVerdict: { ...byVerdict, [verdict]: byVerdict[verdict] + 1 },
      seconds: {
        count: seconds.count + 1,
        sum: seconds.sum + duration,
        buckets: seconds.buckets.map((count, index) => (index === bucket ? count + 1 : count)),
      },
      usage: usageAfter(usage, result),
      costs: each(
        COST_PHASE_KEYS,
        (phase) => costs[phase] + (result.costs?.[phase] ?? 0) / result.tasksInRun,
      ),
    },
  }
}

function usageAfter(
  usage: AttemptTotals['usage'],
  { agentId, activity, tasksInRun }: AttemptResult,
): AttemptTotals['usage'] {
  const known = Object.hasOwn(usage, agentId) ? (usage[agentId] ?? null) : null
  const totals = addUsage(known, activity?.usage ?? null, 1 / tasksInRun)
  if (totals === null || totals === known) return usage
  const others = Object.entries(usage).filter(([id]) => id !== agentId)
  return Object.fromEntries([[agentId, totals], ...others].slice(0, KEPT_AGENTS))
}
