import { z } from 'zod'
import {
  attemptDetailSchema,
  attemptFilesSchema,
  attemptSummarySchema,
} from '../../core/read-model/attempt.ts'
import { verdictSchema } from '../../core/vocabulary/verdict.ts'
import { base, trusted, workspaceInput } from './base.ts'

export const attemptsProcedures = {
  list: base
    .route({ method: 'GET', path: '/attempts', summary: 'Attempts, newest first' })
    .input(
      workspaceInput.extend({
        limit: z.coerce.number().int().min(1).max(500).default(50),
        cursor: z.string().optional(),
      }),
    )
    .output(z.object({ attempts: z.array(attemptSummarySchema), nextCursor: z.string().nullable() })),
  get: base
    .route({ method: 'GET', path: '/attempts/{id}', summary: 'One attempt, whole' })
    .input(workspaceInput.extend({ id: z.string() }))
    .output(attemptDetailSchema),
  files: base
    .route({ method: 'GET', path: '/attempts/{id}/files', summary: 'The prompt it got, and what it changed' })
    .input(workspaceInput.extend({ id: z.string() }))
    .output(attemptFilesSchema),
  overrule: trusted
    .route({
      method: 'POST',
      path: '/attempts/{id}/overrule',
      summary: "Replaces the verifier's verdict by the operator's",
    })
    .input(
      workspaceInput.extend({
        id: z.string(),
        verdict: verdictSchema,
        reason: z.string().trim().min(1).max(2000),
      }),
    )
    .output(z.object({ delta: z.number(), score: z.number() })),
}
