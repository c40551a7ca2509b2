import { z } from 'zod'
import { noteOriginSchema } from '../vocabulary/note.ts'

/** Words of the operator's to the agent, and the attempt in whose prompt they stand. */
export const noteSchema = z.object({
  id: z.string(),
  at: z.string(),
  text: z.string(),
  /** `null`: for whichever task is tried next. */
  taskId: z.string().nullable(),
  from: noteOriginSchema,
  /** `null` where it still waits for a prompt. */
  deliveredIn: z.string().nullable(),
})

export type Note = z.infer<typeof noteSchema>
