import { z } from 'zod'
import { notificationSubjectSchema } from '../vocabulary/notification-schema.ts'
import { severitySchema } from '../vocabulary/severity.ts'

export const messageSchema = z.object({
  /** The same for every try to send it. */
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  about: notificationSubjectSchema,
  severity: severitySchema,
  workspace: z.object({ id: z.string(), name: z.string() }).nullable(),
  task: z.string().nullable(),
  title: z.string(),
  body: z.string(),
})

/** One notification to the operator, whatever the channel. */
export type ChannelMessage = Readonly<z.infer<typeof messageSchema>>
