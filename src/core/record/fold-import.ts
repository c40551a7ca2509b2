import { archiveDay, newDay, retarget } from '../scoring/ratchet.ts'
import type { EventOf } from './events.ts'
import type { WorkspaceState } from './state.ts'

/** Adds days that another program recorded before this record's first day, with the floor of the target. */
export function importHistory(state: WorkspaceState, event: EventOf<'history-imported'>): WorkspaceState {
  const { days, targetFloor, lifetime } = event.history
  const { rules } = state
  const earlier = days.filter(({ date }) => date < state.score.today.date)
  const score = earlier.reduceRight((before, day) => {
    if (before.history.some(({ date }) => date === day.date)) return before
    const { verifiedCount, failedCount } = day
    const archived = archiveDay(before, {
      ...newDay(day.date, rules.minimumTarget),
      ...day,
      judgedCount: verifiedCount + failedCount,
    })
    const { lifetime } = archived
    return {
      ...archived,
      lifetime: {
        ...lifetime,
        totalVerified: lifetime.totalVerified + verifiedCount,
        totalFailed: lifetime.totalFailed + failedCount,
        totalPoints: lifetime.totalPoints + day.score,
      },
    }
  }, state.score)
  const floor = Math.min(Math.max(score.lifetime.targetFloor, targetFloor ?? 0), rules.maximumTarget)
  const totals = withTotals(score.lifetime, earlier, lifetime)
  return { ...state, score: retarget({ ...score, lifetime: { ...totals, targetFloor: floor } }, rules) }
}

type Lifetime = WorkspaceState['score']['lifetime']

/** Adds the other program's totals from before the days that it recorded. */
function withTotals(
  now: Lifetime,
  days: EventOf<'history-imported'>['history']['days'],
  totals: EventOf<'history-imported'>['history']['lifetime'],
): Lifetime {
  if (totals === undefined) return now
  const beyond = (total: number | undefined, ofDays: number): number =>
    total === undefined ? 0 : total - ofDays
  const sum = (of: (day: (typeof days)[number]) => number): number =>
    days.reduce((all, day) => all + of(day), 0)
  return {
    ...now,
    totalVerified:
      now.totalVerified +
      Math.max(
        0,
        beyond(
          totals.totalVerified,
          sum((day) => day.verifiedCount),
        ),
      ),
    totalFailed:
      now.totalFailed +
      Math.max(
        0,
        beyond(
          totals.totalFailed,
          sum((day) => day.failedCount),
        ),
      ),
    totalPoints:
      now.totalPoints +
      beyond(
        totals.totalPoints,
        sum((day) => day.score),
      ),
    daysTracked: now.daysTracked + Math.max(0, beyond(totals.daysTracked, days.length)),
    bestDay: Math.max(now.bestDay, totals.bestDay ?? now.bestDay),
    worstDay: Math.min(now.worstDay, totals.worstDay ?? now.worstDay),
    longestStreak: Math.max(now.longestStreak, totals.longestStreak ?? now.longestStreak),
  }
}
