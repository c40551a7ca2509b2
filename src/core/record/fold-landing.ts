import { reopenTask } from '../cycle/progress.ts'
import { isOpenLanding } from '../vocabulary/landing.ts'
import type { EventOf } from './events.ts'
import type { LandingRecord } from './landing-record.ts'
import type { LandingEntry, WorkspaceState } from './state.ts'

/** Maximum number of landings in the state; open ones always stay. */
export const KEPT_LANDINGS = 300

/** Records the state of an attempt's work. A conflict reopens the task without using up an attempt. */
export function moveLanding(state: WorkspaceState, event: EventOf<'landing-changed'>): WorkspaceState {
  const { landing, at } = event
  const before = state.landings.find(({ attemptId }) => attemptId === landing.attemptId)
  const entry: LandingEntry = { ...landing, at, since: before?.since ?? at }
  const others = state.landings.filter(({ attemptId }) => attemptId !== landing.attemptId)
  const landings =
    before === undefined
      ? [entry, ...others]
      : state.landings.map((one) => (one.attemptId === landing.attemptId ? entry : one))
  const isBack = landing.state === 'conflict' && before?.state !== 'conflict'
  return {
    ...state,
    landings: landings.filter((one, index) => index < KEPT_LANDINGS || isOpenLanding(one.state)),
    progress: isBack ? reopenTask(state.progress, landing.taskId, null) : state.progress,
  }
}

/** Returns the tasks that don't run yet because their verified work is still landing or waits for the operator. */
export function tasksOnTheirWay(landings: readonly LandingRecord[]): ReadonlySet<string> {
  return new Set(
    landings.flatMap(({ state, taskId, verified }) => (verified && isOpenLanding(state) ? [taskId] : [])),
  )
}

/** Returns whether the task's work has conflicted since any of it last landed or was dropped. */
export function hasConflicted(landings: readonly LandingRecord[], taskId: string, except: string): boolean {
  for (const { taskId: id, state, attemptId, verified } of landings) {
    if (id !== taskId || attemptId === except || !verified) continue
    if (state === 'conflict') return true
    if (state === 'landed' || state === 'dropped') return false
  }
  return false
}

/** Returns the conflict that the task's next attempt has to solve, or `null`. */
export function conflictOf(landings: readonly LandingRecord[], taskId: string): LandingRecord | null {
  const latest = landings.find((one) => one.taskId === taskId && one.verified)
  return latest?.state === 'conflict' ? latest : null
}
