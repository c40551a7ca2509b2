import { RequestProblem } from '../../api/request-problem.ts'
import { UNDO_SECONDS } from '../../core/pacing/unblock.ts'
import type { UndoReport } from '../../core/read-model/blocked-task.ts'
import { taskHistory } from '../../core/record/fold-task-history.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import type { TaskKeeper } from './unblock.ts'

/**
 * Blocks tasks again that were unblocked less than a minute ago (wall clock) and not tried since; the others are refused, each with the
 * reason. Rejects with a `conflict` if all are refused.
 */
export async function undoUnblock(
  { ledger }: Pick<TaskKeeper, 'ledger'>,
  taskIds: readonly string[],
  nowMs: number,
): Promise<UndoReport> {
  const findings = [...new Set(taskIds)].map((taskId) => ({
    taskId,
    reason: hindrance(ledger.state, taskId, nowMs),
  }))
  const blocked = findings.filter(({ reason }) => reason === null).map(({ taskId }) => taskId)
  const refused = findings.flatMap(({ taskId, reason }) => (reason === null ? [] : [{ taskId, reason }]))
  if (blocked.length === 0) throw new RequestProblem('conflict', refusedInWords(refused))
  await ledger.append(...blocked.map((taskId) => ({ type: 'unblock-undone' as const, taskId })))
  return { blocked, refused }
}

/** Returns why an unblock cannot be undone, as a sentence; `null` if it can. */
function hindrance(state: WorkspaceState, taskId: string, nowMs: number): string | null {
  const { unblocked, entries } = taskHistory(state, taskId)
  if (unblocked === null) {
    return entries.some(({ kind }) => kind === 'unblock')
      ? 'It has been tried or judged since it was unblocked.'
      : 'It has not been unblocked.'
  }
  const { progress, running } = state
  if (progress.tasks[taskId]?.status !== 'pending')
    return `It is ${progress.tasks[taskId]?.status ?? 'no longer in the contract'} by now.`
  if (nowMs - Date.parse(unblocked.at) > UNDO_SECONDS * 1000)
    return `An unblock can be taken back for ${UNDO_SECONDS} seconds, and they are over.`
  if (running !== null && Date.parse(running.startedAt) >= Date.parse(unblocked.at))
    return `Heartbeat ${running.cycle} has begun since, and tries it.`
  return null
}

function refusedInWords(refused: UndoReport['refused']): string {
  const [first, ...others] = refused
  if (first === undefined) return 'No task was named.'
  const more = others.length === 0 ? '' : ` So it is with ${others.length} more.`
  return `${first.taskId} stays open. ${first.reason}${more}`
}
