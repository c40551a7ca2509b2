import { z } from 'zod'

/** What a day has used and, going on like that, will have used by midnight. */
export const paceSchema = z.object({
  usd: z.number().nullable(),
  tokens: z.number().nullable(),
  /** A part of it was told in tokens and priced by the table. */
  isEstimate: z.boolean(),
  /** `null`: too early to say. */
  usdByMidnight: z.number().nullable(),
  tokensByMidnight: z.number().nullable(),
})

export type Pace = Readonly<z.infer<typeof paceSchema>>
