import { z } from 'zod'
import { noteOriginSchema } from '../vocabulary/note.ts'

/** A message from the operator to the agent, for a single prompt. */
export const noteSchema = z.object({
  /** Unchanged by a replay. */
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** At most 2,000 characters. */
  text: z.string(),
  /** The task it is about; `null`: the next one that is tried. */
  taskId: z.string().nullable(),
  from: noteOriginSchema,
  /** The attempt whose prompt contained it; `null` while it waits. */
  deliveredIn: z.string().nullable(),
})

export type Note = Readonly<z.infer<typeof noteSchema>>
