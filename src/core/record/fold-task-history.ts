import { addUsage } from '../activity/usage.ts'
import { isBlocked, reopenTask, stopWaiting } from '../cycle/progress.ts'
import type { TaskProgress } from '../cycle/types.ts'
import { shorten } from './attempt-summary.ts'
import type { AttemptResult, EventOf } from './events.ts'
import { foundationAfter, foundationJudged } from './fold-foundation.ts'
import { takeReasonBack } from './fold-notes.ts'
import type { TaskHistory, WorkspaceState } from './state.ts'
import type { TaskAttempt, TaskUnblock } from './task-entry.ts'

const KEPT_ENTRIES = 30
const KEPT_TASK_SECONDS = 50
const KEPT_LEVEL_SECONDS = 100

const NO_HISTORY: TaskHistory = {
  entries: [],
  timeouts: 0,
  completedSeconds: [],
  unblockSeconds: null,
  autoUnblocks: 0,
  swept: null,
  unblocked: null,
  usage: null,
}

/** Returns what is remembered about a task, or an empty history. Ids come from a file, so one may be `constructor`. */
export function taskHistory(state: Pick<WorkspaceState, 'tasks'>, taskId: string): TaskHistory {
  return (Object.hasOwn(state.tasks, taskId) ? state.tasks[taskId] : undefined) ?? NO_HISTORY
}

/** Adds a finished attempt to the history of its task and, if it completed, to the durations of its kind of work. */
export function rememberAttempt(state: WorkspaceState, event: EventOf<'attempt-finished'>): WorkspaceState {
  const { result } = event
  const isCompleted = result.outcome === 'completed' && !wasStopped(result)
  const timedOut = result.outcome === 'timeout' && !wasStopped(result)
  const seconds = result.durationMs / 1000 / result.tasksInRun
  const remembered = changeHistory(state, result.taskId, (history) => ({
    ...addEntry(history, attemptEntry(event)),
    timeouts: history.timeouts + (timedOut ? 1 : 0),
    completedSeconds: isCompleted
      ? [seconds, ...history.completedSeconds].slice(0, KEPT_TASK_SECONDS)
      : history.completedSeconds,
    unblockSeconds: wasStopped(result) ? history.unblockSeconds : null,
    swept: null,
    unblocked: null,
    usage: addUsage(history.usage, result.activity?.usage ?? null, 1 / result.tasksInRun),
    contractFaults: contractFaultsAfter(history, result),
    ...foundationAfter(history, state, result),
  }))
  return isCompleted ? addLevelSeconds(remembered, result.complexity, seconds) : remembered
}

function contractFaultsAfter({ contractFaults = 0 }: TaskHistory, { fault, verdict }: AttemptResult): number {
  if (fault === 'contract') return contractFaults + 1
  return verdict === null ? contractFaults : 0
}

/** Returns the number of latest attempts in a row that were stopped at their limit while at work. */
export function limitsInARow({ entries }: Pick<TaskHistory, 'entries'>): number {
  let limits = 0
  for (const entry of entries) {
    if (entry.kind === 'unblock') break
    if (entry.fault === 'limit') limits += 1
    else if (entry.verdict !== null) break
  }
  return limits
}

/** Returns the histories after the operator changed how tasks are checked: faults of the contract count from zero. */
export function forgetContractFaults(
  state: WorkspaceState,
  isChanged: (taskId: string) => boolean,
): WorkspaceState {
  const tasks = Object.entries(state.tasks)
  if (!tasks.some(([taskId, history]) => (history.contractFaults ?? 0) > 0 && isChanged(taskId))) return state
  const forgotten = tasks.map(([taskId, history]): [string, TaskHistory] => [
    taskId,
    isChanged(taskId) ? { ...history, contractFaults: 0 } : history,
  ])
  return { ...state, tasks: Object.fromEntries(forgotten) }
}

function addLevelSeconds(state: WorkspaceState, level: string, seconds: number): WorkspaceState {
  const all = [seconds, ...(state.levelSeconds[level] ?? [])].slice(0, KEPT_LEVEL_SECONDS)
  return { ...state, levelSeconds: { ...state.levelSeconds, [level]: all } }
}

