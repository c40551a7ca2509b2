import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import { NO_PROGRESS } from '../cycle/progress.ts'
import { changeRules, initialScore, rollOver } from '../scoring/ratchet.ts'
import type { NoteOrigin } from '../vocabulary/note.ts'
import type { EventEnvelope, EventOf, EventType, RecordedEvent } from './events.ts'
import {
  finishAttempt,
  giveThumb,
  overruleAttempt,
  startAttempt,
  takeThumbBack,
  undoAttempt,
} from './fold-attempts.ts'
import { changeBreaker, liftSuspension, suspend } from './fold-breaker.ts'
import { endBudgetPause, endPause, nearLimit, pause } from './fold-budget.ts'
import { finishCycle, missHeartbeats, readContract, skipHeartbeat, startCycle } from './fold-cycles.ts'
import { backOff, recoverEnvironment } from './fold-environment.ts'
import { dropFeedbackAfterOverrule, dropFeedbackOnReview, dropGeneralFeedback } from './fold-feedback.ts'
import { importHistory } from './fold-import.ts'
import {
  NO_TOTALS,
  recordAttemptInterventions,
  recordIntervention,
  resetInterventions,
  restoreInterventions,
} from './fold-interventions.ts'
import { moveLanding } from './fold-landing.ts'
import { addNote, deliverNotes, takeNotesBack } from './fold-notes.ts'
import {
  dropAnsweredNotices,
  dropConfigurationNotices,
  dropNotices,
  noticeDiagnostic,
  noticeIntervention,
} from './fold-notices.ts'
import { answerProposal, makeProposal, noteApproval, noteEdit, undoProposalAnswer } from './fold-proposals.ts'
import { answerHeld, undoHeldAnswer } from './fold-review.ts'
import { judgeTurn, nameSessionTask, noteSilence, seeSession, startSession } from './fold-sessions.ts'
import {
  forgetContractFaults,
  forgetUndone,
  noteSweep,
  unblockTask,
  undoUnblock,
} from './fold-task-history.ts'
import { countAttempt, NO_ATTEMPTS } from './fold-totals.ts'
import {
  markSeen,
  markSessionSeen,
  markUnseen,
  noteContradiction,
  noteTouch,
  noteTurn,
} from './fold-unreviewed.ts'
import type { WorkspaceState } from './state.ts'

/** Returns the state of an empty ledger. The score's day is empty until the first event. */
export function initialState(): WorkspaceState {
  return {
    seq: 0,
    at: null,
    day: null,
    score: initialScore('', DEFAULT_SCORING),
    rules: DEFAULT_SCORING,
    standing: null,
    progress: NO_PROGRESS,
    contract: null,
    custody: {},
    proposals: [],
    running: null,
    attempts: [],
    heartbeats: [],
    paused: null,
    limitsReached: null,
    backoff: null,
    heldBeforeRuns: {},
    notices: [],
    lastCycleAt: null,
    idleAt: null,
    tasks: {},
    levelSeconds: {},
    feedback: [],
    interventions: [],
    interventionTotals: NO_TOTALS,
    profiles: {},
    attemptTotals: NO_ATTEMPTS,
    days: [],
    suspended: null,
    notes: [],
    interventionArchive: null,
    held: [],
    landings: [],
    unreviewed: { waiting: [], seen: [] },
    sessions: [],
  }
}

/** Returns the state after all these events, in order. Equal ledgers give equal states. */
export function fold(events: Iterable<RecordedEvent>): WorkspaceState {
  let state = initialState()
  for (const event of events) state = applyEvent(state, event)
  return state
}

/**
 * Returns the state after one more event. Pure: the input is unchanged. Total: an event that doesn't fit (an attempt never started, an
 * unknown task) changes what it can and nothing else. The local day rolls over before the event counts; a day before that of the last event
 * counts as that day.
 */
export function applyEvent(state: WorkspaceState, event: RecordedEvent): WorkspaceState {
  const current = enterDay(state, event.day)
  // Safe: the table's type gives each function the event type it takes.
  const apply = FOLDS[event.type] as (state: WorkspaceState, event: RecordedEvent) => WorkspaceState
  return apply({ ...current, seq: event.seq, at: event.at }, event)
}

function enterDay(state: WorkspaceState, day: string): WorkspaceState {
  if (state.day === null) return { ...state, day, score: initialScore(day, state.rules) }
  if (day <= state.day) return state
  return { ...endBudgetPause(state), day, score: rollOver(state.score, day, state.rules) }
}

