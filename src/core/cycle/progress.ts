import type { TaskStatus, WaitingFor } from '../vocabulary/task.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import type { CycleProgress, ProgressTask, TaskProgress } from './types.ts'

/** What one attempt changed about its task. */
export interface AttemptOutcome {
  /** `null`: the attempt was not judged and doesn't count. */
  readonly verdict: Verdict | null
  /** True if the agent skipped an optional task. */
  readonly skipped: boolean
  /** ISO 8601 with offset. */
  readonly at: string
  /** The verdict in words, for people. */
  readonly result: string
}

/** The progress of a workspace that has never run. */
export const NO_PROGRESS: CycleProgress = { lastCycleAt: null, cycleCount: 0, tasks: {} }

/**
 * Returns the progress at the beginning of a new heartbeat. Drops tasks that left the contract and lines without an id; if several have the
 * same id, the first counts. A task in `reopened` is treated as unchecked, because a measurement contradicts its checked box. The count and
 * time of heartbeats are kept.
 */
export function initCycleProgress(
  tasks: readonly ProgressTask[],
  previous: CycleProgress | null,
  options: {
    readonly reopened: ReadonlySet<string>
    /** Tasks that stay verified without an attempt. */
    readonly stillVerified?: ReadonlySet<string>
    /** What a task waits for, if it must not run. */
    readonly waiting?: (taskId: string) => WaitingFor | null
  },
): CycleProgress {
  const before = previous ?? NO_PROGRESS
  const fresh = new Map<string, TaskProgress>()
  for (const task of tasks) {
    if (task.id === '' || fresh.has(task.id)) continue
    const checked =
      (task.checked && !options.reopened.has(task.id)) || options.stillVerified?.has(task.id) === true
    const begun = beginTask(task, checked, taskProgress(before, task.id))
    const waiting = begun.status === 'pending' ? (options.waiting?.(task.id) ?? null) : null
    fresh.set(task.id, waiting === null ? begun : { ...begun, waiting })
  }
  return { ...before, tasks: Object.fromEntries(fresh) }
}

function beginTask(task: ProgressTask, checked: boolean, previous: TaskProgress | undefined): TaskProgress {
  const kept = {
    taskId: task.id,
    lastAttemptAt: previous?.lastAttemptAt ?? null,
    lastResult: previous?.lastResult ?? null,
    maxAttempts: task.maxAttempts,
  }
  if (checked) return { ...kept, status: 'verified', attempts: 0 }
  switch (previous?.status) {
    case 'failed': {
      const limited = { ...kept, ...limitOf(previous) }
      const blocked = isBlocked({ ...previous, maxAttempts: limited.maxAttempts })
      return { ...limited, status: blocked ? 'failed' : 'pending', attempts: previous.attempts }
    }
    // Judged unclear, or not run at all: earlier attempts still count.
    case 'pending':
      return {
        ...kept,
        ...limitOf(previous),
        status: 'pending',
        attempts: previous.attempts,
        ...(previous.waiting === 'review' && { waiting: previous.waiting }),
      }
    default:
      return { ...kept, status: 'pending', attempts: 0 }
  }
}

/** Attempts granted by a retry take precedence over those of the contract. */
function limitOf({ attemptLimit }: TaskProgress): { maxAttempts: number; attemptLimit: number } | undefined {
  return attemptLimit === undefined ? undefined : { maxAttempts: attemptLimit, attemptLimit }
}

/**
 * Returns the progress after one attempt. A verdict counts one attempt and sets the status (unclear leaves it unchanged). A skipped task
 * becomes `skipped`, and an unjudged attempt changes no status; neither counts as an attempt. An unknown task changes nothing.
 */
export function recordAttempt(
  progress: CycleProgress,
  taskId: string,
  outcome: AttemptOutcome,
): CycleProgress {
  const task = taskProgress(progress, taskId)
  if (task === undefined) return progress
  return withTask(progress, {
    ...task,
    status: statusAfter(task.status, outcome.verdict, outcome.skipped),
    attempts: task.attempts + (outcome.verdict === null ? 0 : 1),
    lastAttemptAt: outcome.at,
    lastResult: outcome.result,
  })
}