/** Returns whether the environment stopped the agent; then its duration teaches nothing. */
function wasStopped(result: AttemptResult): boolean {
  return result.verdict === null && result.fault === 'environment'
}

function attemptEntry({ at, result }: EventOf<'attempt-finished'>): TaskAttempt {
  const { attemptId, outcome, verdict, fault, durationMs, timeoutSeconds, gateUnavailable, criteria } = result
  return {
    kind: 'attempt',
    attemptId,
    at,
    outcome,
    verdict,
    fault,
    durationMs,
    timeoutSeconds,
    reason: shorten(result.reasons.join('; ')),
    gateUnavailable,
    criteria,
  }
}

/** Unblocks a task and gives its attempts back; changes nothing for a task without progress. */
export function unblockTask(state: WorkspaceState, event: EventOf<'task-unblocked'>): WorkspaceState {
  const { at, taskId, by, reason, timeoutSeconds, attemptLimit } = event
  const entry: TaskUnblock = { kind: 'unblock', at, by, reason: shorten(reason), timeoutSeconds }
  const before = progressOf(state, taskId)
  const reopened = { ...state, progress: reopenTask(state.progress, taskId, attemptLimit) }
  return changeHistory(reopened, taskId, (history) => {
    const { unblockSeconds, autoUnblocks, swept } = history
    const replaced = { unblockSeconds, autoUnblocks, swept }
    return {
      ...addEntry(history, entry),
      unblockSeconds: timeoutSeconds,
      autoUnblocks: autoUnblocks + (by === 'auto' ? 1 : 0),
      swept: null,
      contractFaults: 0,
      unblocked:
        before !== undefined && isBlocked(before) ? { at, progress: before, before: replaced } : null,
    }
  })
}

/**
 * Blocks a task again as it was before the unblock, and removes the unblock from its history, because suggestions use what was tried, and
 * its
 * reason from what waits for the agent. Changes nothing if the unblock can no longer be undone.
 */
export function undoUnblock(state: WorkspaceState, { taskId }: EventOf<'unblock-undone'>): WorkspaceState {
  const { unblocked } = taskHistory(state, taskId)
  if (unblocked === null || progressOf(state, taskId) === undefined) return state
  const tasks = { ...state.progress.tasks, [taskId]: unblocked.progress }
  const unsaid = takeReasonBack(state, { from: 'unblock', taskId, at: unblocked.at })
  const blocked = { ...unsaid, progress: { ...state.progress, tasks } }
  return changeHistory(blocked, taskId, (history) => ({
    ...history,
    ...unblocked.before,
    entries: history.entries[0]?.kind === 'unblock' ? history.entries.slice(1) : history.entries,
    unblocked: null,
  }))
}

/** Makes an unblock final, because the task was tried or judged. */
export function settleUnblock(state: WorkspaceState, taskId: string): WorkspaceState {
  if (taskHistory(state, taskId).unblocked === null) return state
  return changeHistory(state, taskId, (history) => ({ ...history, unblocked: null }))
}

/** Records the sweep's finding at each blocked task; skips those that were unblocked since. */
export function noteSweep(state: WorkspaceState, event: EventOf<'blocked-swept'>): WorkspaceState {
  return event.results.reduce((current, { taskId, holds, reason }) => {
    const task = progressOf(current, taskId)
    if (task === undefined || (!isBlocked(task) && task.waiting !== 'fix_gate')) return current
    const swept = { holds, reason: shorten(reason), at: event.at }
    // If the check can be measured again, its earlier faults no longer count.
    const measured = holds === null ? {} : { contractFaults: 0 }
    const noted = changeHistory(current, taskId, (history) => ({ ...history, swept, ...measured }))
    return holds === null ? noted : { ...noted, progress: stopWaiting(noted.progress, taskId, 'fix_gate') }
  }, state)
}

