import type { ScoringRules } from '../configuration/scoring.ts'
import {
  forcesRequired,
  PENALTY_TIERS,
  type PenaltyLevel,
  REWARD_TIERS,
  type RewardLevel,
  SHIELD_ROWS,
  STANDING_LEVELS,
  type StandingLevel,
} from '../vocabulary/standing.ts'
import { formatPoints } from './format.ts'
import { hasActivity, hasOnlyBlamelessVerdicts } from './ratchet.ts'
import type { ScoreState, Standing } from './types.ts'

type Tier = Exclude<StandingLevel, 'none'>

/** One row of the tables. */
interface TierRow {
  /** Share of the target. Below it, a penalty applies; at or above it, a reward. */
  readonly share: (rules: ScoringRules) => number
  /** A penalty only shortens the interval to this, a reward only lengthens it. Absent: no change. */
  readonly minutes?: (rules: ScoringRules) => number
  /** What follows, for the prompt; `missing` is the number of points missing to the target, in words. */
  readonly effect: (missing: string, rules: ScoringRules) => string
}

const TIERS: Readonly<Record<Tier, TierRow>> = {
  lockdown: {
    share: (rules) => -rules.lockdownShare,
    minutes: (rules) => rules.lockdownMinutes,
    effect: () => 'Every task counts as required, and the operator is notified.',
  },
  escalated: {
    share: () => 0,
    minutes: (rules) => rules.escalatedMinutes,
    effect: () => 'Every task counts as required.',
  },
  tightened: {
    share: (rules) => rules.tightenedShare,
    minutes: (rules) => rules.tightenedMinutes,
    effect: () => 'Heartbeats come more often until it recovers.',
  },
  warning: {
    share: (rules) => rules.warningShare,
    effect: (_, rules) => `Below ${percent(rules.tightenedShare)} of the target, heartbeats come more often.`,
  },
  good: {
    share: (rules) => rules.goodShare,
    minutes: (rules) => rules.goodMinutes,
    effect: (missing) => `on track, ${missing}.`,
  },
  excellent: {
    share: (rules) => rules.excellentShare,
    minutes: (rules) => rules.excellentMinutes,
    effect: (missing) => `strong, verified work today, ${missing}. Keep it up.`,
  },
  outstanding: {
    share: (rules) => rules.outstandingShare,
    minutes: (rules) => rules.excellentMinutes,
    effect: (missing) => `${missing}. Keep claiming only what you have done.`,
  },
}

const PENALTIES: readonly Tier[] = PENALTY_TIERS

/** Returns the penalty of a score by the table alone, first match from the top, whether or not anything was judged. */
export function resolvePenalty(score: number, target: number, rules: ScoringRules): PenaltyLevel {
  return PENALTY_TIERS.find((tier) => isBelowShare(score, target, TIERS[tier].share(rules))) ?? 'none'
}

/**
 * Returns the reward of a score by the table alone, first match from the top. `streak` counts archived days that reached their
 * target.
 */
export function resolveReward(
  score: number,
  target: number,
  streak: number,
  rules: ScoringRules,
): RewardLevel {
  const reached = REWARD_TIERS.findLast((tier) => !isBelowShare(score, target, TIERS[tier].share(rules)))
  return reached === 'excellent' && streak >= rules.streakDays ? 'outstanding' : (reached ?? 'none')
}

/**
 * Returns what today's score means for the next heartbeat. `configuredIntervalMinutes` is the setting, which never changes. A
 * day on which nothing has scored yet (no verdict, no thumb, or only verdicts of 0 points that blame no one) has no penalty, and a
 * penalty rules out a reward.
 */
export function resolveStanding(
  score: ScoreState,
  rules: ScoringRules,
  configuredIntervalMinutes: number,
): Standing {
  const { today, lifetime } = score
  const isOpen = hasActivity(today) && !hasOnlyBlamelessVerdicts(today)
  const penalty = isOpen ? resolvePenalty(today.score, today.target, rules) : 'none'
  const reward =
    penalty === 'none' ? resolveReward(today.score, today.target, lifetime.currentStreak, rules) : 'none'
  const level = penalty === 'none' ? reward : penalty
  const intervalMinutes =
    level === 'none' ? configuredIntervalMinutes : intervalOf(level, rules, configuredIntervalMinutes)
  const finding = findingOf(level, score, rules)
  return {
    penalty,
    reward,
    level,
    intervalMinutes,
    forceAllRequired: forcesRequired(level),
    message: level === 'none' ? '' : messageOf(level, finding, score, rules),
    intervalReason: intervalReasonOf(finding, intervalMinutes, configuredIntervalMinutes),
  }
}

