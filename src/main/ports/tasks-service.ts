import type { UnblockReport, UndoReport } from '../../api/schemas/blocked-task.ts'

/** How tasks are unblocked; the timeout is the next attempt's alone, and as planned where neither is given. */
export interface UnblockOptions {
  readonly reason?: string
  readonly timeoutSeconds?: number
  /** Of the planned timeout; ignored beside `timeoutSeconds`. */
  readonly timeoutMultiplier?: number
}

/** Releasing several tasks at once, and taking releases back. */
export interface TasksService {
  /** Those that are not blocked are refused, each with the reason. */
  unblockMany(
    workspace: string | undefined,
    taskIds: readonly string[],
    how: UnblockOptions,
  ): Promise<UnblockReport>
  /** Rejects with a `conflict` where none of the unblocks can be taken back. */
  undoUnblock(workspace: string | undefined, taskIds: readonly string[]): Promise<UndoReport>
}
