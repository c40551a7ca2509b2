import type { EventOf } from './events.ts'
import { dropNotices, raiseNotice } from './fold-notices.ts'
import type { WorkspaceState } from './state.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * Backs off one step further and raises a notice; the same problem again replaces the notice. A limit whose end is known raises
 * none: waiting is enough. If that end is more than a day away, it does raise one: the time may have been misread, or
 * claimed only to be left alone.
 */
export function backOff(state: WorkspaceState, event: EventOf<'backed-off'>): WorkspaceState {
  const { reason, remedy, until, resetsAt, byGate } = event
  const isParked = resetsAt !== null
  const backoff = {
    step: (state.backoff?.step ?? 0) + 1,
    until,
    reason,
    remedy,
    isParked,
    ...(byGate && { byGate }),
  }
  // The problem of a gate already has its own notice.
  if (byGate) return { ...recoverEnvironment(state), backoff }
  if (isParked && Date.parse(until) - Date.parse(event.at) <= DAY_MS)
    return { ...recoverEnvironment(state), backoff }
  return raiseNotice(
    { ...state, backoff },
    { code: 'backed-off', taskId: null, message: reason, at: event.at },
  )
}

/** Ends the back-off and removes its notices, because the agent can run again. */
export function recoverEnvironment(state: WorkspaceState): WorkspaceState {
  return dropNotices({ ...state, backoff: null }, (notice) => notice.code === 'backed-off')
}