/** How each event changes the state. */
const FOLDS: {
  readonly [Type in EventType]: (state: WorkspaceState, event: EventOf<Type>) => WorkspaceState
} = {
  'supervisor-started': unchanged,
  'supervisor-stopped': unchanged,
  'supervision-ended': unchanged,
  'day-rolled': unchanged,
  'base-moved': unchanged,
  'record-accepted': (state) => dropNotices(state, ({ code }) => code === 'record-broken'),
  'contract-read': readContract,
  'contract-edited': noteEdit,
  'proposal-made': makeProposal,
  'proposal-answered': (state, event) => dropAnsweredNotices(answerProposal(state, event)),
  'proposal-answer-undone': undoProposalAnswer,
  'standing-changed': ({ standingShown: _before, ...state }, { to, shown }) => ({
    ...state,
    standing: to,
    ...(shown && { standingShown: shown.to }),
  }),
  'heartbeats-missed': missHeartbeats,
  'heartbeat-skipped': skipHeartbeat,
  'cycle-started': startCycle,
  'cycle-finished': (state, event) => dropGeneralFeedback(finishCycle(state, event), event.cycle),
  'attempt-started': (state, event) => deliverNotes(startAttempt(state, event), event),
  'attempt-finished': finishWholeAttempt,
  'attempt-undone': (state, event) =>
    noteReason(forgetUndone(undoAttempt(state, event), event), event, event.reason, 'note'),
  'feedback-given': (state, event) => noteReason(giveThumb(state, event), event, event.note, 'thumb'),
  'feedback-undone': takeThumbBack,
  'operator-noted': (state, event) => noteReason(state, event, event.text, 'note'),
  'verdict-overruled': (state, event) =>
    noteReason(
      dropFeedbackAfterOverrule(overruleAttempt(markSeen(state, [event.attemptId]), event), event),
      event,
      event.reason,
      'overrule',
    ),
  'review-answered': (state, event) => {
    const answered = answerHeld(markSeen(state, [event.attemptId]), event)
    return sayRefusal(dropFeedbackOnReview(answered, event), event)
  },
  'review-undone': undoHeldAnswer,
  'contradictions-seen': (state, { ids }) => markSeen(state, ids),
  'contradictions-unseen': (state, { ids }) => markUnseen(state, ids),
  'task-unblocked': (state, event) =>
    noteReason(unblockTask(state, event), event, ownWords(state, event), 'unblock'),
  'unblock-undone': undoUnblock,
  'blocked-swept': noteSweep,
  paused: pause,
  resumed: endPause,
  'asked-from-afar': unchanged,
  'answered-from-afar': unchanged,
  'limit-near': nearLimit,
  'backed-off': backOff,
  'environment-recovered': recoverEnvironment,
  'diagnostic-raised': noticeDiagnostic,
  'intervention-raised': (state, event) =>
    noteTouch(
      recordIntervention(noticeIntervention(state, event.intervention, event.taskId, event.at), event),
      event,
    ),
  'interventions-reset': resetInterventions,
  'interventions-restored': restoreInterventions,
  'breaker-changed': changeBreaker,
  suspended: suspend,
  'suspension-lifted': liftSuspension,
  'configuration-approved': (state, event) =>
    noteApproval(endBudgetPause(dropConfigurationNotices(forgetContractFaults(state, () => true))), event),
  'scoring-changed': (state, { rules }) => ({
    ...state,
    rules,
    score: changeRules(state.score, state.rules, rules),
  }),
  'history-imported': importHistory,
  'landing-changed': moveLanding,
  'session-started': startSession,
  'session-task-named': nameSessionTask,
  'turn-judged': (state, event) => noteTurn(judgeTurn(state, event), event),
  'session-silent': noteSilence,
  'hook-removed': unchanged,
  'session-seen': (state, event) => markSessionSeen(seeSession(state, event), event.sessionId),
}

function unchanged(state: WorkspaceState): WorkspaceState {
  return state
}

function finishWholeAttempt(state: WorkspaceState, event: EventOf<'attempt-finished'>): WorkspaceState {
  const finished = recordAttemptInterventions(noteContradiction(finishAttempt(state, event), event), event)
  return takeNotesBack(countAttempt(finished, event.result), event.result)
}

/** Returns the operator's reason; null if we wrote it. */
function ownWords(
  { progress }: WorkspaceState,
  { taskId, by, reason }: EventOf<'task-unblocked'>,
): string | null {
  if (!Object.hasOwn(progress.tasks, taskId)) return null
  return by === 'auto' || /^(?:Unblocked by the operator|As suggested: )/.test(reason) ? null : reason
}

function sayRefusal(state: WorkspaceState, event: EventOf<'review-answered'>): WorkspaceState {
  return event.answer === 'refuse' ? noteReason(state, event, event.reason, 'refusal') : state
}

/** Adds the operator's reason to the agent's next prompt. */
function noteReason(
  state: WorkspaceState,
  event: EventEnvelope & { readonly taskId?: string | null | undefined },
  text: string | null,
  from: NoteOrigin,
): WorkspaceState {
  return addNote(state, event, { text, taskId: event.taskId ?? null, from })
}
