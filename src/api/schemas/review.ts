import { z } from 'zod'
import { HELD_REASONS } from '../../core/custody/held.ts'

/** Work that waits for the operator. */
export const heldWorkSchema = z.object({
  attemptId: z.string(),
  taskId: z.string(),
  because: z.enum(HELD_REASONS),
  /** Files that differ from the base, or names of tests; at most 50. */
  files: z.array(z.string()),
  /** The earlier attempt it is answered with; `null`: none. */
  with: z.string().nullable(),
  at: z.string(),
  required: z.boolean(),
})

export const reviewListSchema = z.object({ held: z.array(heldWorkSchema) })

/** What an answer did: to the score, and to files. */
export const reviewAnswerSchema = z.object({
  /** The attempts that were answered, those held with it among them. */
  answered: z.array(z.string()),
  delta: z.number(),
  score: z.number(),
  putBack: z.array(z.string()),
  /** Files that could not be put back. */
  failed: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Globs written into the task's `may_change`. */
  mayChange: z.array(z.string()),
})

export type HeldWork = z.infer<typeof heldWorkSchema>
export type ReviewAnswer = z.infer<typeof reviewAnswerSchema>
