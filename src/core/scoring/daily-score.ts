import { z } from 'zod'

/** One local day of one workspace. The first seven fields are ArgentOS's. */
export const dailyScoreSchema = z.object({
  /** YYYY-MM-DD in the workspace's time zone. */
  date: z.string(),
  score: z.number(),
  peakScore: z.number(),
  lowestScore: z.number(),
  verifiedCount: z.int(),
  failedCount: z.int(),
  targetReached: z.boolean(),
  /** The target in effect that day. */
  target: z.number(),
  unclearCount: z.int(),
  contradictionCount: z.int(),
  thumbsUp: z.int(),
  thumbsDown: z.int(),
  /** Number of judged attempts. 0 means that nothing ran, and the day is not archived. */
  judgedCount: z.int(),
  /** Verdicts of that day that the operator overruled. */
  overruledCount: z.int(),
})

export type DailyScore = Readonly<z.infer<typeof dailyScoreSchema>>
