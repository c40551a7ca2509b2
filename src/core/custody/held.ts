import { z } from 'zod'
import { heldReasonSchema } from '../vocabulary/held.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'

/** What one way of running the checks said, for the operator to compare. */
export const checkRunSchema = z.object({
  /** `null`: it was not run. */
  verdict: verdictSchema.nullable(),
  reasons: z.array(z.string()),
})

/** Work held for review: it scores nothing until the operator has answered. */
export const heldSchema = z.object({
  /** By which it is answered: the attempt's own, or that of the earlier one it is answered with. */
  id: z.string(),
  because: heldReasonSchema,
  /** At most 50 paths from the workspace, or names of tests; the first ones. */
  files: z.array(z.string()),
  inPlace: checkRunSchema,
  cleanRoom: checkRunSchema,
  /** The earlier attempt it is answered with; `null`: none. */
  with: z.string().nullable(),
})

export type CheckRun = z.infer<typeof checkRunSchema>
export type Held = z.infer<typeof heldSchema>

export const MAX_HELD_FILES = 50
