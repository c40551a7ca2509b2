import { answerReview, waitForReview } from '../cycle/progress.ts'
import { withoutRigged, withRigged } from '../intervention/profile.ts'
import type { AgentProfile } from '../intervention/types.ts'
import { recordOverrule } from '../scoring/record.ts'
import { reviewInWords } from './attempt-summary.ts'
import type { EventOf } from './events.ts'
import { takeReasonBack } from './fold-notes.ts'
import { reviewInHistory } from './fold-task-history.ts'
import type { AttemptSummary, HeldWork, WorkspaceState } from './state.ts'

/** Maximum number of held items: more than anyone answers, and a limit on what an agent can leave. */
const KEPT_HELD = 200

/** Adds work to what is held for review, and makes its task wait. */
export function holdWork(state: WorkspaceState, event: EventOf<'attempt-finished'>): WorkspaceState {
  const { held, attemptId, taskId, required } = event.result
  if (held === null) return state
  const { because, files, with: earlier } = held
  const day = state.day ?? event.day
  const waiting: HeldWork = { attemptId, taskId, because, files, with: earlier, at: event.at, day, required }
  return {
    ...state,
    progress: waitForReview(state.progress, taskId),
    held: [...state.held.filter((one) => one.attemptId !== attemptId), waiting].slice(-KEPT_HELD),
  }
}

/**
 * Returns whether an attempt is held for review and counts nowhere yet. If its task has left the contract, it no longer waits but is still
 * unanswered.
 */
export function isUnanswered({ held, attempts }: WorkspaceState, attemptId: string): boolean {
  const attempt = attempts.find((one) => one.attemptId === attemptId)
  if (attempt?.review == null || attempt.review.answer !== null) return false
  return attempt.overruled === null || held.some((one) => one.attemptId === attemptId)
}

/** Removes work from what is held. */
export function letGoOfHeld(state: WorkspaceState, attemptId: string): WorkspaceState {
  const held = state.held.filter((one) => one.attemptId !== attemptId)
  return held.length === state.held.length ? state : { ...state, held }
}

/** Counts the operator's answer to held work on the day of its attempt, and lets its task continue. */
export function answerHeld(state: WorkspaceState, event: EventOf<'review-answered'>): WorkspaceState {
  const { attemptId, taskId, attemptDay, answer, rigged, points } = event
  if (!state.held.some((one) => one.attemptId === attemptId)) return state
  const verdict = answer === 'accept' ? 'verified' : 'not_verified'
  const change = { from: null, fromContradiction: false, to: verdict, toContradiction: rigged } as const
  const score = recordOverrule(
    state.score,
    { attemptDay, ...change, pointsDelta: points, again: true },
    state.rules,
  )
  const progress = answerReview(state.progress, taskId, verdict, reviewInWords(event))
  const wasSeen = state.attempts.find((one) => one.attemptId === attemptId)?.riggedSeen
  const counted = rigged
    ? changeProfile(state, event.agentId, (profile) => withRigged(profile, attemptId, wasSeen))
    : state
  const fault = answer === 'accept' ? null : 'agent'
  const answered = reviewInHistory({ ...counted, score, progress }, event, { verdict, fault })
  return changeAttempt(letGoOfHeld(answered, attemptId), attemptId, (attempt) => ({
    ...attempt,
    verdict,
    groundTruthContradiction: rigged,
    fault,
    points,
    review: attempt.review === null ? null : { ...attempt.review, answer: { answer, rigged, at: event.at } },
  }))
}

/** Undoes an answer: the work waits again, and nothing of the answer counts. */
export function undoHeldAnswer(state: WorkspaceState, event: EventOf<'review-undone'>): WorkspaceState {
  const { attemptId, taskId, attemptDay, from, fromContradiction, points } = event
  const attempt = state.attempts.find((one) => one.attemptId === attemptId)
  if (attempt?.review == null || attempt.review.answer === null) return state
  const change = { from, fromContradiction, to: null } as const
  const score = recordOverrule(
    state.score,
    { attemptDay, ...change, pointsDelta: -points, again: true },
    state.rules,
  )
  const { because, files, with: earlier } = attempt.review
  const { day, startedAt: at, required } = attempt
  const waiting: HeldWork = { attemptId, taskId, because, files, with: earlier, at, day, required }
  const progress = withoutAttempt(waitForReview(state.progress, taskId), taskId, from === 'not_verified')
  // A later overruling doesn't matter, only whether the breaker still counts it.
  const counted = changeProfile(state, event.agentId, (profile) => withoutRigged(profile, attemptId))
  const unsaid = takeReasonBack(counted, { from: 'refusal', taskId, at: attempt.review.answer.at })
  const asHeld = { verdict: 'unclear', fault: null } as const
  const judged = reviewInHistory({ ...unsaid, score, progress }, event, asHeld)
  return changeAttempt({ ...judged, held: [...state.held, waiting] }, attemptId, (one) => ({
    ...one,
    verdict: 'unclear',
    groundTruthContradiction: false,
    fault: null,
    points: 0,
    review: one.review === null ? null : { ...one.review, answer: null },
    ...(counted !== state && {
      riggedSeen: seenRefuted(counted, event.agentId) < seenRefuted(state, event.agentId),
    }),
  }))
}

/** Updates the profile of the agent, whose circuit breaker counts rigged work as a contradiction. */
function changeProfile(
  state: WorkspaceState,
  agentId: string | undefined,
  change: (profile: AgentProfile) => AgentProfile,
): WorkspaceState {
  const profile = profileOf(state, agentId)
  const changed = profile === undefined ? profile : change(profile)
  return agentId === undefined || changed === undefined || changed === profile
    ? state
    : { ...state, profiles: { ...state.profiles, [agentId]: changed } }
}

function seenRefuted(state: WorkspaceState, agentId: string | undefined): number {
  return profileOf(state, agentId)?.breaker.seen.falseCompletions ?? 0
}

function profileOf({ profiles }: WorkspaceState, agentId: string | undefined): AgentProfile | undefined {
  return agentId !== undefined && Object.hasOwn(profiles, agentId) ? profiles[agentId] : undefined
}

function withoutAttempt(
  progress: WorkspaceState['progress'],
  taskId: string,
  counted: boolean,
): WorkspaceState['progress'] {
  const task = Object.hasOwn(progress.tasks, taskId) ? progress.tasks[taskId] : undefined
  if (!counted || task === undefined) return progress
  const attempts = Math.max(0, task.attempts - 1)
  return { ...progress, tasks: { ...progress.tasks, [taskId]: { ...task, attempts } } }
}

/** Returns the state with one attempt changed; unchanged if it is not there. */
export function changeAttempt(
  state: WorkspaceState,
  attemptId: string | null,
  change: (attempt: AttemptSummary) => AttemptSummary,
): WorkspaceState {
  return {
    ...state,
    attempts: state.attempts.map((attempt) => (attempt.attemptId === attemptId ? change(attempt) : attempt)),
  }
}
