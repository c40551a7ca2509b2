import { z } from 'zod'

/** A daily limit that was reached or nearly reached: its scope, unit and usage. */
export const spentLimitSchema = z.object({
  scope: z.enum(['workspace', 'all']),
  unit: z.enum(['usd', 'tokens']),
  limit: z.number(),
  used: z.number(),
  /** True if part of it was reported as tokens and priced from the table. */
  isEstimate: z.boolean(),
})

export type SpentLimit = z.infer<typeof spentLimitSchema>

/** What happens at a daily limit: `pause` stops, `warn` only notifies. */
export const AT_LIMIT = ['pause', 'warn'] as const

export type AtLimit = (typeof AT_LIMIT)[number]
