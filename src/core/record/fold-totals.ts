import type { AttemptResult } from './events.ts'
import type { AttemptTotals, WorkspaceState } from './state.ts'

/** Upper bounds of the duration histogram's buckets in seconds; what is above the last is in its count alone. */
export const DURATION_BOUNDS = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600] as const

export const NO_ATTEMPTS: AttemptTotals = {
  byVerdict: { verified: 0, not_verified: 0, unclear: 0, none: 0 },
  seconds: { count: 0, sum: 0, buckets: DURATION_BOUNDS.map(() => 0) },
}

/** Counts an attempt by its verdict and duration; a later overruling changes neither. */
export function countAttempt(state: WorkspaceState, result: AttemptResult): WorkspaceState {
  const { byVerdict, seconds } = state.attemptTotals
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
    },
  }
}
