import type { HostStatus } from '../../../api/schemas/host.ts'
import type { LiveEvent } from '../../../api/schemas/live-event.ts'
import type { Workspace, WorkspaceDetail } from '../../../core/read-model/workspace.ts'
import type { AppData } from './app-state.ts'
import { appendOutput, EMPTY_OUTPUT } from './output-buffer.ts'

type Change = Partial<AppData>

/** Running attempts whose output is kept: one a workspace, with room for a just-finished one each. */
const MAX_OUTPUTS = 60

/** A fetched detail takes the place of the old one, in the sidebar too. */
export function detailFetched(data: AppData, detail: WorkspaceDetail): Change {
  const { [detail.id]: _corrected, ...detailProblems } = data.detailProblems
  return {
    details: { ...data.details, [detail.id]: detail },
    detailProblems,
    workspaces: data.workspaces.map((workspace) => (workspace.id === detail.id ? detail : workspace)),
  }
}

/** The host's list takes the place of the old one; details of removed workspaces go. */
export function workspacesFetched(
  data: AppData,
  { workspaces, opening, unopened }: Pick<HostStatus, 'workspaces' | 'opening' | 'unopened'>,
): Change {
  const ids = new Set(workspaces.map((workspace) => workspace.id))
  const kept = Object.entries(data.details).filter(([id]) => ids.has(id))
  return { workspaces, opening, unopened, details: Object.fromEntries(kept) }
}

/** What a workspace looks like now, in the sidebar and on its screen. Left alone while thumbs are pending: they are counted in already. */
export function workspaceArrived(data: AppData, view: Workspace): Change {
  if (Object.keys(data.pendingFeedback).length > 0) return {}
  const detail = data.details[view.id]
  return {
    workspaces: data.workspaces.map((workspace) => (workspace.id === view.id ? view : workspace)),
    details: detail === undefined ? data.details : { ...data.details, [view.id]: { ...detail, ...view } },
  }
}

/** Chunks of output, in the order they came, added to their attempts' buffers. */
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

/** A score as it moved. Left alone while thumbs are pending: they are counted in already, and the detail follows. */
export function scoreUpdated(data: AppData, event: Extract<LiveEvent, { type: 'score-updated' }>): Change {
  if (Object.keys(data.pendingFeedback).length > 0) return {}
  const detail = data.details[event.workspace]
  const moved = (workspace: Workspace) =>
    workspace.id === event.workspace ? { ...workspace, score: event.score } : workspace
  return {
    workspaces: data.workspaces.map(moved),
    details:
      detail === undefined
        ? data.details
        : { ...data.details, [event.workspace]: { ...detail, score: event.score } },
  }
}
