import type { AttemptSummary, WorkspaceState } from '../record/state.ts'
import { formatPoints } from '../scoring/format.ts'
import type { Standing } from '../scoring/types.ts'
import { quoteAgent } from '../text/quote.ts'
import { refutedFirst } from './lie-words.ts'
import { effectWords, isHonestDay, isUntrue, standingWords } from './standing-words.ts'

type StateOfDay = Pick<WorkspaceState, 'attempts' | 'score' | 'rules'>

/** Returns the operator's notification for a lockdown. The title alone says what happened, for a lock screen at night. */
export function lockdownMessage(
  name: string,
  state: StateOfDay,
  standing: Standing,
): { readonly title: string; readonly body: string } {
  const body = standingWords(state, standing)
  const untrue = gravest(state)
  if (untrue !== null) {
    const title = `${name}: ${untruthInWords(untrue)}`
    return isOnlyFailure(state)
      ? { title, body: `Lockdown. ${effectWords(state, standing)}` }
      : { title, body }
  }
  const { score, target } = state.score.today
  const points = `${formatPoints(score)} of ${target} points`
  // The task failed and said so: the day is behind, without a contradiction.
  return isHonestDay(state) && body.startsWith('Behind: ')
    ? { title: `${name} is behind: ${points}`, body: body.replace(/^Behind: /u, '') }
    : { title: `${name} is in lockdown: ${points}`, body }
}

/** Whether the title names everything that failed today. */
function isOnlyFailure({ attempts, score }: StateOfDay): boolean {
  const isFailure = ({ day, verdict }: AttemptSummary) =>
    day === score.today.date && verdict === 'not_verified'
  return attempts.filter(isFailure).length === 1
}

/** Returns an attempt's claim and its measurement as one plain sentence. */
export function untruthInWords({
  taskId,
  comparisons,
}: Pick<AttemptSummary, 'taskId' | 'comparisons'>): string {
  const [lie] = refutedFirst(comparisons)
  if (lie === undefined || lie.subject === 'completion' || lie.isHint === true)
    return `the agent said ${taskId} was done; it was not.`
  if (lie.measured === 'not written')
    return `the agent said it wrote ${quoteAgent(lie.subject, 80)}; it did not.`
  const claimed = quoteAgent(lie.claimed ?? 'nothing', 40)
  const subject = /^[\w.-]{1,80}$/.test(lie.subject) ? lie.subject : quoteAgent(lie.subject, 80)
  return `the agent said ${subject} was ${claimed}; measured ${quoteAgent(lie.measured ?? 'nothing', 40)}.`
}

/** Returns today's untrue attempt that cost the most points; on a tie, the latest. */
export function gravest({ attempts, score }: Pick<StateOfDay, 'attempts' | 'score'>): AttemptSummary | null {
  const untrue = attempts.filter((attempt) => attempt.day === score.today.date && isUntrue(attempt))
  return untrue.toSorted((a, b) => a.points - b.points || b.startedAt.localeCompare(a.startedAt))[0] ?? null
}
