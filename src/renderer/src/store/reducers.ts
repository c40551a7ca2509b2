import type { HostStatus } from '../../../api/schemas/host.ts'
import type { WholeWorkspace } from '../../../api/schemas/live-event.ts'
import type { Workspace, WorkspaceDetail } from '../../../core/read-model/workspace.ts'
import type { AppData } from './app-state.ts'
import { appendOutput, EMPTY_OUTPUT } from './output-buffer.ts'

type Change = Partial<AppData>

/** How many running attempts' output is kept: one per workspace, plus one that has just finished for each. */
const MAX_OUTPUTS = 60

/** Replaces a workspace with a newer version. */
export function wholeArrived(data: AppData, { number, detail }: WholeWorkspace): Change {
  if (number < (data.lookNumbers[detail.id] ?? 0)) return {}
  return { ...detailShown(data, detail), lookNumbers: { ...data.lookNumbers, [detail.id]: number } }
}

/** Replaces a workspace's detail, also in the sidebar. */
export function detailShown(data: AppData, detail: WorkspaceDetail): Change {
  const { [detail.id]: _corrected, ...detailProblems } = data.detailProblems
  return {
    details: { ...data.details, [detail.id]: detail },
    detailProblems,
    workspaces: data.workspaces.map((workspace) => (workspace.id === detail.id ? detail : workspace)),
  }
}

/**
 * Replaces the workspaces with the host's list. `before` is the state when the list was requested: a workspace that has changed since then is
 * kept, because the list may be older. Drops the details of removed workspaces.
 */
export function workspacesFetched(
  data: AppData,
  { workspaces, opening, unopened }: Pick<HostStatus, 'workspaces' | 'opening' | 'unopened'>,
  before: Pick<AppData, 'workspaces' | 'details'>,
): Change {
  const known = new Set(allOf(before))
  const arrived = new Map(allOf(data).flatMap((each) => (known.has(each) ? [] : [[each.id, each]])))
  const ids = new Set(workspaces.map((workspace) => workspace.id))
  const kept = Object.entries(data.details).filter(([id]) => ids.has(id))
  return {
    workspaces: workspaces.map((workspace) => arrived.get(workspace.id) ?? workspace),
    opening,
    unopened,
    details: Object.fromEntries(kept),
  }
}

/** Returns list and details. Details come last, because one may arrive before any list contains its workspace. */
function allOf({ workspaces, details }: Pick<AppData, 'workspaces' | 'details'>): readonly Workspace[] {
  return [...workspaces, ...Object.values(details)]
}

/** Updates a workspace that is not on screen; the rest of its screen is sent when it is shown again. */
export function workspaceArrived(data: AppData, view: Workspace): Change {
  const detail = data.details[view.id]
  return {
    workspaces: data.workspaces.map((workspace) => (workspace.id === view.id ? view : workspace)),
    details: detail === undefined ? data.details : { ...data.details, [view.id]: { ...detail, ...view } },
  }
}

/** Adds chunks of output to their attempts' buffers, in order of arrival. */
export function outputArrived(
  data: AppData,
  chunks: readonly { readonly attemptId: string; readonly text: string }[],
): Change {
  const outputs = { ...data.outputs }
  for (const [attemptId, text] of joinedByAttempt(chunks)) {
    outputs[attemptId] = appendOutput(outputs[attemptId] ?? EMPTY_OUTPUT, text)
  }
  const ids = Object.keys(outputs)
  for (const id of ids.slice(0, Math.max(0, ids.length - MAX_OUTPUTS))) delete outputs[id]
  return { outputs }
}

function joinedByAttempt(chunks: readonly { readonly attemptId: string; readonly text: string }[]) {
  const joined = new Map<string, string>()
  for (const { attemptId, text } of chunks) joined.set(attemptId, (joined.get(attemptId) ?? '') + text)
  return joined
}
