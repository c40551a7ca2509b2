import type { PenaltyLevel, RewardLevel, StandingLevel } from '../vocabulary/standing.ts'

/** One local day of one workspace. The first seven fields are ArgentOS's. */
export interface DailyScore {
  /** YYYY-MM-DD in the workspace's time zone. */
  readonly date: string
  readonly score: number
  readonly peakScore: number
  readonly lowestScore: number
  readonly verifiedCount: number
  readonly failedCount: number
  readonly targetReached: boolean
  /** The target in force that day. */
  readonly target: number
  readonly unclearCount: number
  readonly contradictionCount: number
  readonly thumbsUp: number
  readonly thumbsDown: number
  /** Attempts judged: 0 means that nothing ran, and the day is not archived. */
  readonly judgedCount: number
  /** Verdicts of that day that the operator overruled. */
  readonly overruledCount: number
}

export interface LifetimeScore {
  readonly totalVerified: number
  readonly totalFailed: number
  /** Sum over all points ever given, today's included. */
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

/** `heartbeat-score.json`. */
export interface ScoreState {
  readonly today: DailyScore
  /** Archived days, newest first, at most 366. */
  readonly history: readonly DailyScore[]
  readonly lifetime: LifetimeScore
}

/** What the score means for the next cycle. */
export interface Standing {
  readonly penalty: PenaltyLevel
  readonly reward: RewardLevel
  /** The worse of the two for the shield: penalty unless `none`, else reward, else `none`. */
  readonly level: StandingLevel
  readonly intervalMinutes: number
  readonly forceAllRequired: boolean
  /** One sentence for prompt and screen; empty where the level is `none`. */
  readonly message: string
  /** "Why is the interval what it is", in words. */
  readonly intervalReason: string
}
