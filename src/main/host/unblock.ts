import { RequestProblem } from '../../api/request-problem.ts'
import {
  type AdaptiveTimeoutRules,
  DEFAULT_ADAPTIVE_TIMEOUT,
} from '../../core/configuration/adaptive-timeout.ts'
import { isBlocked } from '../../core/cycle/progress.ts'
import type { TaskProgress } from '../../core/cycle/types.ts'
import {
  blockReason,
  MAX_UNBLOCK_SECONDS,
  selectForRetry,
  suggestUnblock,
} from '../../core/pacing/unblock.ts'
import type { BlockedTask, UnblockedTask, UnblockReport } from '../../core/read-model/blocked-task.ts'
import type { EventBody, RecordedTask } from '../../core/record/events.ts'
import { taskHistory } from '../../core/record/fold-task-history.ts'
import { planNextTimeout } from '../../core/record/next-timeout.ts'
import type { TaskHistory, WorkspaceState } from '../../core/record/state.ts'
import type { ComplexityLevel } from '../../core/vocabulary/complexity.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'

/** How tasks are unblocked; the timeout is the next attempt's alone, and as planned where neither is given. */
interface UnblockOptions {
  readonly reason?: string | undefined
  readonly timeoutSeconds?: number | undefined
  /** Of the planned timeout; ignored beside `timeoutSeconds`. */
  readonly timeoutMultiplier?: number | undefined
  /** False: a timeout longer than the settings allow is refused. */
  readonly force?: boolean | undefined
}

/** A blocked task as the state has it: the contract's words, where it stands, what was tried. */
interface Blocked {
  readonly task: RecordedTask
  readonly progress: TaskProgress
  readonly history: TaskHistory
}

/** The retry limit where no configuration is in force. */
const DEFAULT_AUTO_UNBLOCKS = 1

/** The blocked tasks in the order of the contract; `suggest` left out: as the configuration says. */
export function blockedTasks(runtime: WorkspaceRuntime, suggest: boolean | undefined): BlockedTask[] {
  const { config } = runtime.loop
  const shouldSuggest = suggest ?? config?.unblock.autoSuggest ?? true
  return findBlocked(runtime.ledger.state).map((blocked) => blockedView(runtime, blocked, shouldSuggest))
}

function blockedView(runtime: WorkspaceRuntime, blocked: Blocked, suggest: boolean): BlockedTask {
  const { task, progress, history } = blocked
  const next = planNextTimeout(task, runtime.ledger.state, rulesOf(runtime))
  const timeouts = { nextSeconds: next.seconds, maxSeconds: rulesOf(runtime).maxTimeoutSeconds }
  return {
    taskId: task.id,
    description: task.description,
    verify: task.verify,
    level: next.level,
    reason: blockReason(history.entries, progress),
    attempts: progress.attempts,
    maxAttempts: progress.maxAttempts,
    lastAttemptAt: progress.lastAttemptAt,
    history: [...history.entries],
    suggestion: suggest ? suggestUnblock(history, timeouts) : null,
    swept: history.swept,
    nextTimeoutSeconds: next.seconds,
    nextTimeoutReason: next.reason,
    maxTimeoutSeconds: timeouts.maxSeconds,
    autoUnblocks: history.autoUnblocks,
  }
}

/**
 * Gives one task its attempts back that is blocked, or waits until its check can be made. Rejects with `not-found` where there is no
 * such task, with `conflict` where it is neither.
 */
export async function unblock(
  runtime: WorkspaceRuntime,
  taskId: string,
  how: UnblockOptions,
): Promise<UnblockedTask> {
  const { state } = runtime.ledger
  const blocked = findTasks(state, isStuck).find(({ task }) => task.id === taskId)
  if (blocked === undefined) throw notBlocked(state, taskId)
  const next = planNextTimeout(blocked.task, state, rulesOf(runtime))
  await runtime.ledger.append(
    unblockedEvent(taskId, how.reason ?? 'Unblocked by the operator', {
      timeoutSeconds: timeoutOf(runtime, how, next.seconds),
    }),
  )
  return unblockedView(runtime, taskId)
}

/** Gives the blocked ones of these tasks their attempts back; the others are refused, each with the reason. */
export async function unblockMany(
  runtime: WorkspaceRuntime,
  taskIds: readonly string[],
  how: UnblockOptions,
): Promise<UnblockReport> {
  const { state } = runtime.ledger
  const wanted = new Set(taskIds)
  const blocked = findTasks(state, isStuck).filter(({ task }) => wanted.delete(task.id))
  const events = blocked.map(({ task }) =>
    unblockedEvent(task.id, how.reason ?? 'Unblocked by the operator with others', {
      timeoutSeconds: timeoutOf(runtime, how, planNextTimeout(task, state, rulesOf(runtime)).seconds),
    }),
  )
  const refused = [...wanted].map((taskId) => ({ taskId, reason: notBlocked(state, taskId).message }))
  return { ...(await unblockAll(runtime, events)), refused }
}

/** Gives all blocked tasks of one kind of work their attempts back; a multiplier is taken of each one's planned timeout. */
export async function unblockLevel(
  runtime: WorkspaceRuntime,
  level: ComplexityLevel,
  how: UnblockOptions,
): Promise<UnblockReport> {
  const { state } = runtime.ledger
  const events = findBlocked(state).flatMap(({ task }) => {
    const next = planNextTimeout(task, state, rulesOf(runtime))
    if (next.level !== level) return []
    const timeoutSeconds = timeoutOf(runtime, how, next.seconds)
    return [
      unblockedEvent(task.id, how.reason ?? `Unblocked by the operator with all ${level} tasks`, {
        timeoutSeconds,
      }),
    ]
  })
  return unblockAll(runtime, events)
}

