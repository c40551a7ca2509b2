import type { WorkspaceDetail } from '../../../../../core/read-model/workspace.ts'

/** Returns a workspace with what the palette needs: approved, resting, with nothing to do. */
export function workspaceDetail(over: object = {}): WorkspaceDetail {
  return {
    id: 'w',
    name: 'backend',
    path: '/src/backend',
    agentId: 'claude',
    shield: 'good',
    trust: 'approved',
    paused: null,
    suspended: null,
    running: null,
    tasks: [],
    attempts: [],
    needs: [],
    ...over,
  } as unknown as WorkspaceDetail
}
