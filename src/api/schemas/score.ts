import { z } from 'zod'
import { penaltySchema, rewardSchema } from '../../core/vocabulary/standing.ts'

export const scoreSchema = z.object({
  workspace: z.string(),
  date: z.string(),
  score: z.number(),
  target: z.number(),
  pointsToTarget: z.number(),
  /** Share of the target in percent, one decimal. */
  percent: z.number(),
  verified: z.number().int(),
  failed: z.number().int(),
  unclear: z.number().int(),
  /** Attempts that wait for the operator, whatever their day. */
  held: z.number().int().default(0),
  contradictions: z.number().int(),
  thumbsUp: z.number().int(),
  thumbsDown: z.number().int(),
  streakDays: z.number().int(),
  penalty: penaltySchema,
  reward: rewardSchema,
  intervalMinutes: z.number(),
  nextHeartbeatAt: z.string().nullable(),
  lifetime: z.object({
    targetFloor: z.number(),
    totalScore: z.number(),
    daysTracked: z.number().int(),
    bestScore: z.number(),
    verified: z.number().int(),
    failed: z.number().int(),
    contradictions: z.number().int(),
    longestStreak: z.number().int(),
  }),
})

export const dailyScoreSchema = z.object({
  date: z.string(),
  score: z.number(),
  peakScore: z.number(),
  lowestScore: z.number(),
  verifiedCount: z.number().int(),
  failedCount: z.number().int(),
  targetReached: z.boolean(),
  target: z.number(),
  unclearCount: z.number().int(),
  contradictionCount: z.number().int(),
  thumbsUp: z.number().int(),
  thumbsDown: z.number().int(),
  judgedCount: z.number().int(),
  overruledCount: z.number().int(),
})

export const scoreHistorySchema = z.object({
  today: dailyScoreSchema,
  /** Oldest first, at most 7. */
  history: z.array(dailyScoreSchema),
  targetFloor: z.number(),
})

/** The history of one workspace among those of all. */
export const workspaceHistorySchema = scoreHistorySchema.extend({ workspace: z.string() })

export type Score = z.infer<typeof scoreSchema>

export type ScoreHistory = z.infer<typeof scoreHistorySchema>

export type WorkspaceHistory = z.infer<typeof workspaceHistorySchema>
