import { z } from 'zod'
import { heldWorkSchema } from '../../core/read-model/held.ts'

export const reviewListSchema = z.object({ held: z.array(heldWorkSchema) })

/** An answer's effect on score and files. */
export const reviewAnswerSchema = z.object({
  /** The attempts that were answered, including those held with it. */
  answered: z.array(z.string()),
  delta: z.number(),
  score: z.number(),
  putBack: z.array(z.string()),
  /** Files that could not be restored; for accepted work: the contract, if the permission could not be written into it. */
  failed: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Globs written into the task's `may_change`; for an undone answer: those that could not be removed. */
  mayChange: z.array(z.string()),
})

export type ReviewAnswer = z.infer<typeof reviewAnswerSchema>
