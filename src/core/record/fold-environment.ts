import type { EventOf } from './events.ts'
import { dropNotices, raiseNotice } from './fold-notices.ts'
import type { WorkspaceState } from './state.ts'

/**
 * One step further back, told as a notice; the same trouble again replaces the notice. A limit whose end is known is no trouble: it
 * is waited for, and nobody has to look.
 */
export function backOff(state: WorkspaceState, event: EventOf<'backed-off'>): WorkspaceState {
  const { reason, remedy, until, resetsAt } = event
  const isParked = resetsAt !== null
  const backoff = { step: (state.backoff?.step ?? 0) + 1, until, reason, remedy, isParked }
  if (isParked) return { ...recoverEnvironment(state), backoff }
  return raiseNotice(
    { ...state, backoff },
    { code: 'backed-off', taskId: null, message: reason, at: event.at },
  )
}

/** The agent can run again: no back-off, and nothing said of it. */
export function recoverEnvironment(state: WorkspaceState): WorkspaceState {
  return dropNotices({ ...state, backoff: null }, (notice) => notice.code === 'backed-off')
}
