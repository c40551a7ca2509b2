import { z } from 'zod'

/** A day's limit that was reached, or nearly: whose day, in what, and how far. */
export const spentLimitSchema = z.object({
  scope: z.enum(['workspace', 'all']),
  unit: z.enum(['usd', 'tokens']),
  limit: z.number(),
  used: z.number(),
  /** A part of it was told in tokens and priced by the table. */
  isEstimate: z.boolean(),
})

export type SpentLimit = z.infer<typeof spentLimitSchema>

/** What the operator does at a day's limit: `pause` stops, `warn` only notifies. */
export const AT_LIMIT = ['pause', 'warn'] as const

export type AtLimit = (typeof AT_LIMIT)[number]
