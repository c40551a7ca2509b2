import type { WorkspaceDetail } from '../../../api/schemas/workspace.ts'

export type AttemptRow = WorkspaceDetail['attempts'][number]
