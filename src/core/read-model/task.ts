import { z } from 'zod'
import type { TaskDefinition } from '../contract/types.ts'
import { isBlocked } from '../cycle/progress.ts'
import type { NextTimeout } from '../record/next-timeout.ts'
import type { WorkspaceState } from '../record/state.ts'
import { withoutSecrets } from '../text/secrets.ts'
import { complexitySchema } from '../vocabulary/complexity.ts'
import { taskStatusSchema, WAITING_FOR } from '../vocabulary/task.ts'
import { contractTaskSchema, contractTaskView } from './contract-document.ts'

export const taskSchema = contractTaskSchema.extend({
  status: taskStatusSchema,
  attempts: z.int(),
  blocked: z.boolean(),
  /** What it waits for before it can run; `null`: nothing. */
  waiting: z.enum(WAITING_FOR).nullable().default(null),
  /** True if an agent added it and the operator has not accepted it: it scores nothing. */
  proposed: z.boolean().default(false),
  /** Timeout of the next attempt, in seconds. */
  timeoutSeconds: z.number(),
  /** How the timeout was chosen, in words. */
  timeoutReason: z.string(),
  /** Kind of work according to the task's text; it determines the timeout. */
  complexity: complexitySchema,
  lastAttemptAt: z.string().nullable(),
  lastResult: z.string().nullable(),
  lastAttemptId: z.string().nullable(),
})

export type Task = z.infer<typeof taskSchema>

/** Returns a task of the contract with its progress; one that no cycle has seen yet is pending. */
export function taskView(
  task: TaskDefinition,
  state: WorkspaceState,
  next: NextTimeout,
  proposed = false,
): Task {
  const progress = state.progress.tasks[task.id]
  return {
    ...contractTaskView(task),
    maxAttempts: progress?.attemptLimit ?? task.maxAttempts,
    status: progress?.status ?? (task.checked ? 'verified' : 'pending'),
    attempts: progress?.attempts ?? 0,
    blocked: progress !== undefined && isBlocked(progress),
    waiting: progress?.waiting ?? null,
    proposed,
    timeoutSeconds: next.seconds,
    timeoutReason: next.reason,
    complexity: next.level,
    lastAttemptAt: progress?.lastAttemptAt ?? null,
    // An agent may ask about its own task, and the measurement may contain what it must not know.
    lastResult: progress?.lastResult == null ? null : withoutSecrets(progress.lastResult),
    lastAttemptId: state.attempts.find((attempt) => attempt.taskId === task.id)?.attemptId ?? null,
  }
}
