import { feedbackForAttempt } from '../intervention/attempt-feedback.ts'
import { addFeedback, addMessage } from '../intervention/feedback.ts'
import type { RaisedIntervention } from '../intervention/types.ts'
import type { InterventionType } from '../vocabulary/intervention.ts'
import type { AttemptResult, EventOf } from './events.ts'
import type { WorkspaceState } from './state.ts'

/** The operator overruled to verified: what earlier attempts left to say about the task is dropped. */
export function dropFeedbackAfterOverrule(
  state: WorkspaceState,
  event: EventOf<'verdict-overruled'>,
): WorkspaceState {
  return event.to === 'verified' ? dropFeedback(state, event.taskId) : state
}

/** The operator accepted held work: nothing of it is asked to be undone, and what earlier attempts left to say about the task is dropped. */
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

/** Drops feedback about no single task that was raised before `cycle`: every prompt of a whole cycle has had it. */
export function dropGeneralFeedback(state: WorkspaceState, cycle: number): WorkspaceState {
  const isOver = ({ taskId, iteration }: WorkspaceState['feedback'][number]) =>
    taskId === null && iteration < cycle
  return state.feedback.some(isOver)
    ? { ...state, feedback: state.feedback.filter((message) => !isOver(message)) }
    : state
}

/** Adds the feedback of a finished attempt: what its interventions say, or, where they say nothing, what its verdict says. */
export function sayFeedback(
  state: WorkspaceState,
  result: AttemptResult,
  raised: readonly RaisedIntervention[],
  { at, iteration, taskId }: { readonly at: string; readonly iteration: number; readonly taskId: string },
): WorkspaceState {
  const isVerified = result.verdict === 'verified'
  // After a verified attempt only what outlives it is said.
  const toSay = isVerified ? raised.filter(({ event_type: type }) => OUTLIVING.has(type)) : raised
  const added = addFeedback(state.feedback, toSay, { at, iteration, taskId })
  const told = isVerified ? markOutlived(added, state.feedback) : added
  const isAbout = told.some((message) => message.taskId === taskId && message.iteration === iteration)
  const text = isAbout ? null : feedbackForAttempt(result, iteration, taskId)
  if (text === null) return withFeedback(state, told)
  const severity = result.fault === 'limit' ? 'info' : 'warning'
  return withFeedback(state, addMessage(told, { at, iteration, taskId, severity, text }))
}

/** Harm to tests and to the contract is told even where the task was verified. */
const OUTLIVING: ReadonlySet<InterventionType> = new Set(['protected_files_changed', 'contract_weakened'])

export function withFeedback(state: WorkspaceState, feedback: WorkspaceState['feedback']): WorkspaceState {
  return feedback === state.feedback ? state : { ...state, feedback }
}

/** New messages about a verified attempt are marked: they go into one more prompt, and `dropFeedback` then takes them out. */
function markOutlived(
  messages: WorkspaceState['feedback'],
  before: WorkspaceState['feedback'],
): WorkspaceState['feedback'] {
  if (messages === before) return messages
  return messages.map((message) =>
    before.includes(message) || message.taskId === null ? message : { ...message, outlived: true as const },
  )
}

/** The task is verified: drops its messages. Those that outlive a verified attempt are marked, and go the next time. */
export function dropFeedback(state: WorkspaceState, taskId: string): WorkspaceState {
  if (!state.feedback.some((message) => message.taskId === taskId)) return state
  const feedback = state.feedback.flatMap((message): WorkspaceState['feedback'] => {
    if (message.taskId !== taskId) return [message]
    const { type, outlived } = message
    return type === undefined || outlived || !OUTLIVING.has(type) ? [] : [{ ...message, outlived: true }]
  })
  return { ...state, feedback }
}
