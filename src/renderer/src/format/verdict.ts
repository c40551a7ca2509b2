import type { WorkspaceDetail } from '../../../core/read-model/workspace.ts'

export type AttemptRow = WorkspaceDetail['attempts'][number]
