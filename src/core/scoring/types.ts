import type { PenaltyLevel, RewardLevel, StandingLevel } from '../vocabulary/standing.ts'
import type { DailyScore } from './daily-score.ts'

export interface LifetimeScore {
  readonly totalVerified: number
  readonly totalFailed: number
  /** Sum of all points ever given, including today's. */
  readonly totalPoints: number
  readonly bestDay: number
  readonly worstDay: number
  readonly currentStreak: number
  readonly longestStreak: number
  readonly daysTracked: number
  /** The ratchet: the target never falls below it. */
  readonly targetFloor: number
  readonly totalContradictions: number
}

/** The content of `heartbeat-score.json`. */
export interface ScoreState {
  readonly today: DailyScore
  /** Archived days, newest first, at most 366. */
  readonly history: readonly DailyScore[]
  readonly lifetime: LifetimeScore
}

/** What the score means for the next heartbeat. */
export interface Standing {
  readonly penalty: PenaltyLevel
  readonly reward: RewardLevel
  /** The worse of the two for the shield: penalty unless `none`, else reward, else `none`. */
  readonly level: StandingLevel
  readonly intervalMinutes: number
  readonly forceAllRequired: boolean
  /** One sentence for prompt and screen; empty if the level is `none`. */
  readonly message: string
  /** Why the interval is what it is, in words. */
  readonly intervalReason: string
}
