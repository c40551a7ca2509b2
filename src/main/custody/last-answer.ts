import { RequestProblem } from '../../api/request-problem.ts'
import { UNDO_SECONDS } from '../../core/pacing/unblock.ts'
import type { LastAnswer, WorkspaceState } from '../../core/record/state.ts'

/** The Undo button is shown for a minute; a click at its very end still counts. */
const GRACE_SECONDS = 5

/** Returns the answer to this proposal if it can be undone: it is the last one, from the last minute, and the file is as it left it. */
export function lastAnswerTo(state: WorkspaceState, id: string, nowMs: number): LastAnswer {
  const { lastAnswer: last, custody } = state
  if (last === undefined || last.id !== id)
    throw new RequestProblem(
      'conflict',
      `There is no answer to the proposal ${id} to take back: only the last one can be, and only while its file has not changed since.`,
    )
  if (nowMs - Date.parse(last.at) > (UNDO_SECONDS + GRACE_SECONDS) * 1000)
    throw new RequestProblem(
      'conflict',
      `An answer can be taken back for ${UNDO_SECONDS} seconds, and they are over. Edit ${last.file} instead.`,
    )
  const now = custody[last.file]
  if (now?.base !== last.after.base || now.seen !== last.after.seen)
    throw new RequestProblem(
      'conflict',
      `${last.file} has changed since the answer. Edit it instead of taking the answer back.`,
    )
  return last
}
