import type { InterventionTotals, WorkspaceState } from './state.ts'

export const NO_TOTALS: InterventionTotals = {
  total: 0,
  byType: {},
  bySeverity: {},
  remediations: { tried: 0, succeeded: 0 },
}

export function liftSuspension(state: WorkspaceState): WorkspaceState {
  return { ...state, suspended: null }
}

export function resetInterventions(state: WorkspaceState): WorkspaceState {
  return { ...state, suspended: null, feedback: [], profiles: {} }
}