/** `null`: as planned. Rejects with `bad-request` a timeout beyond the settings that whoever asks wants to be asked about. */
function timeoutOf(
  runtime: WorkspaceRuntime,
  { timeoutSeconds, timeoutMultiplier, force }: UnblockOptions,
  planned: number,
): number | null {
  if (timeoutSeconds === undefined && timeoutMultiplier === undefined) return null
  const multiplied = Math.max(1, Math.floor(planned * (timeoutMultiplier ?? 1)))
  const seconds = timeoutSeconds ?? Math.min(MAX_UNBLOCK_SECONDS, multiplied)
  const { maxTimeoutSeconds } = rulesOf(runtime)
  if (force !== false || seconds <= maxTimeoutSeconds) return seconds
  throw new RequestProblem(
    'bad-request',
    `A timeout of ${seconds} s is longer than max_timeout allows (${maxTimeoutSeconds} s), and nothing was unblocked. Give a shorter one, or --force if you mean it.`,
  )
}

/**
 * Gives every blocked task its attempts back that has not been retried `max_auto_unblock_attempts` times before; the others
 * are refused, each with the reason. `maxAttempts` is how many attempts a unblocked task gets until it is blocked again.
 */
export async function retryBlocked(
  runtime: WorkspaceRuntime,
  maxAttempts: number | undefined,
): Promise<UnblockReport> {
  const blocked = findBlocked(runtime.ledger.state).map(({ task, history }) => ({
    taskId: task.id,
    autoUnblocks: history.autoUnblocks,
  }))
  const { unblocked, refused } = selectForRetry(
    blocked,
    runtime.loop.config?.unblock.maxAutoUnblockAttempts ?? DEFAULT_AUTO_UNBLOCKS,
  )
  const attempts =
    maxAttempts === undefined ? '' : `, with ${maxAttempts} attempt${maxAttempts === 1 ? '' : 's'}`
  const events = unblocked.map((taskId) =>
    unblockedEvent(taskId, `Retried with all blocked tasks${attempts}`, {
      timeoutSeconds: null,
      by: 'auto',
      attemptLimit: maxAttempts ?? null,
    }),
  )
  const report = await unblockAll(runtime, events)
  return { ...report, refused: [...refused] }
}

type TaskUnblocked = Extract<EventBody, { type: 'task-unblocked' }>

function unblockedEvent(
  taskId: string,
  reason: string,
  how: Pick<TaskUnblocked, 'timeoutSeconds'> & Partial<Pick<TaskUnblocked, 'by' | 'attemptLimit'>>,
): TaskUnblocked {
  return { type: 'task-unblocked', taskId, reason, by: 'operator', attemptLimit: null, ...how }
}

async function unblockAll(
  runtime: WorkspaceRuntime,
  events: readonly TaskUnblocked[],
): Promise<UnblockReport> {
  if (events.length > 0) await runtime.ledger.append(...events)
  return { unblocked: events.map(({ taskId }) => unblockedView(runtime, taskId)), refused: [] }
}

function unblockedView(runtime: WorkspaceRuntime, taskId: string): UnblockedTask {
  const { state } = runtime.ledger
  const task = state.contract?.tasks.find(({ id }) => id === taskId)
  const next = planNextTimeout(task ?? { id: taskId, description: '', criteria: [] }, state, rulesOf(runtime))
  return {
    taskId,
    level: next.level,
    timeoutSeconds: next.seconds,
    timeoutReason: next.reason,
    maxAttempts: state.progress.tasks[taskId]?.attemptLimit ?? task?.maxAttempts ?? 1,
    maxTimeoutSeconds: rulesOf(runtime).maxTimeoutSeconds,
  }
}

/** What the timeouts go by; the defaults where no configuration is in force. */
function rulesOf({ loop }: WorkspaceRuntime): AdaptiveTimeoutRules {
  return loop.config?.adaptiveTimeout ?? DEFAULT_ADAPTIVE_TIMEOUT
}

/** By the contract as the last cycle read it: what blocks is decided there. */
function findBlocked(state: WorkspaceState): readonly Blocked[] {
  return findTasks(state, isBlocked)
}

/** Blocked, or not run because its check cannot be made. */
function isStuck(progress: TaskProgress): boolean {
  return isBlocked(progress) || progress.waiting === 'fix_gate'
}

function findTasks(state: WorkspaceState, isWanted: (progress: TaskProgress) => boolean): readonly Blocked[] {
  return (state.contract?.tasks ?? []).flatMap((task) => {
    const progress = progressOf(state, task.id)
    if (progress === undefined || !isWanted(progress)) return []
    return [{ task, progress, history: taskHistory(state, task.id) }]
  })
}

function progressOf(state: WorkspaceState, taskId: string): TaskProgress | undefined {
  return Object.hasOwn(state.progress.tasks, taskId) ? state.progress.tasks[taskId] : undefined
}

function notBlocked(state: WorkspaceState, taskId: string): RequestProblem {
  const progress = progressOf(state, taskId)
  const blocked = findBlocked(state).map(({ task }) => task.id)
  const known = blocked.length === 0 ? 'No task is blocked.' : `Blocked are ${blocked.join(', ')}.`
  if (progress === undefined) {
    return new RequestProblem('not-found', `The last cycle saw no task ${JSON.stringify(taskId)}. ${known}`)
  }
  const { status, attempts, maxAttempts, waiting } = progress
  if (waiting === 'review')
    return new RequestProblem(
      'conflict',
      `${taskId} waits for your answer: see \`pulseward review\`. ${known}`,
    )
  const where = status === 'failed' ? `failed with ${attempts} of ${maxAttempts} attempts used` : status
  return new RequestProblem('conflict', `${taskId} is not blocked: it is ${where}. ${known}`)
}
