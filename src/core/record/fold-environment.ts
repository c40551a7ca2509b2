import type { EventOf } from './events.ts'
import { dropNotices, raiseNotice } from './fold-notices.ts'
import type { WorkspaceState } from './state.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * One step further back, told as a notice; the same trouble again replaces the notice. A limit whose end is known is no trouble: it
 * is waited for, and nobody has to look, unless that is more than a day away: then it may be misread, or said to be left alone.
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
  // What is wrong with a gate is told already, as a notice of its own.
  if (byGate) return { ...recoverEnvironment(state), backoff }
  if (isParked && Date.parse(until) - Date.parse(event.at) <= DAY_MS)
    return { ...recoverEnvironment(state), backoff }
  return raiseNotice(
    { ...state, backoff },
    { code: 'backed-off', taskId: null, message: reason, at: event.at },
  )
}

/** The agent can run again: no back-off, and nothing said of it. */
export function recoverEnvironment(state: WorkspaceState): WorkspaceState {
  return dropNotices({ ...state, backoff: null }, (notice) => notice.code === 'backed-off')
}
