import { z } from 'zod'
import { heldDecisionSchema } from '../../core/vocabulary/held.ts'
import { reviewAnswerSchema, reviewListSchema } from '../schemas/review.ts'
import { base, forPrograms, workspaceInput } from './base.ts'

export const reviewProcedures = {
  list: forPrograms
    .route({ method: 'GET', path: '/review', summary: 'Work that waits for you, oldest first' })
    .input(workspaceInput)
    .output(reviewListSchema),
  answer: base
    .route({
      method: 'POST',
      path: '/review/{id}',
      summary: 'Accepts or refuses held work; those held with it are answered alike',
    })
    .input(
      workspaceInput.extend({
        id: z.string(),
        answer: heldDecisionSchema,
        /** Accepted: the task may change these files from now on. */
        always: z.boolean().default(false),
        /** Refused: as a contradiction too. */
        rigged: z.boolean().default(false),
        /** Refused: the files are put back as in the base. */
        putBack: z.boolean().default(false),
        reason: z.string().trim().max(2000).optional(),
      }),
    )
    .output(reviewAnswerSchema),
  undo: base
    .route({
      method: 'POST',
      path: '/review/{id}/undo',
      summary: 'Takes an answer back: the work is held again',
    })
    .input(workspaceInput.extend({ id: z.string() }))
    .output(reviewAnswerSchema),
}
