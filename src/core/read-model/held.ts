import { z } from 'zod'
import type { WorkspaceState } from '../record/state.ts'
import { heldReasonSchema } from '../vocabulary/held.ts'

/** Work held for review. */
export const heldWorkSchema = z.object({
  attemptId: z.string(),
  taskId: z.string(),
  because: heldReasonSchema,
  /** Files that differ from the baseline, or names of tests; at most 50. */
  files: z.array(z.string()),
  /** The earlier attempt that is answered together with it; `null` if there is none. */
  with: z.string().nullable(),
  at: z.string(),
  required: z.boolean(),
})

export type HeldWork = z.infer<typeof heldWorkSchema>

/** Returns the work held for review, oldest first. */
export function heldViews({ held }: WorkspaceState): HeldWork[] {
  return held.map(({ day: _day, files, ...work }) => ({ ...work, files: [...files] }))
}
