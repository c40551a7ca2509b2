import { z } from 'zod'

/** What a day has used, and its projection for midnight at the same pace. */
export const paceSchema = z.object({
  usd: z.number().nullable(),
  tokens: z.number().nullable(),
  /** True if part of it was reported as tokens and priced from the table. */
  isEstimate: z.boolean(),
  /** `null`: too early to say. */
  usdByMidnight: z.number().nullable(),
  tokensByMidnight: z.number().nullable(),
})

export type Pace = Readonly<z.infer<typeof paceSchema>>
