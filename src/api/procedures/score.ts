import { z } from 'zod'
import { importedHistorySchema } from '../../core/exchange/history.ts'
import { scoreHistorySchema, scoreSchema, workspaceHistorySchema } from '../../core/read-model/score.ts'
import { thumbSchema } from '../../core/vocabulary/task.ts'
import { base, forPrograms, pageInput, workspaceInput } from './base.ts'

export const scoreProcedures = {
  get: forPrograms
    .route({ method: 'GET', path: '/score', summary: "Today's score" })
    .input(workspaceInput)
    .output(scoreSchema),
  history: forPrograms
    .route({
      method: 'GET',
      path: '/score/history',
      summary: 'Today and up to 7 archived days, oldest first',
    })
    .input(workspaceInput)
    .output(scoreHistorySchema),
  histories: forPrograms
    .route({
      method: 'GET',
      path: '/score/histories',
      summary: 'Today and up to 7 archived days of every workspace; a page with "limit" and "after"',
    })
    .input(pageInput.optional())
    .output(z.array(workspaceHistorySchema)),
  importHistory: base
    .route({
      method: 'POST',
      path: '/score/history/import',
      summary: 'Imports days that another program kept; 409 if the workspace has its own history',
    })
    .input(workspaceInput.extend({ history: importedHistorySchema }))
    .output(scoreHistorySchema),
  feedback: base
    .route({ method: 'POST', path: '/score/feedback', summary: 'Thumbs up or down' })
    .input(
      workspaceInput.extend({
        feedback: thumbSchema,
        attemptId: z.string().optional(),
        note: z.string().max(2000).optional(),
      }),
    )
    .output(z.object({ delta: z.number(), score: z.number() })),
  undoFeedback: base
    .route({
      method: 'POST',
      path: '/score/feedback/undo',
      summary: 'Undoes the last thumb within a minute; 409 if there is none',
    })
    .input(workspaceInput.extend({ attemptId: z.string().optional() }))
    .output(z.object({ delta: z.number(), score: z.number() })),
}
