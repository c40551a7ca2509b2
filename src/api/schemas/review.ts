import { z } from 'zod'
import { heldWorkSchema } from '../../core/read-model/held.ts'

export const reviewListSchema = z.object({ held: z.array(heldWorkSchema) })

/** What an answer did: to the score, and to files. */
export const reviewAnswerSchema = z.object({
  /** The attempts that were answered, those held with it among them. */
  answered: z.array(z.string()),
  delta: z.number(),
  score: z.number(),
  putBack: z.array(z.string()),
  /** Files that could not be put back; of accepted work: the contract, where what is to be allowed could not be written into it. */
  failed: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Globs written into the task's `may_change`; of an answer taken back: those that could not be taken out of it. */
  mayChange: z.array(z.string()),
})

export type ReviewAnswer = z.infer<typeof reviewAnswerSchema>
