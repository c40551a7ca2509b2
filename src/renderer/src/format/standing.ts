import type { Workspace } from '../../../core/read-model/workspace.ts'
import { worstShieldFirst } from '../../../core/vocabulary/standing.ts'

/** Whether nothing was ever judged here: a zero would look like a result. */
export function isUntouched({ score }: Workspace): boolean {
  return score.lifetime.daysTracked === 0 && score.verified + score.failed + score.unclear === 0
}

/** Sorts the worst standing first; among equals, the lower score. */
export function worstFirst(workspaces: readonly Workspace[]): Workspace[] {
  return workspaces.toSorted((a, b) => worstShieldFirst(a.shield, b.shield) || a.score.score - b.score.score)
}

/** Returns the workspace with the worst standing; `undefined` if there is none. */
export function worstWorkspace(workspaces: readonly Workspace[]): Workspace | undefined {
  return worstFirst(workspaces)[0]
}
