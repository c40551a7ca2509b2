import { z } from 'zod'
import { base, post, workspaceInput } from './base.ts'

/** What was just marked as seen, and what stays unreviewed. */
export const seenAnswerSchema = z.object({
  /** Empty if all had been seen already. */
  seen: z.array(z.string()),
  /** How many of these are not contradictions: rigged checks and refused requests. */
  others: z.int().min(0).optional(),
  unreviewed: z.int().min(0),
  /** How many of those that stay unreviewed are not contradictions. */
  unreviewedOthers: z.int().min(0).optional(),
})

export type SeenAnswer = z.infer<typeof seenAnswerSchema>

export const seenProcedures = {
  all: base
    .route(post('/seen', 'Marks all contradictions of the workspace as reviewed; nothing is scored'))
    .input(workspaceInput)
    .output(seenAnswerSchema),
  undo: base
    .route(post('/seen/undo', 'Marks these as not reviewed again'))
    .input(workspaceInput.extend({ ids: z.array(z.string()).min(1).max(200) }))
    .output(z.object({ unreviewed: z.int().min(0) })),
}
