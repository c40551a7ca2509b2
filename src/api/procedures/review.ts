import { z } from 'zod'
import { heldDecisionSchema } from '../../core/vocabulary/held.ts'
import { reviewAnswerSchema, reviewListSchema } from '../schemas/review.ts'
import { base, forPrograms, get, post, workspaceInput } from './base.ts'

export const reviewProcedures = {
  list: forPrograms
    .route(get('/review', 'Work held for review, oldest first'))
    .input(workspaceInput)
    .output(reviewListSchema),
  answer: base
    .route(post('/review/{id}', 'Accepts or refuses held work; work held with it gets the same answer'))
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
    .route(post('/review/{id}/undo', 'Undoes an answer: the work is held again'))
    .input(workspaceInput.extend({ id: z.string() }))
    .output(reviewAnswerSchema),
}
