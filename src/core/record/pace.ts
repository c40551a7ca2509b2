import { nextMidnight } from '../pacing/schedule.ts'
import { usedToday } from './budget.ts'
import type { Pace } from './pace-figures.ts'
import type { WorkspaceState } from './state.ts'

/** Shorter than this, a pace means nothing: the first attempt of a day would be multiplied by hundreds. */
const LEAST_MS = 15 * 60_000

/** Returns the workspace's pace at `nowMs`; `null` if its programs reported nothing today. */
export function paceOf(
  state: Pick<WorkspaceState, 'days' | 'day' | 'attempts'>,
  nowMs: number,
  zone: string,
): Pace | null {
  const { usd, tokens, isEstimate } = usedToday(state)
  if (usd === null && tokens === null) return null
  const starts = state.attempts
    .filter(({ day }) => day === state.day)
    .map(({ startedAt }) => Date.parse(startedAt))
  const elapsedMs = nowMs - Math.min(...starts)
  const factor = elapsedMs >= LEAST_MS ? 1 + (nextMidnight(nowMs, zone) - nowMs) / elapsedMs : null
  const byMidnight = (used: number | null) =>
    used === null || factor === null || !Number.isFinite(factor) ? null : used * factor
  return {
    usd,
    tokens,
    isEstimate,
    usdByMidnight: byMidnight(usd),
    tokensByMidnight: byMidnight(tokens),
  }
}
