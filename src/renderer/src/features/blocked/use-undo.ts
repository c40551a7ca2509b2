import { UNDO_SECONDS } from '../../../../core/pacing/unblock.ts'
import { toProblem } from '../../api-client/problem.ts'
import { counted } from '../../format/counted.ts'
import { useApp } from '../../store/use-app.ts'

/** Shows a message about an unblock, with a button that undoes it for a minute. */
export function useUndo(workspaceId: string): (taskIds: readonly string[], text: string) => void {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const showToast = useApp((state) => state.showToast)
  const undo = async (ids: readonly string[]) => {
    try {
      const { blocked, refused } = await api.tasks.undoUnblock({ workspace: workspaceId, ids: [...ids] })
      const done = blocked.length === 1 ? `${blocked[0]} is` : `${counted(blocked.length, 'task')} are`
      const stays = refused.map(({ taskId, reason }) => `${taskId} stays open. ${reason}`)
      showToast({ tone: 'plain', text: [`${done} blocked again.`, ...stays].join(' '), undo: null })
      await refresh()
    } catch (error) {
      showToast({ tone: 'problem', text: toProblem(error).message, undo: null })
    }
  }
  return (taskIds, text) => {
    if (taskIds.length === 0) return
    const undoUntilMs = Date.now() + UNDO_SECONDS * 1000
    showToast({ tone: 'plain', text, undo: () => void undo(taskIds), undoUntilMs })
  }
}
