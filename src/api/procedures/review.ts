import { z } from 'zod'
import { heldDecisionSchema } from '../../core/vocabulary/held.ts'
import { reviewAnswerSchema, reviewListSchema } from '../schemas/review.ts'
import { base, forPrograms, workspaceInput } from './base.ts'

export const reviewProcedures = {
  list: forPrograms
    .route({ method: 'GET', path: '/review', summary: 'Work held for review, oldest first' })
    .input(workspaceInput)
    .output(reviewListSchema),
  answer: base
    .route({
      method: 'POST',
      path: '/review/{id}',
      summary: 'Accepts or refuses held work; work held with it gets the same answer',
    })
    .input(
      workspaceInput.extend({
        id: z.string(),
        answer: heldDecisionSchema,
        /** If accepted: the task may change these files in the future. */
        always: z.boolean().default(false),
        /** If refused: also as a contradiction. */
        rigged: z.boolean().default(false),
        /** If refused: restores the files to the baseline. */
        putBack: z.boolean().default(false),
        reason: z.string().trim().max(2000).optional(),
      }),
    )
    .output(reviewAnswerSchema),
  undo: base
    .route({
      method: 'POST',
      path: '/review/{id}/undo',
      summary: 'Undoes an answer: the work is held again',
    })
    .input(workspaceInput.extend({ id: z.string() }))
    .output(reviewAnswerSchema),
}
