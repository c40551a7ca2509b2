import { z } from 'zod'

/** Why work is held, in the order in which one reason goes before another. */
export const HELD_REASONS = ['check', 'earlier', 'clean-room', 'tests', 'dependencies'] as const

/** What one way of running the checks said, for the operator to compare. */
export const checkRunSchema = z.object({
  /** `null`: it was not run. */
  verdict: z.enum(['verified', 'not_verified', 'unclear']).nullable(),
  reasons: z.array(z.string()),
})

/** Work that is neither paid nor refused until the operator has looked. */
export const heldSchema = z.object({
  /** By which it is answered: the attempt's own, or that of the earlier one it is answered with. */
  id: z.string(),
  because: z.enum(HELD_REASONS),
  /** At most 50 paths from the workspace, or names of tests; the first ones. */
  files: z.array(z.string()),
  inPlace: checkRunSchema,
  cleanRoom: checkRunSchema,
  /** The earlier attempt it is answered with; `null`: none. */
  with: z.string().nullable(),
})

export type HeldReason = (typeof HELD_REASONS)[number]
export type CheckRun = z.infer<typeof checkRunSchema>
export type Held = z.infer<typeof heldSchema>

export const MAX_HELD_FILES = 50
