import { durationWords } from '../../../../core/pacing/duration-words.ts'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { useApp } from '../../store/use-app.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { useUndo } from './use-undo.ts'

/** How to unblock a task; omitted values are as planned. */
export interface UnblockWish {
  readonly reason?: string
  readonly timeoutSeconds?: number
}

/** Unblocks a task, shows the timeout in a message, offers to undo it, and calls `onUnblocked` before its card disappears. */
export function useUnblock(workspaceId: string, { taskId }: BlockedTask, onUnblocked: () => void) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const offerUndo = useUndo(workspaceId)
  const { busy, problem, submit } = useSubmit()
  const unblock = ({ reason, timeoutSeconds }: UnblockWish) =>
    submit(async () => {
      const unblocked = await api.tasks.unblock({
        workspace: workspaceId,
        id: taskId,
        reason,
        timeoutSeconds,
      })
      const text = `${taskId} is open again; its next attempt may take ${durationWords(unblocked.timeoutSeconds * 1000)}.`
      offerUndo([taskId], text)
      onUnblocked()
      await refresh()
    })
  return { busy, problem, unblock }
}
