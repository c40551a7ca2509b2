import { z } from 'zod'
import { isBlocked } from '../cycle/progress.ts'
import type { TaskProgress } from '../cycle/types.ts'
import { blockReason, commonCause, suggestUnblock } from '../pacing/unblock.ts'
import type { RecordedTask } from '../record/events.ts'
import { taskHistory } from '../record/fold-task-history.ts'
import { planNextTimeout } from '../record/next-timeout.ts'
import type { TaskHistory, WorkspaceState } from '../record/state.ts'
import { taskAttemptSchema, taskUnblockSchema } from '../record/task-entry.ts'
import { complexitySchema } from '../vocabulary/complexity.ts'
import { suggestionKindSchema } from '../vocabulary/unblock.ts'
import { isLie } from './standing-words.ts'

/** A task that failed and has no attempts left, with what is known and possible. */
export const blockedTaskSchema = z.object({
  taskId: z.string(),
  description: z.string(),
  verify: z.string(),
  level: complexitySchema,
  /** Why it is blocked, in words. */
  reason: z.string(),
  /** What most of its attempts have in common, in words; `null` if nothing. */
  cause: z.string().nullable().default(null),
  attempts: z.int(),
  maxAttempts: z.int(),
  lastAttemptAt: z.string().nullable(),
  /** Newest first, at most 30. */
  history: z.array(z.discriminatedUnion('kind', [taskAttemptSchema, taskUnblockSchema])),
  /** `null` if none was asked for and `auto_suggest` is off. */
  suggestion: z
    .object({
      kind: suggestionKindSchema,
      timeoutSeconds: z.number().nullable(),
      reason: z.string(),
    })
    .nullable(),
  /** What the last sweep found; `at` is when it first found this. */
  swept: z.object({ holds: z.boolean().nullable(), reason: z.string(), at: z.string() }).nullable(),
  /** Timeout of the next attempt if the task is unblocked without one. */
  nextTimeoutSeconds: z.number(),
  nextTimeoutReason: z.string(),
  /** From the settings (`max_timeout`); an unblock may exceed it. */
  maxTimeoutSeconds: z.number(),
  /** How often `retry-blocked` has unblocked it. */
  autoUnblocks: z.int(),
})

/** A task that was unblocked, with the timeout of its next attempt. */
export const unblockedTaskSchema = z.object({
  taskId: z.string(),
  level: complexitySchema,
  timeoutSeconds: z.number(),
  timeoutReason: z.string(),
  maxAttempts: z.int(),
  /** From the settings (`max_timeout`); an unblock may exceed it. */
  maxTimeoutSeconds: z.number(),
})

export const unblockReportSchema = z.object({
  unblocked: z.array(unblockedTaskSchema),
  refused: z.array(z.object({ taskId: z.string(), reason: z.string() })),
})

/** Which unblocks were undone, and those that could not be, each with the reason. */
export const undoReportSchema = z.object({
  blocked: z.array(z.string()),
  refused: z.array(z.object({ taskId: z.string(), reason: z.string() })),
})

/** Result of a sweep for a blocked task; `holds: null` if its check could not be measured. */
export const sweptTaskSchema = z.object({
  taskId: z.string(),
  holds: z.boolean().nullable(),
  reason: z.string(),
})

export type BlockedTask = z.infer<typeof blockedTaskSchema>

export type UnblockedTask = z.infer<typeof unblockedTaskSchema>

export type UnblockReport = z.infer<typeof unblockReportSchema>

export type UndoReport = z.infer<typeof undoReportSchema>

export type SweptTask = z.infer<typeof sweptTaskSchema>

type TimeoutRules = Parameters<typeof planNextTimeout>[2]

/** A task in the state: its text in the contract, its progress, and its history. */
interface KnownTask {
  readonly task: RecordedTask
  readonly progress: TaskProgress
  readonly history: TaskHistory
}

/**
 * Returns the progress of a task; `undefined` if the last cycle saw none with this id. Ids come from a file, so one may be `constructor`.
 */
export function progressOf({ progress }: WorkspaceState, taskId: string): TaskProgress | undefined {
  return Object.hasOwn(progress.tasks, taskId) ? progress.tasks[taskId] : undefined
}

/** Returns the tasks that match, in the contract as the last cycle read it, because that is where blocking is decided. */
export function findTasks(
  state: WorkspaceState,
  isWanted: (progress: TaskProgress) => boolean,
): readonly KnownTask[] {
  return (state.contract?.tasks ?? []).flatMap((task) => {
    const progress = progressOf(state, task.id)
    if (progress === undefined || !isWanted(progress)) return []
    return [{ task, progress, history: taskHistory(state, task.id) }]
  })
}

/** Adds to each attempt that is still known whether it was a contradiction; a history only keeps the verdict. */
function withContradictions(
  entries: TaskHistory['entries'],
  { attempts }: Pick<WorkspaceState, 'attempts'>,
): TaskHistory['entries'] {
  const lies = new Set(attempts.filter(isLie).map(({ attemptId }) => attemptId))
  return entries.map((entry) =>
    entry.kind === 'attempt' && lies.has(entry.attemptId) ? { ...entry, contradiction: true } : entry,
  )
}

/** Returns the blocked tasks in the order of the contract, with suggestions if wanted. */
export function blockedTaskViews(
  state: WorkspaceState,
  rules: TimeoutRules,
  suggest: boolean,
): BlockedTask[] {
  return findTasks(state, isBlocked).map(({ task, progress, history: recorded }) => {
    const history = { ...recorded, entries: withContradictions(recorded.entries, state) }
    const next = planNextTimeout(task, state, rules)
    const timeouts = { nextSeconds: next.seconds, maxSeconds: rules.maxTimeoutSeconds }
    return {
      taskId: task.id,
      description: task.description,
      verify: task.verify,
      level: next.level,
      reason: blockReason(history.entries, progress),
      cause: commonCause(history.entries),
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
  })
}

/** Returns an unblocked task in its new state. */
export function unblockedView(state: WorkspaceState, taskId: string, rules: TimeoutRules): UnblockedTask {
  const task = state.contract?.tasks.find(({ id }) => id === taskId)
  const next = planNextTimeout(task ?? { id: taskId, description: '', criteria: [] }, state, rules)
  return {
    taskId,
    level: next.level,
    timeoutSeconds: next.seconds,
    timeoutReason: next.reason,
    maxAttempts: progressOf(state, taskId)?.attemptLimit ?? task?.maxAttempts ?? 1,
    maxTimeoutSeconds: rules.maxTimeoutSeconds,
  }
}
