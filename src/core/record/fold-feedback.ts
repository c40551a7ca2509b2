import { feedbackForAttempt } from '../intervention/attempt-feedback.ts'
import { addFeedback, addMessage } from '../intervention/feedback.ts'
import type { RaisedIntervention } from '../intervention/types.ts'
import type { InterventionType } from '../vocabulary/intervention.ts'
import type { AttemptResult, EventOf } from './events.ts'
import type { WorkspaceState } from './state.ts'

/** Drops the feedback of earlier attempts at a task, because the operator overruled to verified. */
export function dropFeedbackAfterOverrule(
  state: WorkspaceState,
  event: EventOf<'verdict-overruled'>,
): WorkspaceState {
  return event.to === 'verified' ? dropFeedback(state, event.taskId) : state
}

/** Drops the feedback about held work that the operator accepted, including that of earlier attempts at the task. */
export function dropFeedbackOnReview(
  state: WorkspaceState,
  { answer, attemptId, taskId }: EventOf<'review-answered'>,
): WorkspaceState {
  if (answer !== 'accept') return state
  const cycle = state.attempts.find((one) => one.attemptId === attemptId)?.cycle
  const feedback = state.feedback.filter(
    (message) => message.taskId !== taskId || message.iteration !== cycle,
  )
  return dropFeedback({ ...state, feedback }, taskId)
}

/** Drops feedback without a task that was raised before `cycle`: every prompt of a whole cycle has included it. */
export function dropGeneralFeedback(state: WorkspaceState, cycle: number): WorkspaceState {
  const isOver = ({ taskId, iteration }: WorkspaceState['feedback'][number]) =>
    taskId === null && iteration < cycle
  return state.feedback.some(isOver)
    ? { ...state, feedback: state.feedback.filter((message) => !isOver(message)) }
    : state
}

/** Adds a finished attempt's feedback: from its interventions or, if they have none, from its verdict. */
export function sayFeedback(
  state: WorkspaceState,
  result: AttemptResult,
  raised: readonly RaisedIntervention[],
  { at, iteration, taskId }: { readonly at: string; readonly iteration: number; readonly taskId: string },
): WorkspaceState {
  const isVerified = result.verdict === 'verified'
  // After a verified attempt, only what outlives it is included.
  const toSay = isVerified ? raised.filter(({ event_type: type }) => OUTLIVING.has(type)) : raised
  const added = addFeedback(state.feedback, toSay, { at, iteration, taskId })
  const told = isVerified ? markOutlived(added, state.feedback) : added
  const isSaid = toSay.some((intervention) => saysVerdict(intervention, result))
  const text = isSaid ? null : feedbackForAttempt(result, iteration, taskId)
  if (text === null) return withFeedback(state, told)
  const severity = result.fault === 'limit' ? 'info' : 'warning'
  return withFeedback(state, addMessage(told, { at, iteration, taskId, severity, text }))
}

/**
 * Returns whether the feedback about an intervention also says why the attempt was not verified. Wrong evidence does only if it is what
 * decided; weakened tests are another matter.
 */
function saysVerdict(
  { event_type: type, details }: RaisedIntervention,
  { verdict, groundTruthContradiction }: AttemptResult,
): boolean {
  switch (type) {
    case 'false_completion_detected':
    case 'claim_refuted':
      return true
    case 'no_files_detected':
      return verdict === 'not_verified'
    case 'evidence_validation_failed':
      return groundTruthContradiction || details.uncommitted_changes === true
    default:
      return false
  }
}

/** Damage to tests and to the contract is reported even if the task was verified. */
const OUTLIVING: ReadonlySet<InterventionType> = new Set(['protected_files_changed', 'contract_weakened'])

export function withFeedback(state: WorkspaceState, feedback: WorkspaceState['feedback']): WorkspaceState {
  return feedback === state.feedback ? state : { ...state, feedback }
}

/** Marks new messages about a verified attempt: they go into one more prompt, and then `dropFeedback` removes them. */
function markOutlived(
  messages: WorkspaceState['feedback'],
  before: WorkspaceState['feedback'],
): WorkspaceState['feedback'] {
  if (messages === before) return messages
  return messages.map((message) =>
    before.includes(message) || message.taskId === null ? message : { ...message, outlived: true as const },
  )
}

/** Drops a task's messages, because it is verified. Those that outlive a verified attempt are marked, and dropped the next time. */
export function dropFeedback(state: WorkspaceState, taskId: string): WorkspaceState {
  if (!state.feedback.some((message) => message.taskId === taskId)) return state
  const feedback = state.feedback.flatMap((message): WorkspaceState['feedback'] => {
    if (message.taskId !== taskId) return [message]
    const { type, outlived } = message
    return type === undefined || outlived || !OUTLIVING.has(type) ? [] : [{ ...message, outlived: true }]
  })
  return { ...state, feedback }
}
