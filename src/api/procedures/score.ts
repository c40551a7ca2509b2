import { z } from 'zod'
import { importedHistorySchema } from '../../core/exchange/history.ts'
import { scoreHistorySchema, scoreSchema, workspaceHistorySchema } from '../../core/read-model/score.ts'
import { thumbSchema } from '../../core/vocabulary/task.ts'
import { base, forPrograms, get, pageInput, post, workspaceInput } from './base.ts'

export const scoreProcedures = {
  get: forPrograms.route(get('/score', "Today's score")).input(workspaceInput).output(scoreSchema),
  history: forPrograms
    .route(get('/score/history', 'Today and up to 7 archived days, oldest first'))
    .input(workspaceInput)
    .output(scoreHistorySchema),
  histories: forPrograms
    .route(
      get(
        '/score/histories',
        'Today and up to 7 archived days of every workspace; a page with "limit" and "after"',
      ),
    )
    .input(pageInput.optional())
    .output(z.array(workspaceHistorySchema)),
  importHistory: base
    .route(
      post(
        '/score/history/import',
        'Imports days that another program kept; 409 if the workspace has its own history',
      ),
    )
    .input(workspaceInput.extend({ history: importedHistorySchema }))
    .output(scoreHistorySchema),
  feedback: base
    .route(post('/score/feedback', 'Thumbs up or down'))
    .input(
      workspaceInput.extend({
        feedback: thumbSchema,
        attemptId: z.string().optional(),
        note: z.string().max(2000).optional(),
      }),
    )
    .output(z.object({ delta: z.number(), score: z.number() })),
  undoFeedback: base
    .route(post('/score/feedback/undo', 'Undoes the last thumb within a minute; 409 if there is none'))
    .input(workspaceInput.extend({ attemptId: z.string().optional() }))
    .output(z.object({ delta: z.number(), score: z.number() })),
}
