import type { AgentProfile, CircuitBreaker } from './types.ts'

export interface BreakerThresholds {
  /** `threshold_no_files`: events within the last `windowIterations` iterations. */
  readonly noFiles: number
  readonly windowIterations: number
  /** `threshold_false_completion`: contradicted completions since the operator last resumed the workspace. */
  readonly falseCompletions: number
  /** `aggressive_mode`: the first time the breaker opens, it trips. */
  readonly aggressiveMode: boolean
}

/** The breaker's state after a run. */
export interface BreakerStep {
  readonly state: CircuitBreaker['state']
  /** The reason in words; if nothing changes, the breaker's existing reason. */
  readonly reason: string
}

export const CLOSED_BREAKER: CircuitBreaker = {
  state: 'closed',
  since: null,
  reason: '',
  seen: { noFiles: 0, falseCompletions: 0 },
}

/**
 * Returns the circuit breaker's state after a run of the agent. Call it once per run, after its attempts are recorded. Meeting a threshold
 * opens the breaker (a warning); if a further event meets one while it is open, it trips. In aggressive mode the first one trips it. It
 * never closes automatically. Pure.
 */
export function breakerStep(profile: AgentProfile, thresholds: BreakerThresholds): BreakerStep {
  const { breaker } = profile
  const reasons = metThresholds(profile, thresholds)
  const reason = reasons.join(' and ')
  if (breaker.state === 'tripped' || reasons.length === 0) return breaker
  if (breaker.state === 'open') return { state: 'tripped', reason: `${reason}, after a warning` }
  return { state: thresholds.aggressiveMode ? 'tripped' : 'open', reason }
}

/** How far a circuit breaker is from its next step. */
export interface BreakerOutlook {
  /** Events counted toward the thresholds so far. */
  readonly noFiles: number
  readonly falseCompletions: number
  /** How many more events of either kind lead to the next step; at least 1. */
  readonly missing: { readonly noFiles: number; readonly falseCompletions: number }
  /** The state after that step; `null` if it has tripped. */
  readonly next: 'open' | 'tripped' | null
}

/** Returns how far the breaker is from its next step, if the events come within the iterations that still count. Pure. */
export function breakerOutlook(profile: AgentProfile, thresholds: BreakerThresholds): BreakerOutlook {
  const { counted, breaker } = profile
  const noFiles = recentNoFiles(profile, thresholds)
  const { falseCompletions } = counted
  return {
    noFiles,
    falseCompletions,
    missing: {
      noFiles: Math.max(1, thresholds.noFiles - noFiles),
      falseCompletions: Math.max(1, thresholds.falseCompletions - falseCompletions),
    },
    next: nextState(breaker.state, thresholds.aggressiveMode),
  }
}

function nextState(state: CircuitBreaker['state'], aggressiveMode: boolean): BreakerOutlook['next'] {
  if (state === 'tripped') return null
  return state === 'open' || aggressiveMode ? 'tripped' : 'open'
}

function recentNoFiles(
  { counted, lastIteration }: AgentProfile,
  { windowIterations }: BreakerThresholds,
): number {
  return counted.noFilesByIteration
    .filter(({ iteration }) => iteration > lastIteration - windowIterations)
    .reduce((sum, { count }) => sum + count, 0)
}

/** Returns, in words, the thresholds met by events that the breaker has not seen yet. */
function metThresholds(profile: AgentProfile, thresholds: BreakerThresholds) {
  const { counted, breaker } = profile
  const reasons: string[] = []
  const recent = recentNoFiles(profile, thresholds)
  if (counted.noFiles > breaker.seen.noFiles && recent >= thresholds.noFiles)
    reasons.push(
      `${some(recent, 'attempt')} that changed no file within the last ${thresholds.windowIterations} heartbeats`,
    )
  const { falseCompletions } = counted
  if (falseCompletions > breaker.seen.falseCompletions && falseCompletions >= thresholds.falseCompletions)
    reasons.push(some(falseCompletions, 'false claim'))
  return reasons
}

/** Returns the profile after a step was recorded, with all events so far marked as seen. */
export function withBreaker(profile: AgentProfile, step: BreakerStep, at: string): AgentProfile {
  const { noFiles, falseCompletions } = profile.counted
  return { ...profile, breaker: { ...step, since: at, seen: { noFiles, falseCompletions } } }
}

/** Returns the profile with its breaker closed by the operator: counting toward the thresholds restarts, everything else is kept. */
export function withClosedBreaker(profile: AgentProfile): AgentProfile {
  return {
    ...profile,
    counted: { noFiles: 0, falseCompletions: 0, noFilesByIteration: [] },
    breaker: CLOSED_BREAKER,
  }
}

function some(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
