import { answerReview, recordAttempt, replaceVerdict } from '../cycle/progress.ts'
import { recordFeedback, recordOverrule, recordVerdict } from '../scoring/record.ts'
import type { ScoreState } from '../scoring/types.ts'
import { overruledInWords, resultInWords, shorten, summarizeAttempt } from './attempt-summary.ts'
import type { AttemptResult, EventOf } from './events.ts'
import { recoverEnvironment } from './fold-environment.ts'
import { dropNotices, noticeIntervention } from './fold-notices.ts'
import { changeAttempt, holdWork, isUnanswered, letGoOfHeld } from './fold-review.ts'
import { isLatestJudged, overruleInHistory, rememberAttempt, settleUnblock } from './fold-task-history.ts'
import type { WorkspaceState } from './state.ts'

const KEPT_ATTEMPTS = 500

export function startAttempt(before: WorkspaceState, event: EventOf<'attempt-started'>): WorkspaceState {
  const state = settleUnblock(before, event.taskId)
  if (state.running === null) return state
  const { attemptId, taskId, timeoutSeconds, boot, oomKills } = event
  const attempt = {
    attemptId,
    taskId,
    startedAt: event.at,
    timeoutSeconds,
    ...(boot != null && { boot }),
    ...(oomKills != null && { oomKills }),
  }
  const { attempt: running, others = [] } = state.running
  const beside = event.isolated === true && running !== null ? [running, ...others] : others
  return { ...state, running: { ...state.running, attempt, ...(beside.length > 0 && { others: beside }) } }
}

/** Applies a finished attempt: progress, score, the list of attempts, and notices that earlier ones caused. */
export function finishAttempt(state: WorkspaceState, event: EventOf<'attempt-finished'>): WorkspaceState {
  const { result } = event
  const finished: WorkspaceState = {
    ...state,
    score: scoreAfter(state.score, result),
    progress: recordAttempt(state.progress, result.taskId, {
      verdict: countedVerdict(result),
      skipped: result.skipped,
      at: event.at,
      result: resultInWords(result),
    }),
    running: runningAfter(state.running, result.attemptId),
    attempts: [summarizeAttempt(event, state.day ?? event.day), ...state.attempts].slice(0, KEPT_ATTEMPTS),
    heldBeforeRuns: heldBeforeRunsAfter(state, result),
  }
  return holdWork(noticesAfter(rememberAttempt(finished, event), event), event)
}

/**
 * Returns the verdict that counts for the task. An unclear attempt that is not the agent's fault leaves the task unchanged and uses up no
 * attempt, unless its limit ended it.
 */
function countedVerdict({ verdict, fault, held }: AttemptResult): AttemptResult['verdict'] {
  const isAgents = held === null && (fault === 'agent' || fault === 'limit')
  return verdict === 'unclear' && !isAgents ? null : verdict
}

function scoreAfter(score: ScoreState, result: AttemptResult): ScoreState {
  // Held work has no verdict yet: it counts on the day of its attempt once it is answered.
  if (result.verdict === null || result.held !== null) return score
  const { verdict, points, groundTruthContradiction } = result
  return recordVerdict(score, { verdict, points, contradiction: groundTruthContradiction })
}

function runningAfter(running: WorkspaceState['running'], attemptId: string): WorkspaceState['running'] {
  if (running === null) return null
  const { others = [], ...rest } = running
  const beside = others.filter((other) => other.attemptId !== attemptId)
  const [next = null, ...left] =
    running.attempt?.attemptId === attemptId ? beside : [running.attempt, ...beside]
  return { ...rest, attempt: next, ...(left.length > 0 && { others: left.flatMap((each) => each ?? []) }) }
}

function heldBeforeRunsAfter(
  state: Pick<WorkspaceState, 'heldBeforeRuns' | 'contract' | 'rules'>,
  result: AttemptResult,
): WorkspaceState['heldBeforeRuns'] {
  const { taskId } = result
  const runs = state.heldBeforeRuns
  // Work verified without a measurement earned no points and has no check that could be hollow.
  const isMeasured = result.points !== 0 || result.comparisons.some(({ isHint }) => isHint === true)
  const isVerified = result.verdict === 'verified' && isMeasured
  const isUnchanged = result.filesChangedCount === 0 || earnedNothing(state, result)
  const isHollow = result.heldBefore && isVerified && isUnchanged
  if (isHollow) {
    const before = Object.hasOwn(runs, taskId) ? (runs[taskId] ?? 0) : 0
    return { ...runs, [taskId]: before + 1 }
  }
  return Object.fromEntries(Object.entries(runs).filter(([id]) => id !== taskId))
}

/**
 * Returns whether a verified attempt earned no points because what it changed was no work: white space, or only contract and configuration.
 * Unaccepted tasks earn none either, and neither does anything if the operator scores it with 0.
 */
function earnedNothing(
  { contract, rules }: Pick<WorkspaceState, 'contract' | 'rules'>,
  { taskId, points, required }: AttemptResult,
): boolean {
  const isProposed = contract?.tasks.find(({ id }) => id === taskId)?.proposed === true
  return points === 0 && !isProposed && (required ? rules.verifiedRequired : rules.verifiedOptional) !== 0
}

