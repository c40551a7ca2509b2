import { z } from 'zod'
import { isBlocked } from '../cycle/progress.ts'
import type { WorkspaceState } from '../record/state.ts'
import { taskStatusSchema } from '../vocabulary/task.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'

/** What is found by its name without looking into its workspace: tasks, and the attempts of late. */
export const foundSchema = z.object({
  workspace: z.string(),
  tasks: z.array(
    z.object({
      id: z.string(),
      status: taskStatusSchema,
      blocked: z.boolean(),
      /** The latest; `null` if it was never tried, or long ago. */
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

/** Of each workspace: more than these a palette does not find faster than a list. */
const MAX_TASKS = 200
const MAX_ATTEMPTS = 20

/** What a workspace has to be found. */
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
