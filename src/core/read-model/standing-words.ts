import type { AttemptSummary, WorkspaceState } from '../record/state.ts'
import { formatPoints } from '../scoring/format.ts'
import { penaltyEndsAt } from '../scoring/standing.ts'
import type { Standing } from '../scoring/types.ts'
import { forcesRequired, SHIELD_ROWS } from '../vocabulary/standing.ts'

/*
 * What a standing means, for the operator: which tasks and what facts brought it about, and what ends it. What the agent's prompt says
 * of it has words of its own (`Standing.message`).
 */

type StateOfDay = Pick<WorkspaceState, 'attempts' | 'score' | 'rules'>

/** The standing in sentences; empty where there is none. */
export function standingWords(state: StateOfDay, standing: Standing): string {
  const { level, penalty } = standing
  if (level === 'none') return ''
  const title = SHIELD_ROWS[level].title
  if (penalty === 'none') return `${title}: ${verifiedWords(state)}, ${missingWords(state)}.`
  const effect = forcesRequired(level)
    ? ' Every task counts as required.'
    : level === 'warning'
      ? ' It is a warning in the prompts and changes nothing else.'
      : ''
  return `${title}: ${causeWords(state)}.${effect} ${endWords(state, standing)}.`
}

/** Why heartbeats come as often as they do, in a sentence; `configuredMinutes` is the setting. */
export function intervalWords(state: StateOfDay, standing: Standing, configuredMinutes: number): string {
  const { intervalMinutes: minutes, penalty, level } = standing
  const every = minutes === 1 ? 'Every minute' : `Every ${minutes} minutes`
  if (minutes === configuredMinutes) return `${every}, as set.`
  const setting = `The setting is ${configuredMinutes}.`
  if (penalty === 'none') return `${every}: ${verifiedWords(state)}, ${missingWords(state)}. ${setting}`
  return `${every} in ${SHIELD_ROWS[level].title.toLowerCase()}: ${causeWords(state)}. ${endWords(state, standing)}. ${setting}`
}

/** Whether nothing untrue was claimed today: what failed then was said to have failed, or nothing was said of it. */
export function isHonestDay({ attempts, score }: Pick<WorkspaceState, 'attempts' | 'score'>): boolean {
  return !attempts.some((attempt) => attempt.day === score.today.date && isUntrue(attempt))
}

function isLie({ groundTruthContradiction, verdict }: AttemptSummary): boolean {
  return groundTruthContradiction && verdict === 'not_verified'
}

/** It claimed what does not hold, be it only that it is done. */
function isUntrue(attempt: AttemptSummary): boolean {
  const { verdict, comparisons } = attempt
  return isLie(attempt) || (verdict === 'not_verified' && comparisons.some(({ agrees }) => agrees === false))
}

/** More names than these are counted. */
const MAX_NAMES = 3

/** The attempts of today that cost points: contradictions first, then what was not done. */
function causeWords({ attempts, score }: StateOfDay): string {
  const today = attempts.filter(({ day }) => day === score.today.date)
  const lies = today.filter(isLie).toSorted((one, other) => one.points - other.points)
  const lied = new Set(lies.map(({ taskId }) => taskId))
  const undone = today.filter(
    (attempt) => attempt.verdict === 'not_verified' && !isLie(attempt) && !lied.has(attempt.taskId),
  )
  const names = [...new Set(undone.map(({ taskId }) => taskId))]
  const failed = names.length === 0 ? [] : [`${named(names)} ${names.length === 1 ? 'was' : 'were'} not done`]
  const [gravest, ...others] = lies
  if (gravest !== undefined) {
    const more =
      others.length === 0
        ? []
        : [
            `${others.length} more ${others.length === 1 ? 'claim' : 'claims'} did not match what was measured`,
          ]
    return [lieWords(gravest), ...more, ...failed].join('; ')
  }
  if (failed.length > 0)
    return `${failed[0]}, ${undone.some(isUntrue) ? 'and done is what was claimed' : 'and nothing untrue was claimed'}`
  return score.today.verifiedCount === 0
    ? 'nothing was verified today'
    : `only ${score.today.verifiedCount} ${score.today.verifiedCount === 1 ? 'task was' : 'tasks were'} verified today`
}

function lieWords({ taskId, comparisons }: AttemptSummary): string {
  const lie = comparisons.find(({ agrees }) => agrees === false)
  if (lie === undefined) return `${taskId} claimed what a measurement refutes`
  const { subject, claimed, measured } = lie
  return `${taskId} claimed ${subject} ${claimed ?? ''}, measured ${measured ?? 'nothing'}`
}

function endWords({ score: { today }, rules }: StateOfDay, { level }: Standing): string {
  const end = penaltyEndsAt(level, today.target, rules)
  const missing = end - today.score
  return `It ends at ${formatPoints(end)} points, ${formatPoints(missing)} to go, or at midnight`
}

function verifiedWords({ score: { today } }: StateOfDay): string {
  return `${today.verifiedCount} verified today`
}

function missingWords({ score: { today } }: StateOfDay): string {
  const missing = Math.max(0, today.target - today.score)
  if (missing === 0) return 'the target is reached'
  return `${formatPoints(missing)} ${missing === 1 ? 'point' : 'points'} to target`
}

function named(names: readonly string[]): string {
  if (names.length > MAX_NAMES) return `${names.length} tasks`
  const last = names.at(-1) ?? ''
  return names.length === 1 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
