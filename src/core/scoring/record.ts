import type { ScoringRules } from '../configuration/scoring.ts'
import type { Thumb } from '../vocabulary/task.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import type { DailyScore } from './daily-score.ts'
import { archiveDay, newDay, retarget, withHistory, withTargetReached } from './ratchet.ts'
import type { LifetimeScore, ScoreState } from './types.ts'

/** A verdict to score; `points` are those of `pointsFor`, signed. */
export interface ScoredVerdict {
  readonly verdict: Verdict
  readonly contradiction: boolean
  readonly points: number
}

/** The operator's verdict replacing the verifier's; `to: null` withdraws it. */
export interface Overrule {
  /** Local day of the attempt (YYYY-MM-DD), whose score changes. */
  readonly attemptDay: string
  /** The verdict that counted so far; `null` if there was none. */
  readonly from: Verdict | null
  readonly fromContradiction: boolean
  readonly to: Verdict | null
  /** Omitted if none. */
  readonly toContradiction?: boolean
  /** New points minus the old ones. */
  readonly pointsDelta: number
  /** True if the same attempt was overruled before, so it is not counted twice. */
  readonly again: boolean
}

/** Returns the score with one more verdict today. */
export function recordVerdict(score: ScoreState, scored: ScoredVerdict): ScoreState {
  const change: CountChange = {
    from: null,
    fromContradiction: false,
    to: scored.verdict,
    toContradiction: scored.contradiction,
  }
  return {
    ...score,
    today: addPoints(changeDayCounts(score.today, change), scored.points),
    lifetime: changeLifetime(score.lifetime, change, scored.points),
  }
}

/**
 * Returns the score with a thumb today, whatever day the attempt was on. Every thumb counts, including a second one on an
 * attempt. `count: -1` withdraws one.
 */
export function recordFeedback(
  score: ScoreState,
  {
    feedback,
    points,
    count = 1,
  }: { readonly feedback: Thumb; readonly points: number; readonly count?: 1 | -1 },
): ScoreState {
  const { today, lifetime } = score
  const counted =
    feedback === 'up'
      ? { ...today, thumbsUp: today.thumbsUp + count }
      : { ...today, thumbsDown: today.thumbsDown + count }
  return {
    ...score,
    today: addPoints(counted, points),
    lifetime: { ...lifetime, totalPoints: lifetime.totalPoints + points },
  }
}

/**
 * Returns the score with an attempt's verdict replaced, on the day of the attempt: its points and counts, the lifetime totals,
 * the streaks, and today's target as the history now gives it. The floor never falls, so the target never falls either. A day
 * no longer archived changes only the lifetime totals; a day after today counts as today.
 */
export function recordOverrule(score: ScoreState, overrule: Overrule, rules: ScoringRules): ScoreState {
  const change: CountChange = { ...overrule, toContradiction: overrule.toContradiction ?? false }
  const changeDay = (day: DailyScore): DailyScore =>
    addPoints(
      changeDayCounts({ ...day, overruledCount: day.overruledCount + (overrule.again ? 0 : 1) }, change),
      overrule.pointsDelta,
    )
  const lifetime = changeLifetime(score.lifetime, change, overrule.pointsDelta)
  const counted = { ...score, lifetime }
  if (overrule.attemptDay >= score.today.date) return { ...counted, today: changeDay(score.today) }
  return retarget(changeArchivedDay(counted, overrule.attemptDay, changeDay), rules)
}

function changeArchivedDay(
  score: ScoreState,
  date: string,
  changeDay: (day: DailyScore) => DailyScore,
): ScoreState {
  if (score.history.some((day) => day.date === date)) {
    return withHistory(
      score,
      score.history.map((day) => (day.date === date ? changeDay(day) : day)),
    )
  }
  const oldest = score.history.at(-1)
  const hasLeftArchive =
    oldest !== undefined && date < oldest.date && score.lifetime.daysTracked > score.history.length
  if (hasLeftArchive) return score
  // Nothing was judged that day until now. No day between it and the next archived one ran, so it had the next one's target.
  const next = score.history.findLast((day) => day.date > date) ?? score.today
  return archiveDay(score, changeDay(newDay(date, next.target)))
}

/** One attempt moving from one verdict to another; `from: null` if it had none. */
interface CountChange {
  readonly from: Verdict | null
  readonly fromContradiction: boolean
  readonly to: Verdict | null
  readonly toContradiction: boolean
}

function moved(change: CountChange, verdict: Verdict): number {
  return Number(change.to === verdict) - Number(change.from === verdict)
}

function changeDayCounts(day: DailyScore, change: CountChange): DailyScore {
  return {
    ...day,
    verifiedCount: day.verifiedCount + moved(change, 'verified'),
    failedCount: day.failedCount + moved(change, 'not_verified'),
    unclearCount: day.unclearCount + moved(change, 'unclear'),
    contradictionCount: day.contradictionCount + contradictionsMoved(change),
    judgedCount: day.judgedCount + Number(change.from === null) - Number(change.to === null),
  }
}

function changeLifetime(lifetime: LifetimeScore, change: CountChange, points: number): LifetimeScore {
  return {
    ...lifetime,
    totalVerified: lifetime.totalVerified + moved(change, 'verified'),
    totalFailed: lifetime.totalFailed + moved(change, 'not_verified'),
    totalContradictions: lifetime.totalContradictions + contradictionsMoved(change),
    totalPoints: lifetime.totalPoints + points,
  }
}

function contradictionsMoved(change: CountChange): number {
  return Number(change.toContradiction) - Number(change.fromContradiction)
}

function addPoints(day: DailyScore, points: number): DailyScore {
  const score = day.score + points
  return withTargetReached({
    ...day,
    score,
    peakScore: Math.max(day.peakScore, score),
    lowestScore: Math.min(day.lowestScore, score),
  })
}
