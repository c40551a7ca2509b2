import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import { NO_PROGRESS } from '../cycle/progress.ts'
import { changeRules, initialScore, rollOver } from '../scoring/ratchet.ts'
import { assertNever } from './assert-never.ts'
import type { EventOf, RecordedEvent } from './events.ts'
import {
  finishAttempt,
  giveThumb,
  overruleAttempt,
  startAttempt,
  takeThumbBack,
  undoAttempt,
} from './fold-attempts.ts'
import { endBudgetPause, endPause, pause } from './fold-budget.ts'
import { finishCycle, missHeartbeats, readContract, skipHeartbeat, startCycle } from './fold-cycles.ts'
import { backOff, recoverEnvironment } from './fold-environment.ts'
import {
  changeBreaker,
  dropFeedbackAfterOverrule,
  dropGeneralFeedback,
  liftSuspension,
  NO_TOTALS,
  recordAttemptInterventions,
  recordIntervention,
  resetInterventions,
  restoreInterventions,
  suspend,
} from './fold-interventions.ts'
import { addNote, deliverNotes, takeNotesBack } from './fold-notes.ts'
import {
  dropAnsweredNotices,
  dropConfigurationNotices,
  dropNotices,
  noticeDiagnostic,
  noticeIntervention,
} from './fold-notices.ts'
import { answerProposal, makeProposal, noteApproval, noteEdit } from './fold-proposals.ts'
import { answerHeld, undoHeldAnswer } from './fold-review.ts'
import {
  forgetContractFaults,
  forgetUndone,
  noteSweep,
  unblockTask,
  undoUnblock,
} from './fold-task-history.ts'
import { countAttempt, NO_ATTEMPTS } from './fold-totals.ts'
import type { WorkspaceState } from './state.ts'

/** The state of an empty ledger. The score's day is empty until the first event brings one. */
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
    budgetReached: null,
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
  }
}

/** The state after all these events, in order. Equal ledgers give equal states. */
export function fold(events: Iterable<RecordedEvent>): WorkspaceState {
  let state = initialState()
  for (const event of events) state = applyEvent(state, event)
  return state
}

/**
 * The state after one more event. Pure: the input stays as it is. Total: an event that fits nothing (an attempt never
 * started, an unknown task) changes what it can and nothing else. The local day rolls over before the event counts; a day before that of the last event is taken as that day.
 */
export function applyEvent(state: WorkspaceState, event: RecordedEvent): WorkspaceState {
  const current = enterDay(state, event.day)
  return applyBody({ ...current, seq: event.seq, at: event.at }, event)
}

function enterDay(state: WorkspaceState, day: string): WorkspaceState {
  if (state.day === null) return { ...state, day, score: initialScore(day, state.rules) }
  if (day <= state.day) return state
  return { ...endBudgetPause(state), day, score: rollOver(state.score, day, state.rules) }
}

function applyBody(state: WorkspaceState, event: RecordedEvent): WorkspaceState {
  switch (event.type) {
    case 'supervisor-started':
    case 'supervisor-stopped':
    case 'day-rolled':
    case 'base-moved':
    case 'supervision-ended':
      return state
    case 'record-accepted':
      return dropNotices(state, ({ code }) => code === 'record-broken')
    case 'contract-edited':
      return noteEdit(state, event)
    case 'proposal-made':
      return makeProposal(state, event)
    case 'proposal-answered':
      return dropAnsweredNotices(answerProposal(state, event))
    case 'standing-changed':
      return { ...state, standing: event.to }
    case 'heartbeats-missed':
      return missHeartbeats(state, event)
    case 'heartbeat-skipped':
      return skipHeartbeat(state, event)
    case 'contract-read':
      return readContract(state, event)
    case 'cycle-started':
      return startCycle(state, event)
    case 'attempt-started':
      return deliverNotes(startAttempt(state, event), event)
    case 'attempt-finished':
      return finishWholeAttempt(state, event)
    case 'cycle-finished':
      return dropGeneralFeedback(finishCycle(state, event), event.cycle)
    case 'feedback-given':
      return addNote(giveThumb(state, event), event, {
        text: event.note,
        taskId: event.taskId ?? null,
        from: 'thumb',
      })
    case 'feedback-undone':
      return takeThumbBack(state, event)
    case 'operator-noted':
      return addNote(state, event, { text: event.text, taskId: event.taskId, from: 'note' })
    case 'verdict-overruled':
      return addNote(dropFeedbackAfterOverrule(overruleAttempt(state, event), event), event, {
        text: event.reason,
        taskId: event.taskId,
        from: 'overrule',
      })
    case 'review-answered':
      return sayRefusal(answerHeld(state, event), event)
    case 'review-undone':
      return undoHeldAnswer(state, event)
    case 'attempt-undone':
      return addNote(forgetUndone(undoAttempt(state, event), event), event, {
        text: event.reason,
        taskId: event.taskId,
        from: 'note',
      })
    case 'paused':
      return pause(state, event)
    case 'resumed':
      return endPause(state)
    case 'backed-off':
      return backOff(state, event)
    case 'environment-recovered':
      return recoverEnvironment(state)
    case 'diagnostic-raised':
      return noticeDiagnostic(state, event)
    case 'intervention-raised':
      return recordIntervention(noticeIntervention(state, event.intervention, event.taskId, event.at), event)
    case 'configuration-approved':
      return noteApproval(
        endBudgetPause(dropConfigurationNotices(forgetContractFaults(state, () => true))),
        event,
      )
    case 'scoring-changed':
      return { ...state, rules: event.rules, score: changeRules(state.score, state.rules, event.rules) }
    case 'task-unblocked':
      return addNote(unblockTask(state, event), event, {
        text: ownWords(state, event),
        taskId: event.taskId,
        from: 'unblock',
      })
    case 'unblock-undone':
      return undoUnblock(state, event)
    case 'blocked-swept':
      return noteSweep(state, event)
    case 'breaker-changed':
      return changeBreaker(state, event)
    case 'suspended':
      return suspend(state, event)
    case 'suspension-lifted':
      return liftSuspension(state)
    case 'interventions-reset':
      return resetInterventions(state, event)
    case 'interventions-restored':
      return restoreInterventions(state)
    default:
      return assertNever(event)
  }
}

function finishWholeAttempt(state: WorkspaceState, event: EventOf<'attempt-finished'>): WorkspaceState {
  const finished = recordAttemptInterventions(finishAttempt(state, event), event)
  return takeNotesBack(countAttempt(finished, event.result), event.result)
}

/** What the operator gave as reason; null where it is what we put there. */
function ownWords(
  { progress }: WorkspaceState,
  { taskId, by, reason }: EventOf<'task-unblocked'>,
): string | null {
  if (!Object.hasOwn(progress.tasks, taskId)) return null
  return by === 'auto' || /^(?:Unblocked by the operator|As suggested: )/.test(reason) ? null : reason
}

function sayRefusal(state: WorkspaceState, event: EventOf<'review-answered'>): WorkspaceState {
  if (event.answer !== 'refuse') return state
  return addNote(state, event, { text: event.reason, taskId: event.taskId, from: 'refusal' })
}