function noticesAfter(state: WorkspaceState, event: EventOf<'attempt-finished'>): WorkspaceState {
  const { result } = event
  const recovered = result.fault === 'environment' ? state : recoverEnvironment(state)
  const current = dropNotices(recovered, (notice) => isOverAfter(notice, state, result))
  return result.interventions.reduce(
    (next, intervention) => noticeIntervention(next, intervention, result.taskId, event.at),
    current,
  )
}

/**
 * Returns whether this verified attempt ends a notice: it shows that the gates ran, and a check that has stopped succeeding without doing
 * anything is not hollow.
 */
function isOverAfter(
  notice: WorkspaceState['notices'][number],
  state: WorkspaceState,
  result: AttemptResult,
): boolean {
  if (notice.code === 'gate-unavailable') return result.verdict === 'verified'
  return (
    notice.code === 'hollow-hint' &&
    notice.taskId === result.taskId &&
    !Object.hasOwn(state.heldBeforeRuns, result.taskId)
  )
}

/** Counts a thumb today and shows it, with its note, at its attempt; the latest one wins. */
export function giveThumb(state: WorkspaceState, event: EventOf<'feedback-given'>): WorkspaceState {
  const { attemptId, feedback, note } = event
  const score = recordFeedback(state.score, event)
  const lastThumb = {
    at: event.at,
    day: event.day,
    attemptId,
    taskId: event.taskId ?? null,
    feedback,
    points: event.points,
    previous: state.attempts.find((attempt) => attempt.attemptId === attemptId)?.feedback ?? null,
    noteId: String(event.seq),
  }
  return changeAttempt({ ...state, score, lastThumb }, attemptId, (previous) => ({
    ...previous,
    feedback,
    feedbackNote: note === null ? null : shorten(note),
  }))
}

/** Undoes the latest thumb: today's points and count, what the attempt shows, and its note if no prompt contained it yet. */
export function takeThumbBack(state: WorkspaceState, event: EventOf<'feedback-undone'>): WorkspaceState {
  const { lastThumb: undone, ...rest } = state
  if (undone?.noteId !== event.noteId) return state
  const taken: WorkspaceState = {
    ...rest,
    score: recordFeedback(state.score, { feedback: event.feedback, points: -event.points, count: -1 }),
    notes: state.notes.filter(({ id, deliveredIn }) => id !== event.noteId || deliveredIn !== null),
  }
  return changeAttempt(taken, event.attemptId, (attempt) => ({
    ...attempt,
    feedback: event.previous,
    feedbackNote: null,
  }))
}

/**
 * Replaces the verdict that counted with the operator's: in the score of the attempt's day, at the attempt (the verifier's own
 * stays visible there), and, if no later attempt of the task was judged, in the task's status.
 */
export function overruleAttempt(state: WorkspaceState, event: EventOf<'verdict-overruled'>): WorkspaceState {
  const attempt = state.attempts.find(({ attemptId }) => attemptId === event.attemptId)
  const again = attempt !== undefined && attempt.overruled !== null
  const score = recordOverrule(state.score, { ...event, again }, state.rules)
  const isLatest = isLatestJudged(state, event.taskId, event.attemptId)
  const progress = isLatest ? progressAfterOverrule(state, event) : state.progress
  const judged = overruleInHistory({ ...state, score, progress }, event, isLatest)
  const overruled = letGoOfHeld(judged, event.attemptId)
  return changeAttempt(overruled, event.attemptId, (previous) => ({
    ...previous,
    verdict: event.to,
    groundTruthContradiction: false,
    fault: event.to === 'verified' ? null : previous.fault,
    points: previous.points + event.pointsDelta,
    overruled: {
      // The verdict of held work was `unclear`, although it took nothing from the counts.
      from: previous.overruled === null ? (event.from ?? previous.verdict) : previous.overruled.from,
      points: previous.overruled === null ? previous.points : previous.overruled.points,
      reason: event.reason,
      at: event.at,
    },
  }))
}

/** Held work has used up no attempt; overruled to not verified it does, as with a review. */
function progressAfterOverrule(
  state: WorkspaceState,
  event: EventOf<'verdict-overruled'>,
): WorkspaceState['progress'] {
  const { taskId, from, to } = event
  const isHeld = from === null && isUnanswered(state, event.attemptId)
  const words = overruledInWords(event)
  return isHeld && to !== 'unclear'
    ? answerReview(state.progress, taskId, to, words)
    : replaceVerdict(state.progress, taskId, to, words)
}

/** Marks the attempts of a run whose changes the operator has restored, or removes the mark. */
export function undoAttempt(state: WorkspaceState, event: EventOf<'attempt-undone'>): WorkspaceState {
  const meant = new Set(event.attemptIds)
  const attempts = state.attempts.map((attempt) => {
    if (!meant.has(attempt.attemptId)) return attempt
    const { undone: _undone, ...standing } = attempt
    return event.again ? standing : { ...standing, undone: { at: event.at, files: event.count } }
  })
  return { ...state, attempts }
}
