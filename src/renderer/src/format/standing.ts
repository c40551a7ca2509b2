import type { Workspace } from '../../../api/schemas/workspace.ts'

export type ShieldLevel = Workspace['shield']

export const STANDING_WORDS: Readonly<Record<ShieldLevel, string>> = {
  lockdown: 'Lockdown',
  escalated: 'Escalated',
  tightened: 'Tightened',
  warning: 'Warning',
  none: 'Steady',
  good: 'Good',
  excellent: 'Excellent',
  outstanding: 'Outstanding',
  paused: 'Paused',
  suspended: 'Suspended',
}

/** Worst first: the title and the tray show the worst of all workspaces. Suspended ones wait for the operator, paused ones ask for nothing. */
const WORST_FIRST: readonly ShieldLevel[] = [
  'suspended',
  'lockdown',
  'escalated',
  'tightened',
  'warning',
  'none',
  'good',
  'excellent',
  'outstanding',
  'paused',
]

/** Nothing was ever judged here: a zero would look like a result. */
export function isUntouched({ score }: Workspace): boolean {
  return score.lifetime.daysTracked === 0 && score.verified + score.failed + score.unclear === 0
}

/** The workspace that stands worst; among equals the one with the lower score. `undefined` where there is none. */
export function worstWorkspace(workspaces: readonly Workspace[]): Workspace | undefined {
  const rank = (workspace: Workspace) => WORST_FIRST.indexOf(workspace.shield)
  return workspaces.toSorted((a, b) => rank(a) - rank(b) || a.score.score - b.score.score)[0]
}
