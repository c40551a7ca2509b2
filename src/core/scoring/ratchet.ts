import type { ScoringRules } from '../configuration/scoring.ts'
import type { DailyScore } from './daily-score.ts'
import { roundHalfEven } from './round.ts'
import type { LifetimeScore, ScoreState } from './types.ts'

/** A leap year of archived days; older ones count only in the lifetime totals. */
const KEPT_DAYS = 366

/** Returns the score of a workspace before anything was judged. `day` is its first local day, YYYY-MM-DD. */
export function initialScore(day: string, rules: ScoringRules): ScoreState {
  return {
    today: newDay(day, rules.minimumTarget),
    history: [],
    lifetime: {
      totalVerified: 0,
      totalFailed: 0,
      totalPoints: 0,
      bestDay: 0,
      worstDay: 0,
      currentStreak: 0,
      longestStreak: 0,
      daysTracked: 0,
      targetFloor: rules.minimumTarget,
      totalContradictions: 0,
    },
  }
}

/**
 * Returns the target that follows from archived days (newest first) and the ratchet floor: the average of the positive days
 * among the last `historyDays`, at least the floor and the minimum, at most the maximum, rounded half to even.
 */
export function computeTarget(history: readonly DailyScore[], floor: number, rules: ScoringRules): number {
  const positive = history
    .slice(0, rules.historyDays)
    .map((day) => day.score)
    .filter((score) => score > 0)
  const average =
    positive.length === 0 ? 0 : positive.reduce((sum, score) => sum + score, 0) / positive.length
  return roundHalfEven(Math.min(rules.maximumTarget, Math.max(average, floor, rules.minimumTarget)))
}

/**
 * Returns the score on local day `day`. Archives today if anything was judged or given feedback on it; the new day starts with
 * the target of the new history. A day that is not later than today changes nothing, so a clock that goes backwards neither
 * reopens nor discards a day.
 */
export function rollOver(score: ScoreState, day: string, rules: ScoringRules): ScoreState {
  if (day <= score.today.date) return score
  const archived = hasActivity(score.today) ? archiveDay(score, score.today) : score
  return retarget({ ...archived, today: newDay(day, score.today.target) }, rules)
}

/** Returns the score with `day` inserted among its archived days by date, and the lifetime figures that follow from it. */
export function archiveDay(score: ScoreState, day: DailyScore): ScoreState {
  const newer = score.history.filter((other) => other.date > day.date)
  const older = score.history.filter((other) => other.date < day.date)
  return withHistory(
    { ...score, lifetime: { ...score.lifetime, daysTracked: score.lifetime.daysTracked + 1 } },
    [...newer, day, ...older],
  )
}

/** Returns the score with these archived days (newest first). Streaks and extremes are recalculated from them. */
export function withHistory(score: ScoreState, days: readonly DailyScore[]): ScoreState {
  const history = days.slice(0, KEPT_DAYS)
  return { ...score, history, lifetime: { ...score.lifetime, ...archiveFigures(history, score.lifetime) } }
}

/**
 * Returns the score with today's target recalculated from its history. The floor only rises, and the target never falls below
 * it.
 */
export function retarget(score: ScoreState, rules: ScoringRules): ScoreState {
  const target = computeTarget(score.history, score.lifetime.targetFloor, rules)
  return {
    ...score,
    today: withTargetReached({ ...score.today, target }),
    lifetime: { ...score.lifetime, targetFloor: Math.max(score.lifetime.targetFloor, target) },
  }
}

/**
 * Returns the score under new rules. Archived days stay as they are; today's target follows from the new rules at once. If
 * nothing has been scored yet, the score is reset. A floor that is just the old minimum is replaced by what the history gives
 * under the new rules, so that a mistaken minimum can be undone. An earned floor stays.
 */
export function changeRules(score: ScoreState, before: ScoringRules, rules: ScoringRules): ScoreState {
  if (score.history.length === 0 && score.lifetime.daysTracked === 0 && !hasActivity(score.today))
    return initialScore(score.today.date, rules)
  const { targetFloor } = score.lifetime
  const earned = computeTarget(score.history, 0, { ...rules, minimumTarget: 0 })
  const isOnlyMinimum = targetFloor <= before.minimumTarget
  const floor = Math.max(isOnlyMinimum ? rules.minimumTarget : targetFloor, earned)
  const target = computeTarget(score.history, floor, rules)
  return {
    ...score,
    today: withTargetReached({ ...score.today, target }),
    lifetime: { ...score.lifetime, targetFloor: floor },
  }
}

/** Returns the day with `targetReached` calculated from its score and its own target. */
export function withTargetReached(day: DailyScore): DailyScore {
  return { ...day, targetReached: day.score >= day.target }
}

/** Returns an empty day with the target in effect on it. */
export function newDay(date: string, target: number): DailyScore {
  return withTargetReached({
    date,
    score: 0,
    peakScore: 0,
    lowestScore: 0,
    verifiedCount: 0,
    failedCount: 0,
    targetReached: false,
    target,
    unclearCount: 0,
    contradictionCount: 0,
    thumbsUp: 0,
    thumbsDown: 0,
    judgedCount: 0,
    overruledCount: 0,
  })
}

/** Returns whether anything scored on the day: a verdict or a thumb. */
export function hasActivity(day: DailyScore): boolean {
  return day.judgedCount > 0 || day.thumbsUp > 0 || day.thumbsDown > 0
}

/** Returns whether all verdicts have 0 points and blame no one: a missing program or probe must not tighten a day. */
export function hasOnlyBlamelessVerdicts(day: DailyScore): boolean {
  const hasMoved = day.score !== 0 || day.peakScore !== 0 || day.lowestScore !== 0
  return !hasMoved && day.thumbsUp + day.thumbsDown === 0 && day.verifiedCount + day.failedCount === 0
}

type ArchiveFigures = Pick<LifetimeScore, 'bestDay' | 'worstDay' | 'currentStreak' | 'longestStreak'>

function archiveFigures(history: readonly DailyScore[], lifetime: LifetimeScore): ArchiveFigures {
  if (history.length === 0) return { bestDay: 0, worstDay: 0, currentStreak: 0, longestStreak: 0 }
  const scores = history.map((day) => day.score)
  const figures = {
    bestDay: Math.max(...scores),
    worstDay: Math.min(...scores),
    currentStreak: runOfReachedDays(history),
    longestStreak: longestRunOfReachedDays(history),
  }
  if (lifetime.daysTracked <= history.length) return figures
  // Days have left the archive, so their figures can't be recalculated, only kept.
  return {
    bestDay: Math.max(figures.bestDay, lifetime.bestDay),
    worstDay: Math.min(figures.worstDay, lifetime.worstDay),
    currentStreak: figures.currentStreak,
    longestStreak: Math.max(figures.longestStreak, lifetime.longestStreak),
  }
}

function runOfReachedDays(history: readonly DailyScore[]): number {
  const firstMissed = history.findIndex((day) => !day.targetReached)
  return firstMissed === -1 ? history.length : firstMissed
}

function longestRunOfReachedDays(history: readonly DailyScore[]): number {
  let longest = 0
  let run = 0
  for (const day of history) {
    run = day.targetReached ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
