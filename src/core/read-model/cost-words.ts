import { durationWords } from '../pacing/duration-words.ts'
import type { AttemptCosts, CheckCost, MeasuredCheck } from '../record/costs.ts'
import { counted } from '../scoring/format.ts'
import { COST_PHASE_KEYS, COST_PHASES, type CostPhase } from '../vocabulary/cost-phase.ts'

/** Returns the parts of an attempt's time in order, each as text: `agent 41 s`. */
export function costParts(
  costs: Pick<AttemptCosts, CostPhase>,
): readonly { readonly phase: CostPhase; readonly ms: number; readonly words: string }[] {
  return COST_PHASE_KEYS.map((phase) => ({
    phase,
    ms: costs[phase],
    words: `${COST_PHASES[phase].words} ${costDuration(costs[phase])}`,
  }))
}

/** Returns where an attempt's time went, on one line: `agent 41 s · checks 5.4 s · clean room 0 · Pulseward 0.3 s`. */
export function costsInWords(costs: Pick<AttemptCosts, CostPhase>): string {
  return costParts(costs)
    .map(({ words }) => words)
    .join(' · ')
}

/** Maximum number of checks shown; the JSON has more. */
const SHOWN_CHECKS = 5

/** Returns the checks that took longest, as many as are shown: at most 5. */
export function longestChecks({ byCheck }: Pick<AttemptCosts, 'byCheck'>): readonly CheckCost[] {
  return byCheck.slice(0, SHOWN_CHECKS)
}

/** Returns a check's name for people: `gate npm test`, `judge`. */
export function checkInWords({ kind, name }: MeasuredCheck): string {
  return kind === 'judge' ? kind : `${kind} ${name}`
}

/** Returns how long a check took, and in how many runs: `5.4 s in 3 runs`. */
export function checkCostInWords({ runs, ms }: CheckCost): string {
  return `${costDuration(ms)} in ${counted(Math.max(1, Math.round(runs)), 'run')}`
}

/** Returns a duration, as short as precision allows: `0`, `30 ms`, `5.4 s`, `41 s`, `20 min 15 s`. */
function costDuration(ms: number): string {
  if (ms === 0) return '0'
  if (ms < 100) return `${Math.max(1, Math.round(ms))} ms`
  return ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : durationWords(Math.round(ms / 1000) * 1000)
}
