import { z } from 'zod'
import { channelTypeSchema } from '../vocabulary/channel.ts'

/** The result of one try to notify: what the service answered, never that anyone has read it. */
export const receiptSchema = z.object({
  /** ISO 8601. */
  at: z.string(),
  channel: z.string(),
  type: channelTypeSchema,
  /** The title of the message. */
  title: z.string(),
  /** From 1. */
  attempt: z.int(),
  isAccepted: z.boolean(),
  /** For example `200`, `503 Service Unavailable` or `no answer within 10 seconds`. */
  answer: z.string(),
  /** When it is tried again; `null` if it isn't. */
  nextTryAt: z.string().nullable(),
})

export type Receipt = z.infer<typeof receiptSchema>
