import { archiveDay, newDay, retarget } from '../scoring/ratchet.ts'
import type { EventOf } from './events.ts'
import type { WorkspaceState } from './state.ts'

/** Days that another program kept, before the first one of this record; the floor of the target comes with them. */
export function importHistory(state: WorkspaceState, event: EventOf<'history-imported'>): WorkspaceState {
  const { days, targetFloor } = event.history
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
  return {
    ...state,
    score: retarget({ ...score, lifetime: { ...score.lifetime, targetFloor: floor } }, rules),
  }
}
