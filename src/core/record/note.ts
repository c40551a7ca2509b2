import { z } from 'zod'
import { noteOriginSchema } from '../vocabulary/note.ts'

/** Words of the operator's to the agent: they go into one prompt. */
export const noteSchema = z.object({
  /** Stable over replays. */
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** At most 2,000 characters. */
  text: z.string(),
  /** The task it is about; `null`: whichever is tried next. */
  taskId: z.string().nullable(),
  from: noteOriginSchema,
  /** The attempt whose prompt contains it; `null` while it waits. */
  deliveredIn: z.string().nullable(),
})

export type Note = Readonly<z.infer<typeof noteSchema>>
