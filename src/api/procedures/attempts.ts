import { z } from 'zod'
import {
  attemptDetailSchema,
  attemptFilesSchema,
  attemptSummarySchema,
  undoAnswerSchema,
} from '../../core/read-model/attempt.ts'
import { verdictSchema } from '../../core/vocabulary/verdict.ts'
import { base, forPrograms, get, post, workspaceInput } from './base.ts'
import { seenAnswerSchema } from './seen.ts'

export const attemptsProcedures = {
  list: forPrograms
    .route(get('/attempts', 'Attempts, newest first'))
    .input(
      workspaceInput.extend({
        limit: z.coerce.number().int().min(1).max(500).default(50),
        cursor: z.string().optional(),
      }),
    )
    .output(z.object({ attempts: z.array(attemptSummarySchema), nextCursor: z.string().nullable() })),
  get: forPrograms
    .route(get('/attempts/{id}', 'One attempt in full'))
    .input(workspaceInput.extend({ id: z.string() }))
    .output(attemptDetailSchema),
  files: forPrograms
    .route(get('/attempts/{id}/files', 'The prompt it got, and what it changed'))
    .input(workspaceInput.extend({ id: z.string() }))
    .output(attemptFilesSchema),
  // Needs no proof of who sent it: agents' processes are rejected, and everything else must be able to stop a run in an
  // emergency.
  stop: forPrograms
    .route(
      post(
        '/attempts/{id}/stop',
        'Stops the running attempt and its heartbeat now, without a score; 409 if it is not running',
      ),
    )
    .input(workspaceInput.extend({ id: z.string() }))
    .output(z.object({ attemptId: z.string(), taskId: z.string() })),
  undo: base
    .route(
      post(
        '/attempts/{id}/undo',
        'Restores what its run changed, including untracked files; 409 while a heartbeat runs',
      ),
    )
    .input(workspaceInput.extend({ id: z.string(), reason: z.string().trim().max(2000).optional() }))
    .output(undoAnswerSchema),
  redo: base
    .route(post('/attempts/{id}/redo', 'Undoes a restore'))
    .input(workspaceInput.extend({ id: z.string() }))
    .output(undoAnswerSchema),
  overrule: base
    .route(post('/attempts/{id}/overrule', "Replaces the verifier's verdict with the operator's"))
    .input(
      workspaceInput.extend({
        id: z.string(),
        verdict: verdictSchema,
        reason: z.string().trim().min(1).max(2000),
      }),
    )
    .output(z.object({ delta: z.number(), score: z.number() })),
  seen: base
    .route(post('/attempts/{id}/seen', 'Marks its contradiction as reviewed; nothing is scored'))
    .input(workspaceInput.extend({ id: z.string(), how: z.enum(['opened', 'marked']).default('marked') }))
    .output(seenAnswerSchema),
}
