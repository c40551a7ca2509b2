import { z } from 'zod'
import { isBlocked } from '../cycle/progress.ts'
import type { WorkspaceState } from '../record/state.ts'
import { taskStatusSchema } from '../vocabulary/task.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'

/** What a search by name can find without opening the workspace: tasks, and recent attempts. */
export const foundSchema = z.object({
  workspace: z.string(),
  tasks: z.array(
    z.object({
      id: z.string(),
      status: taskStatusSchema,
      blocked: z.boolean(),
      /** The latest attempt; `null` if the task was never tried, or not recently. */
      attemptId: z.string().nullable(),
    }),
  ),
  /** Newest first. */
  attempts: z.array(
    z.object({
      attemptId: z.string(),
      taskId: z.string(),
      startedAt: z.string(),
      verdict: verdictSchema.nullable(),
      groundTruthContradiction: z.boolean(),
    }),
  ),
})

export type Found = z.infer<typeof foundSchema>

/** Limits per workspace: with more, a command palette is no faster than a list. */
const MAX_TASKS = 200
const MAX_ATTEMPTS = 20

/** Returns what can be found in a workspace. */
export function foundView(workspace: string, { progress, attempts }: WorkspaceState): Found {
  const latest = new Map<string, string>()
  for (const { taskId, attemptId } of attempts.toReversed()) latest.set(taskId, attemptId)
  return {
    workspace,
    tasks: Object.entries(progress.tasks)
      .slice(0, MAX_TASKS)
      .map(([id, task]) => ({
        id,
        status: task.status,
        blocked: isBlocked(task),
        attemptId: latest.get(id) ?? null,
      })),
    attempts: attempts
      .slice(0, MAX_ATTEMPTS)
      .map(({ attemptId, taskId, startedAt, verdict, groundTruthContradiction }) => ({
        attemptId,
        taskId,
        startedAt,
        verdict,
        groundTruthContradiction,
      })),
  }
}
