import { z } from 'zod'
import { MAX_RETRY_ATTEMPTS, MAX_UNBLOCK_MULTIPLIER, MAX_UNBLOCK_SECONDS } from '../../core/pacing/unblock.ts'
import {
  blockedTaskSchema,
  sweptTaskSchema,
  unblockedTaskSchema,
  unblockReportSchema,
  undoReportSchema,
} from '../../core/read-model/blocked-task.ts'
import { foundSchema } from '../../core/read-model/found.ts'
import { taskSchema } from '../../core/read-model/task.ts'
import { complexitySchema } from '../../core/vocabulary/complexity.ts'
import { base, forAgents, forPrograms, get, post, workspaceInput } from './base.ts'

const unblockInput = workspaceInput.extend({
  reason: z.string().trim().min(1).max(2000).optional(),
  /** For the next attempt only; omitted: as planned. */
  timeoutSeconds: z.int().min(1).max(MAX_UNBLOCK_SECONDS).optional(),
  /** Multiplies the planned timeout of the next attempt; ignored if `timeoutSeconds` is set. */
  timeoutMultiplier: z.number().positive().max(MAX_UNBLOCK_MULTIPLIER).optional(),
  /** False: rejected with 400 if the timeout is longer than `max_timeout`; if omitted, an unblock's timeout always wins. */
  force: z.boolean().optional(),
})

/** More than any contract has. */
const MAX_TASKS_AT_ONCE = 1000

const taskIds = z.array(z.string()).min(1).max(MAX_TASKS_AT_ONCE)

export const tasksProcedures = {
  found: forPrograms
    .route(get('/tasks/found', 'Tasks and the latest attempts of all workspaces, for finding them by name'))
    .output(z.array(foundSchema)),
  list: forAgents
    .route(get('/tasks', 'The tasks with their status'))
    .input(workspaceInput)
    .output(z.array(taskSchema)),
  blocked: forPrograms
    .route(get('/tasks/blocked', 'The tasks with no attempts left: why, what was tried, what can be done'))
    .input(
      workspaceInput.extend({
        /** Omitted: as set by `auto_suggest`. */
        suggest: z.union([z.boolean(), z.stringbool()]).optional(),
      }),
    )
    .output(z.array(blockedTaskSchema)),
  unblock: base
    .route(
      post(
        '/tasks/{id}/unblock',
        'Gives a task that is blocked, or waits for its check, new attempts; 409 if it is neither',
      ),
    )
    .input(unblockInput.extend({ id: z.string() }))
    .output(unblockedTaskSchema),
  unblockLevel: base
    .route(post('/tasks/unblock', 'Unblocks all blocked tasks of one kind of work'))
    .input(unblockInput.extend({ filter: complexitySchema }))
    .output(unblockReportSchema),
  unblockMany: base
    .route(
      post(
        '/tasks/unblock-many',
        'Unblocks the named blocked tasks; those that are not blocked are refused, each with the reason',
      ),
    )
    .input(unblockInput.extend({ ids: taskIds }))
    .output(unblockReportSchema),
  undoUnblock: base
    .route(
      post(
        '/tasks/undo-unblock',
        'Blocks tasks again that were unblocked within the last minute; 409 if that is possible for none of them',
      ),
    )
    .input(workspaceInput.extend({ ids: taskIds }))
    .output(undoReportSchema),
  retryBlocked: base
    .route(post('/tasks/retry-blocked', 'Unblocks all blocked tasks that have not been retried too often'))
    .input(
      workspaceInput.extend({
        /** Attempts each unblocked task gets before it is blocked again; omitted: its max_attempts. */
        maxAttempts: z.int().min(1).max(MAX_RETRY_ATTEMPTS).optional(),
      }),
    )
    .output(unblockReportSchema),
  sweep: forPrograms
    .route(post('/tasks/sweep', 'Verifies the blocked tasks again without running an agent'))
    .input(workspaceInput)
    .output(z.array(sweptTaskSchema)),
}