/** Records the operator's verdict in the history too, so that later attempts rely on it. `isLatest`: no attempt was judged after it. */
export function overruleInHistory(
  state: WorkspaceState,
  event: EventOf<'verdict-overruled'>,
  isLatest: boolean,
): WorkspaceState {
  const { taskId, attemptId, to } = event
  if (!Object.hasOwn(state.tasks, taskId)) return state
  return changeHistory(state, taskId, (history) => ({
    ...foundationJudged(history, state, event, isLatest),
    unblocked: null,
    entries: changeEntry(history.entries, attemptId, ({ fault }) => ({
      verdict: to,
      fault: to === 'verified' ? null : fault,
    })),
  }))
}

function changeEntry(
  entries: TaskHistory['entries'],
  attemptId: string,
  change: (entry: TaskAttempt) => Pick<TaskAttempt, 'verdict' | 'fault'>,
): TaskHistory['entries'] {
  return entries.map((entry) =>
    entry.kind === 'attempt' && entry.attemptId === attemptId ? { ...entry, ...change(entry) } : entry,
  )
}

/**
 * Records the operator's answer to held work in the history of its task, or that it was undone (`judged`: unclear, as it was held), and
 * updates what later attempts rely on.
 */
export function reviewInHistory(
  state: WorkspaceState,
  event: Pick<EventOf<'review-answered'>, 'attemptId' | 'taskId' | 'work'>,
  judged: Pick<TaskAttempt, 'verdict' | 'fault'>,
): WorkspaceState {
  const { attemptId, taskId } = event
  if (!Object.hasOwn(state.tasks, taskId)) return state
  const isLatest = isLatestJudged(state, taskId, attemptId)
  return changeHistory(state, taskId, (history) => ({
    ...foundationJudged(history, state, event, isLatest),
    entries: changeEntry(history.entries, attemptId, () => judged),
  }))
}

/** Returns whether no later attempt at its task was judged. */
export function isLatestJudged(
  { attempts }: Pick<WorkspaceState, 'attempts'>,
  taskId: string,
  attemptId: string,
): boolean {
  const latest = attempts.find(
    (attempt) => attempt.taskId === taskId && (attempt.verdict !== null || attempt.attemptId === attemptId),
  )
  return latest?.attemptId === attemptId
}

/** Drops the histories of tasks that have no progress, because they left the contract. */
export function forgetLeftTasks(state: WorkspaceState): WorkspaceState {
  const kept = Object.entries(state.tasks).filter(([taskId]) => Object.hasOwn(state.progress.tasks, taskId))
  return { ...state, tasks: Object.fromEntries(kept) }
}

function progressOf(state: WorkspaceState, taskId: string): TaskProgress | undefined {
  return Object.hasOwn(state.progress.tasks, taskId) ? state.progress.tasks[taskId] : undefined
}

/** Only tasks with progress have a history, which limits their number. */
/** Drops restored files from those that count as finished: the next attempt that claims them must have written them. */
export function forgetUndone(state: WorkspaceState, event: EventOf<'attempt-undone'>): WorkspaceState {
  if (event.again) return state
  const meant = new Set(event.attemptIds)
  const tasks = state.attempts.filter(({ attemptId }) => meant.has(attemptId)).map(({ taskId }) => taskId)
  const isAll = event.count > event.files.length
  const stays = (path: string): boolean => !isAll && !event.files.includes(path)
  return tasks.reduce(
    (next, taskId) =>
      changeHistory(next, taskId, ({ finished = [], refuted = [], restsOn: _restsOn, ...history }) => ({
        ...history,
        finished: finished.filter(stays),
        refuted: refuted.filter(stays),
      })),
    state,
  )
}

function changeHistory(
  state: WorkspaceState,
  taskId: string,
  change: (history: TaskHistory) => TaskHistory,
): WorkspaceState {
  if (!Object.hasOwn(state.progress.tasks, taskId)) return state
  return { ...state, tasks: { ...state.tasks, [taskId]: change(taskHistory(state, taskId)) } }
}

function addEntry(history: TaskHistory, entry: TaskAttempt | TaskUnblock): TaskHistory {
  return { ...history, entries: [entry, ...history.entries].slice(0, KEPT_ENTRIES) }
}
