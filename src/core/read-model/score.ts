import { z } from 'zod'
import { timestamp } from '../pacing/schedule.ts'
import type { WorkspaceState } from '../record/state.ts'
import { dailyScoreSchema } from '../scoring/daily-score.ts'
import type { Standing } from '../scoring/types.ts'
import { penaltySchema, rewardSchema } from '../vocabulary/standing-schema.ts'
import { LAST_DAYS } from './last-days.ts'

export const scoreSchema = z.object({
  workspace: z.string(),
  date: z.string(),
  score: z.number(),
  target: z.number(),
  pointsToTarget: z.number(),
  /** Share of the target in percent, one decimal. */
  percent: z.number(),
  verified: z.int(),
  failed: z.int(),
  unclear: z.int(),
  /** Attempts held for review, on any day. */
  held: z.int().default(0),
  contradictions: z.int(),
  thumbsUp: z.int(),
  thumbsDown: z.int(),
  streakDays: z.int(),
  penalty: penaltySchema,
  reward: rewardSchema,
  intervalMinutes: z.number(),
  nextHeartbeatAt: z.string().nullable(),
  lifetime: z.object({
    targetFloor: z.number(),
    totalScore: z.number(),
    daysTracked: z.int(),
    bestScore: z.number(),
    verified: z.int(),
    failed: z.int(),
    contradictions: z.int(),
    longestStreak: z.int(),
  }),
})

export const scoreHistorySchema = z.object({
  today: dailyScoreSchema,
  /** Oldest first, at most 7. */
  history: z.array(dailyScoreSchema),
  targetFloor: z.number(),
})

/** The history of one workspace, in a list of several. */
export const workspaceHistorySchema = scoreHistorySchema.extend({ workspace: z.string() })

export type Score = z.infer<typeof scoreSchema>

export type ScoreHistory = z.infer<typeof scoreHistorySchema>

export type WorkspaceHistory = z.infer<typeof workspaceHistorySchema>

/** Returns today's score, and the agent's timeout in the next heartbeat; `nextMs` is when that is due. */
export function scoreView(
  workspace: string,
  state: WorkspaceState,
  standing: Standing,
  nextMs: number | null,
  zone: string,
): Score {
  const { today, lifetime } = state.score
  return {
    workspace,
    date: today.date,
    score: today.score,
    target: today.target,
    pointsToTarget: Math.max(0, today.target - today.score),
    percent: Math.round((today.score / today.target) * 1000) / 10,
    verified: today.verifiedCount,
    failed: today.failedCount,
    unclear: today.unclearCount,
    held: state.held.length,
    contradictions: today.contradictionCount,
    thumbsUp: today.thumbsUp,
    thumbsDown: today.thumbsDown,
    streakDays: lifetime.currentStreak,
    penalty: standing.penalty,
    reward: standing.reward,
    intervalMinutes: standing.intervalMinutes,
    nextHeartbeatAt: nextMs === null ? null : timestamp(nextMs, zone),
    lifetime: {
      targetFloor: lifetime.targetFloor,
      totalScore: lifetime.totalPoints,
      daysTracked: lifetime.daysTracked,
      bestScore: lifetime.bestDay,
      verified: lifetime.totalVerified,
      failed: lifetime.totalFailed,
      contradictions: lifetime.totalContradictions,
      longestStreak: lifetime.longestStreak,
    },
  }
}

/** Returns today and the archived days. */
export function historyView(state: WorkspaceState): ScoreHistory {
  const { today, history, lifetime } = state.score
  return { today, history: history.slice(0, LAST_DAYS).reverse(), targetFloor: lifetime.targetFloor }
}
