import { reopenTask } from '../cycle/progress.ts'
import { isOpenLanding } from '../vocabulary/landing.ts'
import type { EventOf } from './events.ts'
import type { LandingRecord } from './landing-record.ts'
import type { LandingEntry, WorkspaceState } from './state.ts'

/** What is closed is remembered so long; what is open always is. */
export const KEPT_LANDINGS = 300

/** Takes in how an attempt's work stands. What conflicts goes back to its task, which is open again with no attempt used. */
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

/** Returns the tasks that do not run meanwhile: verified work of theirs is still on its way, or waits for the operator. */
export function tasksOnTheirWay(landings: readonly LandingRecord[]): ReadonlySet<string> {
  return new Set(
    landings.flatMap(({ state, taskId, verified }) => (verified && isOpenLanding(state) ? [taskId] : [])),
  )
}

/** Returns whether work of the task has come back by a conflict since anything of it last landed or was dropped. */
export function hasConflicted(landings: readonly LandingRecord[], taskId: string, except: string): boolean {
  for (const { taskId: id, state, attemptId, verified } of landings) {
    if (id !== taskId || attemptId === except || !verified) continue
    if (state === 'conflict') return true
    if (state === 'landed' || state === 'dropped') return false
  }
  return false
}

/** Returns the conflict that the task's next attempt is to solve; `null`: there is none. */
export function conflictOf(landings: readonly LandingRecord[], taskId: string): LandingRecord | null {
  const latest = landings.find((one) => one.taskId === taskId && one.verified)
  return latest?.state === 'conflict' ? latest : null
}