function statusAfter(status: TaskStatus, verdict: AttemptOutcome['verdict'], skipped: boolean): TaskStatus {
  switch (verdict) {
    case 'verified':
      return 'verified'
    case 'not_verified':
      return 'failed'
    case 'unclear':
      return status
    case null:
      return skipped ? 'skipped' : status
  }
}

/** Returns the progress with the verdict of a task's latest attempt replaced. The count of attempts is kept; unclear opens the task. */
export function replaceVerdict(
  progress: CycleProgress,
  taskId: string,
  verdict: Verdict,
  result: string,
): CycleProgress {
  const task = taskProgress(progress, taskId)
  if (task === undefined) return progress
  const { waiting: _over, ...rest } = task
  return withTask(progress, { ...rest, status: statusAfter('pending', verdict, false), lastResult: result })
}

/** Returns the progress with an open task that doesn't run until the operator has reviewed it. An unknown task changes nothing. */
export function waitForReview(progress: CycleProgress, taskId: string): CycleProgress {
  const task = taskProgress(progress, taskId)
  return task === undefined ? progress : withTask(progress, { ...task, status: 'pending', waiting: 'review' })
}

/**
 * Returns the progress after held work was answered: verified, or failed with one more attempt. An unknown task changes
 * nothing.
 */
export function answerReview(
  progress: CycleProgress,
  taskId: string,
  verdict: Exclude<Verdict, 'unclear'>,
  result: string,
): CycleProgress {
  const task = taskProgress(progress, taskId)
  if (task === undefined) return progress
  const { waiting: _over, ...rest } = task
  const attempts = task.attempts + (verdict === 'not_verified' ? 1 : 0)
  return withTask(progress, {
    ...rest,
    attempts,
    status: verdict === 'verified' ? 'verified' : 'failed',
    lastResult: result,
  })
}

/**
 * Returns the progress with a task open again and none of its attempts used: `attemptLimit` of them if given, otherwise as many
 * as the contract allows (from the next heartbeat on). An unknown task changes nothing.
 */
export function reopenTask(
  progress: CycleProgress,
  taskId: string,
  attemptLimit: number | null,
): CycleProgress {
  const task = taskProgress(progress, taskId)
  if (task === undefined) return progress
  const { attemptLimit: _earlier, waiting: _over, ...rest } = task
  const limit = attemptLimit === null ? {} : { maxAttempts: attemptLimit, attemptLimit }
  return stopWaiting(withTask(progress, { ...rest, ...limit, status: 'pending', attempts: 0 }), taskId)
}

/** Returns the progress with a task that no longer waits for `what`, or for anything if that is omitted. */
export function stopWaiting(progress: CycleProgress, taskId: string, what?: WaitingFor): CycleProgress {
  const task = taskProgress(progress, taskId)
  if (task?.waiting === undefined || (what !== undefined && task.waiting !== what)) return progress
  const { waiting: _over, ...rest } = task
  return withTask(progress, rest)
}

/** Returns the ids in `order` that this heartbeat must attempt, each once. */
export function openTasks(progress: CycleProgress, order: readonly string[]): readonly string[] {
  return [...new Set(order)].filter((id) => {
    const task = taskProgress(progress, id)
    return task?.status === 'pending' && task.waiting === undefined && !isBlocked(task)
  })
}

/** Returns whether the task failed, or stayed open after `unclear` verdicts, and has no attempts left. */
export function isBlocked(task: Pick<TaskProgress, 'status' | 'attempts' | 'maxAttempts'>): boolean {
  return (task.status === 'failed' || task.status === 'pending') && task.attempts >= task.maxAttempts
}

/** Returns the progress of one task. Looks only at own properties, because ids come from a file and one may be `constructor`. */
function taskProgress(progress: CycleProgress, taskId: string): TaskProgress | undefined {
  return Object.hasOwn(progress.tasks, taskId) ? progress.tasks[taskId] : undefined
}

function withTask(progress: CycleProgress, task: TaskProgress): CycleProgress {
  return { ...progress, tasks: { ...progress.tasks, [task.taskId]: task } }
}
