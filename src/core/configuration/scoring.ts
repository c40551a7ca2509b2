import { z } from 'zod'
import { each } from '../vocabulary/each.ts'
import { defaultsOf, numberSetting, type Values, wholeNumberSetting } from './setting.ts'

/** Points keep the sign of their default, so that a cost can't become a reward. */
function points<const Default extends number>(value: Default, label: string, meaning: string) {
  const bounds = value < 0 ? { from: -100_000, to: 0 } : { from: 0, to: 100_000 }
  return wholeNumberSetting({ ...bounds, default: value as number, unit: 'points', label, meaning })
}

function target(value: number, label: string, meaning: string) {
  return wholeNumberSetting({ from: 1, to: 1_000_000, default: value, unit: 'points', label, meaning })
}

function share(value: number, label: string, meaning: string) {
  return numberSetting({ from: 0, to: 1, default: value, unit: 'of the target', label, meaning })
}

function minutes(value: number, label: string, meaning: string) {
  return numberSetting({ from: 0, to: 1440, above: true, default: value, unit: 'minutes', label, meaning })
}

function days(value: number, label: string, meaning: string) {
  return wholeNumberSetting({ from: 1, to: 366, default: value, unit: 'days', label, meaning })
}

export const SCORING_SETTINGS = {
  verified_required: points(10, 'Verified, required', 'a required task was verified'),
  verified_optional: points(5, 'Verified, optional', 'an optional task was verified'),
  not_verified: points(-15, 'Not verified', 'a verdict `not_verified`'),
  contradiction: points(-30, 'Contradiction, on top', 'a contradiction, on top of the verdict'),
  unclear: points(-2, 'Unclear', 'a verdict `unclear`'),
  thumbs_up: points(3, 'Thumbs up', "the operator's thumb up"),
  thumbs_down: points(-10, 'Thumbs down', "the operator's thumb down"),
  minimum_target: target(50, 'Target, at least', 'the minimum target; it also raises the floor'),
  maximum_target: target(500, 'Target, at most', 'the maximum target'),
  history_days: days(7, 'Average over', 'archived days that the average covers'),
  lockdown_share: share(0.2, 'Lockdown below minus', 'lockdown below *minus* this share of the target'),
  tightened_share: share(0.15, 'Tightened below', 'tightened below this share of the target'),
  warning_share: share(0.25, 'Warning below', 'warning below this share of the target'),
  good_share: share(0.5, 'Good from', 'good from this share of the target on'),
  excellent_share: share(0.7, 'Excellent from', 'excellent from this share of the target on'),
  outstanding_share: share(0.9, 'Outstanding from', 'outstanding from this share of the target on'),
  streak_days: days(3, 'A streak begins at', 'consecutive days after which excellent counts as outstanding'),
  lockdown_minutes: minutes(8, 'Interval in lockdown', 'the interval in lockdown, if it is shorter'),
  escalated_minutes: minutes(10, 'Interval when escalated', 'when escalated, if it is shorter'),
  tightened_minutes: minutes(12, 'Interval when tightened', 'when tightened, if it is shorter'),
  good_minutes: minutes(17, 'Interval when good', 'when good, if it is longer'),
  excellent_minutes: minutes(20, 'Interval when excellent', 'when excellent or outstanding, if it is longer'),
}

/** `[scoring]`; shares are fractions of the target, 0 to 1. Points carry the sign with which they are added. */
export type ScoringRules = Values<typeof SCORING_SETTINGS>

/** The rules in effect unless something else was set. */
export const DEFAULT_SCORING: ScoringRules = defaultsOf(SCORING_SETTINGS)

const RULE_NAMES = Object.keys(DEFAULT_SCORING) as readonly (keyof ScoringRules)[]

/** Rules as stored in the ledger; settings that the writing version didn't know get their defaults. */
export const scoringRulesSchema = z.object(
  each(RULE_NAMES, (name) => z.number().default(DEFAULT_SCORING[name])),
)

/** Returns the differences between two sets of rules as the file would write them: `minimum_target = 200`. */
export function changedRules(from: ScoringRules, to: ScoringRules): readonly string[] {
  const fileName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return RULE_NAMES.filter((name) => from[name] !== to[name]).map((name) => `${fileName(name)} = ${to[name]}`)
}
