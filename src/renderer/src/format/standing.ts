import type { Workspace } from '../../../core/read-model/workspace.ts'
import { worstShieldFirst } from '../../../core/vocabulary/standing.ts'

/** Nothing was ever judged here: a zero would look like a result. */
export function isUntouched({ score }: Workspace): boolean {
  return score.lifetime.daysTracked === 0 && score.verified + score.failed + score.unclear === 0
}

/** Worst standing first; among equals the lower score. */
export function worstFirst(workspaces: readonly Workspace[]): Workspace[] {
  return workspaces.toSorted((a, b) => worstShieldFirst(a.shield, b.shield) || a.score.score - b.score.score)
}

/** The workspace with the worst standing; `undefined` where there is none. */
export function worstWorkspace(workspaces: readonly Workspace[]): Workspace | undefined {
  return worstFirst(workspaces)[0]
}
