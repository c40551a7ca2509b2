import type { ScoringRules } from '../configuration/scoring.ts'
import type { PenaltyLevel, RewardLevel } from '../vocabulary/standing.ts'
import { forcesRequired } from '../vocabulary/standing.ts'
import { formatPoints } from './format.ts'
import type { ScoreState, Standing } from './types.ts'

/** The penalty of a score by the table alone, first match from the top, whether or not anything was judged. */
export function resolvePenalty(score: number, target: number, rules: ScoringRules): PenaltyLevel {
  if (isBelowShare(score, target, -rules.lockdownShare)) return 'lockdown'
  if (score < 0) return 'escalated'
  if (isBelowShare(score, target, rules.tightenedShare)) return 'tightened'
  if (isBelowShare(score, target, rules.warningShare)) return 'warning'
  return 'none'
}

/** The reward of a score by the table alone, first match from the top; `streak` counts archived days that reached their target. */
export function resolveReward(
  score: number,
  target: number,
  streak: number,
  rules: ScoringRules,
): RewardLevel {
  const reaches = (share: number) => !isBelowShare(score, target, share)
  if (reaches(rules.outstandingShare)) return 'outstanding'
  if (reaches(rules.excellentShare)) return streak >= rules.streakDays ? 'outstanding' : 'excellent'
  if (reaches(rules.goodShare)) return 'good'
  return 'none'
}

/**
 * What today's score means for the next cycle; `configuredIntervalMinutes` is the setting, which it never changes. A day on
 * which nothing has been judged yet has no penalty (thumbs alone judge nothing), and a penalty leaves no reward.
 */
export function resolveStanding(
  score: ScoreState,
  rules: ScoringRules,
  configuredIntervalMinutes: number,
): Standing {
  const { today, lifetime } = score
  const penalty = today.judgedCount === 0 ? 'none' : resolvePenalty(today.score, today.target, rules)
  const reward =
    penalty === 'none' ? resolveReward(today.score, today.target, lifetime.currentStreak, rules) : 'none'
  const level = penalty === 'none' ? reward : penalty
  const intervalMinutes = intervalOf(level, rules, configuredIntervalMinutes)
  return {
    penalty,
    reward,
    level,
    intervalMinutes,
    forceAllRequired: forcesRequired(level),
    message: messageOf(level, score, rules),
    intervalReason: intervalReasonOf(level, score, rules, intervalMinutes, configuredIntervalMinutes),
  }
}

/** The shares of the target, in percent and ascending, at which a standing begins or ends above zero. */
export function standingSteps(rules: ScoringRules): number[] {
  const shares = [
    rules.tightenedShare,
    rules.warningShare,
    rules.goodShare,
    rules.excellentShare,
    rules.outstandingShare,
  ]
  return [...new Set(shares)]
    .filter((share) => share > 0 && share < 1)
    .map((share) => Math.round(share * SHARE_UNIT) / 100)
    .sort((a, b) => a - b)
}

/** Shares are compared in whole ten-thousandths: 0.15 × 50 is no exact number, 1500 × 50 is. */
const SHARE_UNIT = 10_000

function isBelowShare(score: number, target: number, share: number): boolean {
  return score * SHARE_UNIT < Math.round(share * SHARE_UNIT) * target
}

/** A penalty only ever shortens the interval, a reward only ever lengthens it. */
function intervalOf(level: Standing['level'], rules: ScoringRules, configured: number): number {
  switch (level) {
    case 'lockdown':
      return Math.min(configured, rules.lockdownMinutes)
    case 'escalated':
      return Math.min(configured, rules.escalatedMinutes)
    case 'tightened':
      return Math.min(configured, rules.tightenedMinutes)
    case 'outstanding':
    case 'excellent':
      return Math.max(configured, rules.excellentMinutes)
    case 'good':
      return Math.max(configured, rules.goodMinutes)
    case 'warning':
    case 'none':
      return configured
  }
}

function messageOf(level: Standing['level'], score: ScoreState, rules: ScoringRules): string {
  const { today } = score
  const finding = `${findingOf(level, score, rules)}.`
  const missing = Math.max(0, today.target - today.score)
  switch (level) {
    case 'lockdown':
      return `Lockdown: ${finding} Every task counts as required, and the operator is notified.`
    case 'escalated':
      return `Escalated: ${finding} Every task counts as required.`
    case 'tightened':
      return `Tightened: ${finding} Heartbeats come more often until it recovers.`
    case 'warning':
      return `Warning: ${finding} Below ${percent(rules.tightenedShare)} of the target, heartbeats come more often.`
    case 'good':
      return `Good: on track, ${toTarget(missing)}.`
    case 'excellent':
      return `Excellent: strong, verified work today, ${toTarget(missing)}. Keep it up.`
    case 'outstanding':
      return `Outstanding: ${toTarget(missing)}. Keep claiming only what you have done.`
    case 'none':
      return ''
  }
}

function intervalReasonOf(
  level: Standing['level'],
  score: ScoreState,
  rules: ScoringRules,
  minutes: number,
  configured: number,
): string {
  const every = minutes === 1 ? 'Every minute' : `Every ${minutes} minutes`
  if (minutes === configured) return `${every}, as set.`
  return `${every}: ${findingOf(level, score, rules)} (the setting is ${configured}).`
}

/** The row of the table that applies, with the figures: "5 of 50 points is below 15 % of the target". */
function findingOf(level: Standing['level'], score: ScoreState, rules: ScoringRules): string {
  const { today, lifetime } = score
  const points = `${formatPoints(today.score)} of ${formatPoints(today.target)} points`
  switch (level) {
    case 'lockdown':
      return `${points} is below ${percent(-rules.lockdownShare)} of the target`
    case 'escalated':
      return `${points} is below zero`
    case 'tightened':
      return `${points} is below ${percent(rules.tightenedShare)} of the target`
    case 'warning':
      return `${points} is below ${percent(rules.warningShare)} of the target`
    case 'good':
      return `${points} is at least ${percent(rules.goodShare)} of the target`
    case 'excellent':
      return `${points} is at least ${percent(rules.excellentShare)} of the target`
    case 'outstanding':
      return isBelowShare(today.score, today.target, rules.outstandingShare)
        ? `${points} is at least ${percent(rules.excellentShare)} of the target after ${lifetime.currentStreak} days running that reached theirs`
        : `${points} is at least ${percent(rules.outstandingShare)} of the target`
    case 'none':
      return points
  }
}

function toTarget(missing: number): string {
  if (missing === 0) return 'the target is reached'
  return `${missing} ${missing === 1 ? 'point' : 'points'} to target`
}

function percent(share: number): string {
  return `${formatPoints(Math.round(share * SHARE_UNIT) / 100)} %`
}
