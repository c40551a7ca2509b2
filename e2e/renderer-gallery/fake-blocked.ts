import { ORPCError } from '@orpc/client'
import type {
  BlockedTask,
  UnblockedTask,
  UnblockReport,
  UndoReport,
} from '../../src/core/read-model/blocked-task.ts'
import type { WorkspaceDetail } from '../../src/core/read-model/workspace.ts'

/** The calls about the blocked tasks of the first workspace. An unblock can be taken back until the page is loaded again. */
export function blockedCalls(scenario: {
  readonly workspaces: readonly WorkspaceDetail[]
  readonly blocked?: BlockedTask[]
}) {
  const first = scenario.workspaces[0]
  const all = scenario.blocked ?? []
  let blocked = all
  const change = (tasks: BlockedTask[]) => {
    blocked = tasks
    if (first !== undefined) first.counts = { ...first.counts, blocked: tasks.length }
  }
  const unblock = (task: BlockedTask, timeoutSeconds: number): UnblockedTask => {
    change(blocked.filter((each) => each !== task))
    const timeoutReason = 'set by the operator when the task was unblocked'
    const limits = { maxAttempts: 3, maxTimeoutSeconds: task.maxTimeoutSeconds }
    return { taskId: task.taskId, level: task.level, timeoutSeconds, timeoutReason, ...limits }
  }
  const unblockWhere = (
    isMeant: (task: BlockedTask) => boolean,
    { timeoutSeconds, timeoutMultiplier = 1 }: { timeoutSeconds?: number; timeoutMultiplier?: number },
  ): UnblockReport => {
    const timeoutOf = (task: BlockedTask) =>
      timeoutSeconds ?? Math.floor(task.nextTimeoutSeconds * timeoutMultiplier)
    return { unblocked: blocked.filter(isMeant).map((task) => unblock(task, timeoutOf(task))), refused: [] }
  }
  return {
    tasks: {
      blocked: async ({ workspace }: { workspace?: string }) =>
        workspace === undefined || workspace === first?.id ? blocked : [],
      unblock: async ({ id, timeoutSeconds }: { id: string; timeoutSeconds?: number }) => {
        const task = blocked.find(({ taskId }) => taskId === id)
        if (task === undefined) throw new ORPCError('CONFLICT', { message: `${id} is not blocked.` })
        return unblock(task, timeoutSeconds ?? task.nextTimeoutSeconds)
      },
      unblockMany: async (how: { ids: string[]; timeoutSeconds?: number; timeoutMultiplier?: number }) =>
        unblockWhere(({ taskId }) => how.ids.includes(taskId), how),
      unblockLevel: async (how: { filter: string; timeoutSeconds?: number; timeoutMultiplier?: number }) =>
        unblockWhere(({ level }) => level === how.filter, how),
      undoUnblock: async ({ ids }: { ids: string[] }): Promise<UndoReport> => {
        const open = all.filter((task) => !blocked.includes(task))
        const back = open.filter(({ taskId }) => ids.includes(taskId))
        if (back.length === 0)
          throw new ORPCError('CONFLICT', { message: `${ids[0]} stays open. It has not been unblocked.` })
        change(all.filter((task) => blocked.includes(task) || back.includes(task)))
        return { blocked: back.map(({ taskId }) => taskId), refused: [] }
      },
      retryBlocked: async () => {
        const refused = blocked
          .filter(({ autoUnblocks }) => autoUnblocks > 0)
          .map(({ taskId }) => ({
            taskId,
            reason:
              'It was retried once already (max_auto_unblock_attempts = 1). Look at it and unblock it by hand, or raise max_auto_unblock_attempts.',
          }))
        return { ...unblockWhere(({ autoUnblocks }) => autoUnblocks === 0, {}), refused }
      },
      sweep: async () =>
        blocked.map(({ taskId, swept }) => ({
          taskId,
          holds: swept === null ? false : swept.holds,
          reason: swept?.reason ?? 'it does not hold',
        })),
    },
  }
}
