import type { EventOf } from './events.ts'
import type { WorkspaceState } from './state.ts'

export function unblockTask(state: WorkspaceState, _event: EventOf<'task-unblocked'>): WorkspaceState {
  return state
}

export function noteSweep(state: WorkspaceState, _event: EventOf<'blocked-swept'>): WorkspaceState {
  return state
}
