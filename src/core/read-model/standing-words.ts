import type { AttemptSummary, WorkspaceState } from '../record/state.ts'
import { formatPoints } from '../scoring/format.ts'
import { penaltyEndsAt } from '../scoring/standing.ts'
import type { Standing } from '../scoring/types.ts'
import { SKIP_WORDS } from '../vocabulary/heartbeat.ts'
import { forcesRequired, SHIELD_ROWS, type ShieldLevel, type StandingLevel } from '../vocabulary/standing.ts'
import { lieInWords, refutedFirst } from './lie-words.ts'

/*
 * What a standing means, for the operator: which tasks and facts caused it, and what ends it. The agent's prompt uses a
 * different text (`Standing.message`).
 */

type StateOfDay = Pick<WorkspaceState, 'attempts' | 'score' | 'rules'>

/** Returns the standing in sentences; empty if there is none. */
export function standingWords(state: StateOfDay, standing: Standing): string {
  const { level, penalty } = standing
  if (level === 'none') return ''
  const shield = shieldOfDay(state, level)
  // The first points of a day don't justify a warning: the distance to the target is shown beside them.
  if (shield === 'none') return ''
  const { title } = SHIELD_ROWS[shield]
  if (penalty === 'none') return `${title}: ${verifiedWords(state)}, ${missingWords(state)}.`
  return `${title}: ${causeWords(state)}. ${effectWords(state, standing)}`
}

/** Describes in a sentence what a standing below zero does, and until when. */
export function effectWords(state: StateOfDay, standing: Standing): string {
  const effect = forcesRequired(standing.level)
    ? 'All tasks are required'
    : standing.level === 'warning'
      ? 'The agent’s prompts say so'
      : 'Heartbeats come more often'
  return `${effect} ${endWords(state, standing)}.`
}

/** Returns why heartbeats have their current interval, in a sentence; `configuredMinutes` is the setting. */
export function intervalWords(state: StateOfDay, standing: Standing, configuredMinutes: number): string {
  const { intervalMinutes: minutes, penalty, level } = standing
  const every = minutes === 1 ? 'Every minute' : `Every ${minutes} minutes`
  if (minutes === configuredMinutes) return `${every}, as set.`
  const setting = `The setting is ${configuredMinutes}.`
  if (penalty === 'none') return `${every}: ${verifiedWords(state)}, ${missingWords(state)}. ${setting}`
  const shield = shieldOfDay(state, level)
  const until = endWords(state, standing)
  if (shield === 'none') return `${every} ${until}. ${setting}`
  const where = shield === 'behind' ? 'while behind' : `in ${SHIELD_ROWS[shield].title.toLowerCase()}`
  return `${every} ${where}: ${causeWords(state)}. It lasts ${until}. ${setting}`
}

/** Returns what the latest due heartbeat is waiting for, as a sentence; empty if it ran. */
export function idleWords({ idleAt, lastCycleAt, heartbeats }: IdleState): string {
  const isLatest = idleAt !== null && (lastCycleAt === null || Date.parse(idleAt) > Date.parse(lastCycleAt))
  const idle = heartbeats.find(
    ({ state, detail }) => state === 'skipped' && detail.startsWith(SKIP_WORDS.idle.title),
  )
  return isLatest && idle !== undefined ? `${idle.detail}.` : ''
}

type IdleState = Pick<WorkspaceState, 'idleAt' | 'lastCycleAt' | 'heartbeats'>

/** Returns whether nothing untrue was claimed today: every failure was reported as one, or nothing was claimed. */
export function isHonestDay({ attempts, score }: Pick<WorkspaceState, 'attempts' | 'score'>): boolean {
  return !attempts.some((attempt) => attempt.day === score.today.date && isUntrue(attempt))
}

/**
 * Returns the shield of a standing. An honest failure does not look like a contradiction, however few points are left, and the
 * first success of a day does not look like a warning.
 */
export function shieldOfDay(
  state: Pick<WorkspaceState, 'attempts' | 'score'>,
  level: StandingLevel,
): ShieldLevel {
  const hasFailed = state.attempts.some(
    ({ day, verdict }) => day === state.score.today.date && verdict === 'not_verified',
  )
  if (level === 'warning' && !hasFailed && state.score.today.verifiedCount > 0) return 'none'
  return (level === 'lockdown' || level === 'escalated') && hasFailed && isHonestDay(state) ? 'behind' : level
}

/** Returns whether its claim is contradicted and the operator has not overruled that. */
export function isLie({ groundTruthContradiction, verdict }: AttemptSummary): boolean {
  return groundTruthContradiction && verdict === 'not_verified'
}

/** Returns whether it claimed anything false, even just that it is done. */
export function isUntrue(attempt: AttemptSummary): boolean {
  const { verdict, comparisons } = attempt
  return isLie(attempt) || (verdict === 'not_verified' && comparisons.some(({ agrees }) => agrees === false))
}

/** If there are more names than this, the rest are only counted. */
const MAX_NAMES = 3

/** Returns today's attempts that cost points: contradictions first, then what was not done. */
function causeWords({ attempts, score }: StateOfDay): string {
  const today = attempts.filter(({ day }) => day === score.today.date)
  const lies = today.filter(isLie).toSorted((one, other) => one.points - other.points)
  const lied = new Set(lies.map(({ taskId }) => taskId))
  const undone = today.filter(
    (attempt) => attempt.verdict === 'not_verified' && !isLie(attempt) && !lied.has(attempt.taskId),
  )
  const claimed = [...new Set(undone.filter(isUntrue).map(({ taskId }) => taskId))]
  const honest = [...new Set(undone.map(({ taskId }) => taskId))].filter((id) => !claimed.includes(id))
  const failed = [
    ...(claimed.length === 0
      ? []
      : [
          claimed.length === 1
            ? `the agent said ${named(claimed)} was done; it wasn’t`
            : `the agent said ${named(claimed)} were done; they weren’t`,
        ]),
    ...(honest.length === 0 ? [] : [`${named(honest)} ${honest.length === 1 ? 'was' : 'were'} not done`]),
  ]
  const [gravest, ...others] = lies
  if (gravest !== undefined) {
    const more =
      others.length === 0
        ? []
        : [`${others.length} more ${others.length === 1 ? 'contradiction' : 'contradictions'}`]
    return [lieWords(gravest), ...more, ...failed].join('; ')
  }
  if (failed.length > 0)
    return claimed.length > 0 ? failed.join('; ') : `${failed[0]}, and no claim was false`
  return score.today.verifiedCount === 0
    ? 'nothing was verified today'
    : `only ${score.today.verifiedCount} ${score.today.verifiedCount === 1 ? 'task was' : 'tasks were'} verified today`
}

function lieWords({ taskId, comparisons }: AttemptSummary): string {
  const [lie] = refutedFirst(comparisons)
  return `${taskId} ${lie === undefined ? 'claimed what a measurement contradicts' : lieInWords(lie)}`
}

function endWords({ score: { today }, rules }: StateOfDay, { level }: Standing): string {
  const end = penaltyEndsAt(level, today.target, rules)
  const missing = end - today.score
  return `until the score reaches ${formatPoints(end)} (${formatPoints(missing)} more ${missing === 1 ? 'point' : 'points'}) or midnight`
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
