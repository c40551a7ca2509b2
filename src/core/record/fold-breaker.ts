import { withBreaker, withClosedBreaker } from '../intervention/breaker.ts'
import type { EventOf } from './events.ts'
import { dropNotices, raiseNotice } from './fold-notices.ts'
import type { WorkspaceState } from './state.ts'

/** Changes the state of one agent's circuit breaker; does nothing if the agent has no profile yet. */
export function changeBreaker(state: WorkspaceState, event: EventOf<'breaker-changed'>): WorkspaceState {
  const { agentId, at, reason } = event
  const profile = Object.hasOwn(state.profiles, agentId) ? state.profiles[agentId] : undefined
  if (profile === undefined) return state
  const changed =
    event.state === 'closed'
      ? withClosedBreaker(profile)
      : withBreaker(profile, { state: event.state, reason }, at)
  return { ...state, profiles: { ...state.profiles, [agentId]: changed } }
}

/** Suspends the workspace: nothing runs until the operator has reviewed it. */
export function suspend(state: WorkspaceState, { at, reason }: EventOf<'suspended'>): WorkspaceState {
  return raiseNotice(
    { ...state, suspended: { since: at, reason } },
    { code: 'suspended', taskId: null, message: `Suspended for manual review: ${reason}.`, at },
  )
}

/** Resumes after the operator's review: heartbeats continue, and the circuit breakers count from zero. */
export function liftSuspension(state: WorkspaceState): WorkspaceState {
  const profiles = Object.fromEntries(
    Object.entries(state.profiles).map(([id, profile]) => [id, withClosedBreaker(profile)]),
  )
  return endSuspension({ ...state, profiles })
}

/** Removes the suspension and its notice; leaves the breakers unchanged. */
export function endSuspension(state: WorkspaceState): WorkspaceState {
  return dropNotices({ ...state, suspended: null }, ({ code }) => code === 'suspended')
}
