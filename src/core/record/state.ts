import type { CycleProgress } from '../cycle/types.ts'
import type { ScoreState } from '../scoring/types.ts'
import type { Comparison, Fault, Outcome, Verdict } from '../verification/types.ts'
import type { RecordedTask } from './events.ts'

/** What the state keeps of a finished attempt; the whole result is in the ledger at `seq`. */
export interface AttemptSummary {
  readonly attemptId: string
  readonly seq: number
  readonly cycle: number
  readonly taskId: string
  readonly day: string
  readonly startedAt: string
  readonly durationMs: number
  readonly timeoutSeconds: number
  readonly outcome: Outcome
  readonly required: boolean
  /** The verdict that counts: the operator's where it was overruled. */
  readonly verdict: Verdict | null
  readonly groundTruthContradiction: boolean
  readonly fault: Fault | null
  readonly points: number
  /** For the overview: at most 8 reasons and 12 comparisons, each text at most 300 characters. */
  readonly reasons: readonly string[]
  readonly comparisons: readonly Comparison[]
  readonly mend: string | null
  readonly feedback: 'up' | 'down' | null
  readonly overruled: { readonly from: Verdict | null; readonly reason: string; readonly at: string } | null
}

/** One heartbeat of the recent past. */
export interface HeartbeatRecord {
  readonly state: 'running' | 'done' | 'missed' | 'skipped'
  /** ISO 8601: when it began, or when it was due where it never began. */
  readonly at: string
  readonly finishedAt: string | null
  readonly cycle: number | null
  /** More than 1 where several missed heartbeats collapsed. */
  readonly count: number
  readonly detail: string
}

export interface RunningCycle {
  readonly cycle: number
  readonly startedAt: string
  readonly forceAllRequired: boolean
  readonly attempt: {
    readonly attemptId: string
    readonly taskId: string
    readonly startedAt: string
    readonly timeoutSeconds: number
  } | null
}

/** The fold of a workspace's ledger. Plain data: it is snapshotted as JSON. */
export interface WorkspaceState {
  /** `seq` of the last event folded in; 0 for the empty ledger. */
  readonly seq: number
  /** Time and local day of the last event. */
  readonly at: string | null
  readonly day: string | null
  readonly score: ScoreState
  readonly progress: CycleProgress
  /** The contract as last read. */
  readonly contract: { readonly hash: string; readonly tasks: readonly RecordedTask[] } | null
  readonly running: RunningCycle | null
  /** Newest first, at most 500. */
  readonly attempts: readonly AttemptSummary[]
  /** Newest first, at most 300. */
  readonly heartbeats: readonly HeartbeatRecord[]
  readonly paused: { readonly since: string; readonly until: string | null } | null
  readonly backoff: {
    readonly step: number
    readonly until: string
    readonly reason: string
    readonly mend: string
  } | null
  /** Cycles running in which a task's hint already held before its attempt and nothing changed, by task id. */
  readonly heldBeforeRuns: Readonly<Record<string, number>>
  /** Findings for the operator that still stand, newest first, at most 50. */
  readonly notices: readonly {
    readonly code: string
    readonly taskId: string | null
    readonly message: string
    readonly at: string
    /** Contract in force when it was found; only of findings about an edit to it. */
    readonly contractHash?: string
  }[]
  /** ISO 8601: end of the last finished cycle, from which the next is counted. */
  readonly lastCycleAt: string | null
}
