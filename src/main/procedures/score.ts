import { historyView } from '../../core/read-model/score.ts'
import type { Thumb } from '../../core/vocabulary/task.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { scoreOf } from '../host/workspace-views.ts'
import { os, workspaceOf } from './implementer.ts'
import { noAttempt } from './no-attempt.ts'

export const score = {
  get: os.score.get.handler(({ input, context }) => scoreOf(workspaceOf(input, context))),
  history: os.score.history.handler(({ input, context }) =>
    historyView(workspaceOf(input, context).ledger.state),
  ),
  histories: os.score.histories.handler(({ context }) =>
    context.host.workspaces.all().map(({ id, ledger }) => ({ workspace: id, ...historyView(ledger.state) })),
  ),
  feedback: os.score.feedback.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answer = await giveFeedback(runtime, input)
    context.host.workspaces.changed(runtime)
    return answer
  }),
}

/** Records a thumb: for the attempt named, or for the day as a whole. Every thumb counts; the page keeps one from pressing the same twice. */
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
