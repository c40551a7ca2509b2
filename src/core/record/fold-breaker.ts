import { withBreaker, withClosedBreaker } from '../intervention/breaker.ts'
import type { EventOf } from './events.ts'
import { dropNotices, raiseNotice } from './fold-notices.ts'
import type { WorkspaceState } from './state.ts'

/** The state of one agent's circuit breaker; nothing where the agent has no profile yet. */
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

/** Nothing runs in the workspace until the operator has reviewed it. */
export function suspend(state: WorkspaceState, { at, reason }: EventOf<'suspended'>): WorkspaceState {
  return raiseNotice(
    { ...state, suspended: { since: at, reason } },
    { code: 'suspended', taskId: null, message: `Suspended for manual review: ${reason}.`, at },
  )
}

/** The operator has reviewed: heartbeats continue, and the circuit breakers count from zero. */
export function liftSuspension(state: WorkspaceState): WorkspaceState {
  const profiles = Object.fromEntries(
    Object.entries(state.profiles).map(([id, profile]) => [id, withClosedBreaker(profile)]),
  )
  return endSuspension({ ...state, profiles })
}

/** Takes the suspension and its notice away; the breakers stay as they are. */
export function endSuspension(state: WorkspaceState): WorkspaceState {
  return dropNotices({ ...state, suspended: null }, ({ code }) => code === 'suspended')
}
