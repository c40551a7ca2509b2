import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { timelineFilterSchema, timelinePageSchema } from '../schemas/timeline.ts'
import { forPrograms, get, workspaceInput } from './base.ts'

const filteredInput = workspaceInput.extend(timelineFilterSchema.shape)

export const timelineExportInput = filteredInput.extend({ format: z.enum(['json', 'csv']).default('json') })

export const timelineProcedures = {
  list: forPrograms
    .route(get('/timeline', 'Everything that happened, newest first'))
    .input(
      filteredInput.extend({
        limit: z.coerce.number().int().min(1).max(200).default(50),
        /** `nextCursor` of the previous answer, to continue from there. */
        cursor: z.string().max(40).optional(),
        /** Instead of a cursor: the number of entries to skip. */
        offset: z.coerce.number().int().min(0).optional(),
        /** Instead of both: the page around the entry with this id. */
        at: z.string().max(40).optional(),
        upTo: z.coerce.number().int().min(0).optional(),
        /** Only entries after this position of the ledger. */
        after: z.coerce.number().int().min(0).optional(),
      }),
    )
    .output(timelinePageSchema),
  /** Over HTTP this is `GET /api/timeline/export`, written by the server itself as one document. */
  export: forPrograms.input(timelineExportInput).output(eventIterator(z.string())),
}