/** Returns the interval in minutes until the next heartbeat for each standing, worst first, with `configuredMinutes` as the setting. */
export function intervalsByStanding(
  rules: ScoringRules,
  configuredMinutes: number,
): readonly { readonly level: StandingLevel; readonly minutes: number }[] {
  return STANDING_LEVELS.map((level) => ({
    level,
    minutes: level === 'none' ? configuredMinutes : intervalOf(level, rules, configuredMinutes),
  }))
}

/** Returns the shares of the target, in percent and ascending, at which a standing begins or ends above zero. */
export function standingSteps(rules: ScoringRules): number[] {
  return [...new Set(Object.values(TIERS).map(({ share }) => share(rules)))]
    .filter((share) => share > 0 && share < 1)
    .map((share) => Math.round(share * SHARE_UNIT) / 100)
    .sort((a, b) => a - b)
}

/** Returns the score, in whole points, at which a penalty ends; 0 for a level that is not a penalty. */
export function penaltyEndsAt(level: StandingLevel, target: number, rules: ScoringRules): number {
  if (level === 'none' || !PENALTIES.includes(level)) return 0
  const end = Math.ceil((Math.round(TIERS[level].share(rules) * SHARE_UNIT) * target) / SHARE_UNIT)
  // Avoid −0, which would be displayed with its sign.
  return end === 0 ? 0 : end
}

/** Shares are compared in whole ten-thousandths, because 0.15 × 50 is not exact and 1500 × 50 is. */
const SHARE_UNIT = 10_000

function isBelowShare(score: number, target: number, share: number): boolean {
  return score * SHARE_UNIT < Math.round(share * SHARE_UNIT) * target
}

function intervalOf(level: Tier, rules: ScoringRules, configured: number): number {
  const minutes = TIERS[level].minutes?.(rules) ?? configured
  return PENALTIES.includes(level) ? Math.min(configured, minutes) : Math.max(configured, minutes)
}

/** Returns "Tightened: 5 of 50 points is below 15 % of the target. Heartbeats …"; for a reward, says what is missing instead. */
function messageOf(level: Tier, finding: string, { today }: ScoreState, rules: ScoringRules): string {
  const effect = TIERS[level].effect(toTarget(Math.max(0, today.target - today.score)), rules)
  return `${SHIELD_ROWS[level].title}: ${PENALTIES.includes(level) ? `${finding}. ` : ''}${effect}`
}

function intervalReasonOf(finding: string, minutes: number, configured: number): string {
  const every = minutes === 1 ? 'Every minute' : `Every ${minutes} minutes`
  if (minutes === configured) return `${every}, as set.`
  return `${every}: ${finding} (the setting is ${configured}).`
}

/** Returns the row of the table that applies, with the figures: "5 of 50 points is below 15 % of the target". */
function findingOf(level: StandingLevel, { today, lifetime }: ScoreState, rules: ScoringRules): string {
  const points = `${formatPoints(today.score)} of ${formatPoints(today.target)} points`
  if (level === 'none') return points
  const share = TIERS[level].share(rules)
  if (PENALTIES.includes(level))
    return `${points} is below ${share === 0 ? 'zero' : `${percent(share)} of the target`}`
  if (!isBelowShare(today.score, today.target, share))
    return `${points} is at least ${percent(share)} of the target`
  // The only level that a streak can also reach.
  return `${points} is at least ${percent(rules.excellentShare)} of the target after ${lifetime.currentStreak} consecutive days that reached theirs`
}

function toTarget(missing: number): string {
  if (missing === 0) return 'the target is reached'
  return `${missing} ${missing === 1 ? 'point' : 'points'} to target`
}

function percent(share: number): string {
  return `${formatPoints(Math.round(share * SHARE_UNIT) / 100)} %`
}
