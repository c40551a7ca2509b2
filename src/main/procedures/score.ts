import { RequestProblem } from '../../api/request-problem.ts'
import { localDay } from '../../core/pacing/schedule.ts'
import { UNDO_SECONDS } from '../../core/pacing/unblock.ts'
import { historyView } from '../../core/read-model/score.ts'
import type { Thumb } from '../../core/vocabulary/task.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { scoreOf } from '../host/workspace-views.ts'
import { os, workspaceOf } from './implementer.ts'
import { noAttempt } from './no-attempt.ts'
import { workspacePage } from './workspace-page.ts'

/** Extra time, so that pressing in the last moment is not refused because of the delay on the way. */
const GRACE_SECONDS = 5

export const score = {
  get: os.score.get.handler(({ input, context }) => scoreOf(workspaceOf(input, context))),
  history: os.score.history.handler(({ input, context }) =>
    historyView(workspaceOf(input, context).ledger.state),
  ),
  histories: os.score.histories.handler(({ input, context }) =>
    workspacePage(context.host.workspaces.all(), input).map(({ id, ledger }) => ({
      workspace: id,
      ...historyView(ledger.state),
    })),
  ),
  importHistory: os.score.importHistory.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const { score, progress } = runtime.ledger.state
    if (score.history.length > 0 || progress.cycleCount > 0) {
      throw new RequestProblem(
        'conflict',
        `${runtime.name} already has a history: another one can be imported only before the first heartbeat.`,
      )
    }
    await runtime.ledger.append({ type: 'history-imported', history: input.history })
    context.host.workspaces.changed(runtime)
    return historyView(runtime.ledger.state)
  }),
  feedback: os.score.feedback.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answer = await giveFeedback(runtime, input)
    runtime.landSoon()
    context.host.workspaces.changed(runtime)
    return answer
  }),
  undoFeedback: os.score.undoFeedback.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answer = await undoFeedback(runtime, input.attemptId ?? null, context.host.clock.nowMs())
    runtime.landSoon()
    context.host.workspaces.changed(runtime)
    return answer
  }),
}

/**
 * Undoes the latest feedback, of the named attempt if there is one: only as long as the page offers it, and on the day on which it counted.
 */
async function undoFeedback(
  { ledger, zone }: WorkspaceRuntime,
  attemptId: string | null,
  nowMs: number,
): Promise<{ delta: number; score: number }> {
  const { lastThumb } = ledger.state
  const isThere =
    lastThumb !== undefined &&
    (attemptId === null || lastThumb.attemptId === attemptId) &&
    nowMs - Date.parse(lastThumb.at) <= (UNDO_SECONDS + GRACE_SECONDS) * 1000 &&
    lastThumb.day === localDay(nowMs, zone())
  if (!isThere) throw new RequestProblem('conflict', 'There is no thumb of the last minute to take back.')
  const { feedback, points, previous, taskId, noteId } = lastThumb
  await ledger.append({
    type: 'feedback-undone',
    attemptId: lastThumb.attemptId,
    taskId,
    feedback,
    points,
    previous,
    noteId,
  })
  return { delta: -points, score: ledger.state.score.today.score }
}

/**
 * Records feedback: for the named attempt, or for the day as a whole. Every press counts; the page prevents pressing the same one twice.
 */
async function giveFeedback(
  runtime: WorkspaceRuntime,
  feedback: { readonly feedback: Thumb; readonly attemptId?: string; readonly note?: string },
): Promise<{ delta: number; score: number }> {
  const { ledger } = runtime
  const { attemptId, note = '' } = feedback
  const attempt = attemptId === undefined ? null : await ledger.attempt(attemptId)
  if (attemptId !== undefined && attempt === null) throw noAttempt(runtime, attemptId)
  const { rules } = ledger.state
  const points = feedback.feedback === 'up' ? rules.thumbsUp : rules.thumbsDown
  await ledger.append({
    type: 'feedback-given',
    attemptId: attemptId ?? null,
    taskId: attempt?.taskId ?? null,
    feedback: feedback.feedback,
    note: note.trim() === '' ? null : note.trim(),
    points,
  })
  return { delta: points, score: ledger.state.score.today.score }
}
