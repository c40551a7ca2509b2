import type { Workspace } from '../../core/read-model/workspace.ts'
import { formatSignedPoints } from '../../core/scoring/format.ts'
import { isolated } from '../../core/text/isolated.ts'
import { worstWorkspace } from './format/standing.ts'

/** The window's title, which answers "can I trust it?" from the task bar: the score of the workspace that stands worst. */
export function pageTitle(workspaces: readonly Workspace[]): string {
  const worst = worstWorkspace(workspaces)
  return worst === undefined
    ? 'Pulseward'
    : `${formatSignedPoints(worst.score.score)} ${isolated(worst.name)} – Pulseward`
}
