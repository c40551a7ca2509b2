import type { Workspace } from '../../core/read-model/workspace.ts'
import { formatSignedPoints } from '../../core/scoring/format.ts'
import { isolated } from '../../core/text/isolated.ts'
import { worstWorkspace } from './format/standing.ts'

/**
 * Returns the window's title: what is on screen (a workspace by its id, or a screen by name) and, to answer "can I trust it?" from the task
 * bar, the score of the workspace with the worst standing.
 */
export function pageTitle(
  workspaces: readonly Workspace[],
  shown: { readonly id?: string; readonly screen?: string } = {},
): string {
  const worst = worstWorkspace(workspaces)
  const onScreen = workspaces.find(({ id }) => id === shown.id)
  const parts = [
    ...(onScreen === undefined ? [] : [scored(onScreen)]),
    ...(shown.screen === undefined ? [] : [shown.screen]),
    ...(worst === undefined || worst.id === onScreen?.id ? [] : [scored(worst)]),
  ]
  return parts.length === 0 ? 'Pulseward' : `${parts.join(' · ')} – Pulseward`
}

function scored({ name, score }: Workspace): string {
  return `${formatSignedPoints(score.score)} ${isolated(name)}`
}
