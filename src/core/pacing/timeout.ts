import type { AdaptiveTimeoutRules } from '../configuration/adaptive-timeout.ts'
import type { ComplexityLevel } from '../vocabulary/complexity.ts'
import { durationWords } from './duration-words.ts'

/** What is known about a task when its next attempt is planned. Durations are of completed attempts, in seconds. */
export interface TimeoutHistory {
  readonly level: ComplexityLevel
  readonly timeouts: number
  readonly taskDurations: readonly number[]
  readonly levelDurations: readonly number[]
  /** Seconds that the operator set with an unblock, for the next attempt only. */
  readonly unblockSeconds: number | null
}

export interface TimeoutPlan {
  readonly seconds: number
  readonly source: 'fixed' | 'scaled' | 'learned' | 'unblock'
  /** "2 min × 3 for ui_heavy × 1.5 after 1 timeout", for people. */
  readonly reason: string
}

/** Completed attempts needed before learning from durations, the percentile used, and the margin added to it. */
const LEARN_FROM = 10
const LEARNED_PERCENTILE = 0.95
const LEARNED_RESERVE = 1.5

/** Returns the timeout of a task's next attempt in whole seconds, and why; see design.md section 8, "Adaptive timeout". */
export function planTimeout(history: TimeoutHistory, rules: AdaptiveTimeoutRules): TimeoutPlan {
  if (history.unblockSeconds !== null) {
    return {
      seconds: history.unblockSeconds,
      source: 'unblock',
      reason: 'set by the operator when the task was unblocked',
    }
  }
  const mode = rules.modeTimeoutSeconds
  if (!rules.enabled) return { seconds: mode, source: 'fixed', reason: 'fixed' }

  const { baseSeconds, multiplier } = rules.complexity[history.level]
  const scaled = rules.complexityScaling ? (baseSeconds ?? mode * multiplier) : mode
  const learned = rules.learned ? learnedSeconds(history) : null
  const isLearned = learned !== null && learned > scaled
  const growth = rules.failureScaling ? rules.timeoutMultiplierPerFailure ** history.timeouts : 1
  const seconds = Math.floor((isLearned ? learned : scaled) * growth)
  const clamped = Math.min(rules.maxTimeoutSeconds, Math.max(rules.minTimeoutSeconds, seconds))

  const start = isLearned
    ? `${clock(learned)} learned from completed attempts`
    : startInWords(history.level, rules)
  const after = `${history.timeouts} timeout${history.timeouts === 1 ? '' : 's'}`
  const grown = growth === 1 ? '' : ` × ${round(growth)} after ${after}`
  const limit = clamped === seconds ? '' : `, limited to ${clock(clamped)}`
  return { seconds: clamped, source: isLearned ? 'learned' : 'scaled', reason: `${start}${grown}${limit}` }
}

/** Returns a duration as everywhere else, `2:00`; in seconds if that would read `0:00`. */
function clock(seconds: number): string {
  return seconds < 1 ? `${round(seconds)} s` : durationWords(seconds * 1000)
}

function startInWords(level: ComplexityLevel, rules: AdaptiveTimeoutRules): string {
  const mode = rules.modeTimeoutSeconds
  const { baseSeconds, multiplier } = rules.complexity[level]
  if (!rules.complexityScaling) return clock(mode)
  return baseSeconds === null
    ? `${clock(mode)} × ${multiplier} for ${level}`
    : `${clock(baseSeconds)} for ${level}`
}

/** Returns the 95th percentile (nearest rank) of the task's completed attempts, or of its level's, with a margin; `null`: too few. */
function learnedSeconds(history: TimeoutHistory): number | null {
  for (const durations of [history.taskDurations, history.levelDurations]) {
    if (durations.length >= LEARN_FROM) return percentile(durations, LEARNED_PERCENTILE) * LEARNED_RESERVE
  }
  return null
}

function percentile(values: readonly number[], share01: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(share01 * sorted.length) - 1] ?? 0
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
