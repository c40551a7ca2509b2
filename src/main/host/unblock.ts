import { RequestProblem } from '../../api/request-problem.ts'
import { DEFAULT_ADAPTIVE_TIMEOUT } from '../../core/configuration/adaptive-timeout.ts'
import { isBlocked } from '../../core/cycle/progress.ts'
import type { TaskProgress } from '../../core/cycle/types.ts'
import { durationWords } from '../../core/pacing/duration-words.ts'
import { MAX_UNBLOCK_SECONDS, selectForRetry } from '../../core/pacing/unblock.ts'
import {
  type BlockedTask,
  blockedTaskViews,
  findTasks,
  progressOf,
  type UnblockedTask,
  type UnblockReport,
  unblockedView,
} from '../../core/read-model/blocked-task.ts'
import type { EventBody } from '../../core/record/events.ts'
import { planNextTimeout } from '../../core/record/next-timeout.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import type { ComplexityLevel } from '../../core/vocabulary/complexity.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'

/** How tasks are unblocked. The timeout applies only to the next attempt; the planned one is used if neither is given. */
interface UnblockOptions {
  readonly reason?: string | undefined
  readonly timeoutSeconds?: number | undefined
  /** Multiplies the planned timeout; ignored if `timeoutSeconds` is given. */
  readonly timeoutMultiplier?: number | undefined
  /** False: a timeout above the configured limit is rejected. */
  readonly force?: boolean | undefined
}

/** The parts of a workspace that are read and changed here. */
export interface TaskKeeper {
  readonly ledger: Pick<Ledger, 'state' | 'append'>
  readonly loop: { readonly config: Pick<WorkspaceConfig, 'unblock' | 'adaptiveTimeout'> | null }
}

/** The retry limit when no configuration is in effect. */
const DEFAULT_AUTO_UNBLOCKS = 1

/** Returns the blocked tasks in the order of the contract; without `suggest`, the configuration decides about suggestions. */
export function blockedTasks(runtime: TaskKeeper, suggest: boolean | undefined): BlockedTask[] {
  const shouldSuggest = suggest ?? runtime.loop.config?.unblock.autoSuggest ?? true
  return blockedTaskViews(runtime.ledger.state, rulesOf(runtime), shouldSuggest)
}

/**
 * Unblocks a task that is blocked, or that waits because its check can't be run. Rejects with `not-found` if there is no such task, with
 * `conflict` if it is neither.
 */
export async function unblock(
  runtime: TaskKeeper,
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
  return unblockedView(runtime.ledger.state, taskId, rulesOf(runtime))
}

/** Unblocks the blocked ones of these tasks; the others are refused, each with the reason. */
export async function unblockMany(
  runtime: TaskKeeper,
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

/** Unblocks all blocked tasks of one complexity level; a multiplier applies to each task's planned timeout. */
export async function unblockLevel(
  runtime: TaskKeeper,
  level: ComplexityLevel,
  how: UnblockOptions,
): Promise<UnblockReport> {
  const { state } = runtime.ledger
  const events = findTasks(state, isBlocked).flatMap(({ task }) => {
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

/** Returns the timeout in seconds; `null`: as planned. Rejects with `bad-request` if it is longer than max_timeout and `force` is false. */
function timeoutOf(
  runtime: TaskKeeper,
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
    `A timeout of ${durationWords(seconds * 1000)} is longer than max_timeout allows (${durationWords(maxTimeoutSeconds * 1000)}), and nothing was unblocked. Give a shorter one, or --force if you mean it.`,
  )
}

/**
 * Unblocks every blocked task that has been retried fewer than `max_auto_unblock_attempts` times; the others are refused, each with the
 * reason. `maxAttempts` is how many attempts an unblocked task gets until it is blocked again.
 */
export async function retryBlocked(
  runtime: TaskKeeper,
  maxAttempts: number | undefined,
): Promise<UnblockReport> {
  const blocked = findTasks(runtime.ledger.state, isBlocked).map(({ task, history }) => ({
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

async function unblockAll(runtime: TaskKeeper, events: readonly TaskUnblocked[]): Promise<UnblockReport> {
  if (events.length > 0) await runtime.ledger.append(...events)
  return {
    unblocked: events.map(({ taskId }) => unblockedView(runtime.ledger.state, taskId, rulesOf(runtime))),
    refused: [],
  }
}

/** Returns the rules for timeouts: the defaults if no configuration is in effect. */
function rulesOf({ loop }: TaskKeeper) {
  return loop.config?.adaptiveTimeout ?? DEFAULT_ADAPTIVE_TIMEOUT
}

/** True if the task is blocked, or waits because its check can't be run. */
function isStuck(progress: TaskProgress): boolean {
  return isBlocked(progress) || progress.waiting === 'fix_gate'
}

function notBlocked(state: WorkspaceState, taskId: string): RequestProblem {
  const progress = progressOf(state, taskId)
  const blocked = findTasks(state, isBlocked).map(({ task }) => task.id)
  const known = blocked.length === 0 ? 'No task is blocked.' : `Blocked are ${blocked.join(', ')}.`
  if (progress === undefined) {
    return new RequestProblem(
      'not-found',
      `The last heartbeat had no task ${JSON.stringify(taskId)}. ${known}`,
    )
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
