import { z } from 'zod'
import { heldReasonSchema } from '../vocabulary/held.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'

/** The result of one way of running the checks, for the operator to compare. */
export const checkRunSchema = z.object({
  /** `null`: the check was not run. */
  verdict: verdictSchema.nullable(),
  reasons: z.array(z.string()),
})

/** Work held for review: it scores nothing until the operator has answered. */
export const heldSchema = z.object({
  /** The id to answer by: the attempt's own, or that of the earlier attempt answered together with it. */
  id: z.string(),
  because: heldReasonSchema,
  /** The first 50 paths relative to the workspace, or names of tests. */
  files: z.array(z.string()),
  inPlace: checkRunSchema,
  cleanRoom: checkRunSchema,
  /** The earlier attempt that it is answered together with; `null` if none. */
  with: z.string().nullable(),
})

export type CheckRun = z.infer<typeof checkRunSchema>
export type Held = z.infer<typeof heldSchema>

export const MAX_HELD_FILES = 50
