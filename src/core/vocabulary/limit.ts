import { z } from 'zod'

/** A daily limit that was reached, or nearly: for which day, in what unit, and how far. */
export const spentLimitSchema = z.object({
  scope: z.enum(['workspace', 'all']),
  unit: z.enum(['usd', 'tokens']),
  limit: z.number(),
  used: z.number(),
  /** True if a part of it was reported in tokens and priced by the table. */
  isEstimate: z.boolean(),
})

export type SpentLimit = z.infer<typeof spentLimitSchema>

/** What happens at a daily limit: `pause` stops, `warn` only notifies. */
export const AT_LIMIT = ['pause', 'warn'] as const

export type AtLimit = (typeof AT_LIMIT)[number]
