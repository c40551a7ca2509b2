import { isGrave, mostUrgentFirst } from '../../../../core/read-model/urgency.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { routeTo } from '../../route/route.ts'
import { addressOfNeed } from '../decisions/need-actions.ts'

/** The most likely action for a workspace: a link, or something done immediately. */
export type LikelyAction =
  | { readonly kind: 'go'; readonly label: string; readonly address: string }
  | { readonly kind: 'run'; readonly label: string }
  | { readonly kind: 'resume'; readonly label: string }

/** Returns the most likely action for a workspace: its most urgent decision, if there is one. */
export function likelyAction(workspace: Workspace): LikelyAction {
  const [need] = workspace.needs
  return need === undefined
    ? usualAction(workspace)
    : { kind: 'go', label: need.action, address: addressOfNeed(need) }
}

/** Returns those that need attention first, the worst leading; the others keep their order. */
export function byNeed(workspaces: readonly Workspace[]): Workspace[] {
  const asking = workspaces.filter(needsAttention)
  return [
    ...asking.toSorted(mostUrgentFirst),
    ...workspaces.filter((workspace) => !needsAttention(workspace)),
  ]
}

/** Whether it waits for a decision, or its trust is at stake. */
export function needsAttention(workspace: Workspace): boolean {
  return workspace.needs.length > 0 || isGrave(workspace)
}

function usualAction({ id, running, paused }: Workspace): LikelyAction {
  if (running !== null) return { kind: 'go', label: 'View', address: routeTo(id) }
  if (paused !== null) return { kind: 'resume', label: 'Resume' }
  return { kind: 'run', label: 'Run now' }
}
