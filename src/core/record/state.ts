import type { UsageTotals } from '../activity/usage.ts'
import type { ScoringRules } from '../configuration/scoring.ts'
import type { ProposalItem } from '../contract/proposal-items.ts'
import type { Held } from '../custody/held.ts'
import type { CycleProgress, TaskProgress } from '../cycle/types.ts'
import type {
  AgentProfile,
  FeedbackMessage,
  InterventionRecord,
  InterventionTotals,
} from '../intervention/types.ts'
import type { ScoreState, Standing } from '../scoring/types.ts'
import type { Comparison } from '../verification/evidence-row.ts'
import type { CostPhase } from '../vocabulary/cost-phase.ts'
import type { Fault } from '../vocabulary/fault.ts'
import type { RecordedHeartbeat } from '../vocabulary/heartbeat.ts'
import type { HeldDecision } from '../vocabulary/held.ts'
import type { SpentLimit } from '../vocabulary/limit.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { CustodyFile, ProposalState } from '../vocabulary/proposal.ts'
import type { SessionAgent } from '../vocabulary/session.ts'
import type { ShieldLevel } from '../vocabulary/standing.ts'
import type { Thumb } from '../vocabulary/task.ts'
import type { UnreviewedCause } from '../vocabulary/unreviewed.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import type { AttemptResult, RecordedTask } from './events.ts'
import type { LandingRecord } from './landing-record.ts'
import type { Note } from './note.ts'
import type { SessionRecord } from './session-record.ts'
import type { TaskAttempt, TaskUnblock } from './task-entry.ts'

/** What the state keeps about a finished attempt; the whole result is in the ledger at `seq`. */
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
  /** The verdict that counts: the operator's if they overruled it. */
  readonly verdict: Verdict | null
  readonly groundTruthContradiction: boolean
  readonly fault: Fault | null
  readonly points: number
  /** For the overview: at most 8 reasons and 12 comparisons, each text at most 300 characters. */
  readonly reasons: readonly string[]
  readonly comparisons: readonly Comparison[]
  readonly remedy: string | null
  readonly feedback: Thumb | null
  /** The note given with the latest thumb, at most 300 characters. */
  readonly feedbackNote: string | null
  /** Work that was held for review, and the operator's answer; `null`: it never was. */
  readonly review: ReviewSummary | null
  /** True if the agent's circuit breaker had counted it as rigged before that was undone. Omitted: it had not. */
  readonly riggedSeen?: boolean
  readonly overruled: {
    readonly from: Verdict | null
    /** The points of the first verdict; older versions kept none. */
    readonly points?: number | undefined
    readonly reason: string
    readonly at: string
  } | null
  /** Number of files that changed while it ran. Omitted if not known. */
  readonly filesChangedCount?: number
  /** How the supervisor died during it. Omitted: it did not, or an older version recorded it. */
  readonly interrupted?: AttemptResult['interrupted']
  /** The operator restored the files it had changed. Omitted: they did not. */
  readonly undone?: { readonly at: string; readonly files: number }
}

/** The state of held work. */
export interface ReviewSummary extends Pick<Held, 'because' | 'files' | 'with'> {
  /** `null`: it is waiting for an answer. */
  readonly answer: {
    readonly answer: HeldDecision
    readonly rigged: boolean
    readonly at: string
  } | null
}

/** Work held for review. */
export interface HeldWork extends Pick<Held, 'because' | 'files' | 'with'> {
  readonly attemptId: string
  readonly taskId: string
  /** ISO 8601. */
  readonly at: string
  /** Local day on which an answer is scored. */
  readonly day: string
  readonly required: boolean
}

/** Something that made a claim worthless and that the operator has not reviewed. */
export interface UnreviewedContradiction {
  /** The attempt's id; for a refused request outside any attempt, the intervention's; for a session's turn, `turn-SEQ`. */
  readonly id: string
  readonly attemptId: string | null
  readonly taskId: string | null
  readonly because: UnreviewedCause
  /** ISO 8601. */
  readonly at: string
  /** The session it happened in; omitted: it was an attempt of Pulseward's own, or a request. */
  readonly session?: {
    readonly id: string
    readonly agent: SessionAgent
    readonly prompt: string
    /** What was claimed and measured; `null`: not recorded. */
    readonly fact: string | null
  }
}

/** A recent heartbeat, together with those right before it that differ only in time. */
export interface HeartbeatRecord {
  readonly state: RecordedHeartbeat
  /** ISO 8601: when it began, or when it was due if it never began. */
  readonly at: string
  /** Times of those before it, newest first; omitted if none. A separate record for each would be a third of an idle workspace's memory. */
  readonly earlier?: readonly string[]
  readonly finishedAt: string | null
  readonly cycle: number | null
  /** More than 1 if several missed heartbeats were collapsed. */
  readonly count: number
  readonly detail: string
}

export interface RunningCycle {
  readonly cycle: number
  readonly startedAt: string
  readonly forceAllRequired: boolean
  /** The running attempt that began last. */
  readonly attempt: RunningAttempt | null
  /** Attempts running in parallel in separate trees; omitted if none. */
  readonly others?: readonly RunningAttempt[]
}

export interface RunningAttempt {
  readonly attemptId: string
  readonly taskId: string
  readonly startedAt: string
  readonly timeoutSeconds: number
  /** Identifies the boot of the machine it was started on; omitted if unknown. */
  readonly boot?: string
  /** Number of processes that the kernel had killed for lack of memory when it began; omitted if unknown. */
  readonly oomKills?: number
}

/** Interventions as they were before a reset. */
export interface InterventionArchive {
  /** ISO 8601: when it was reset. */
  readonly at: string
  readonly interventions: readonly InterventionRecord[]
  readonly totals: InterventionTotals
  readonly profiles: Readonly<Record<string, AgentProfile>>
}

/** The latest thumb, as long as it can be undone. */
export interface LastThumb {
  /** ISO 8601. */
  readonly at: string
  /** Local day it counted on. */
  readonly day: string
  readonly attemptId: string | null
  readonly taskId: string | null
  readonly feedback: Thumb
  readonly points: number
  /** The attempt's earlier thumb. */
  readonly previous: Thumb | null
  readonly noteId: string
}

/** What is remembered about a task across all cycles, as long as it stays in the contract. */
export interface TaskHistory {
  /** Newest first, at most 30. */
  readonly entries: readonly (TaskAttempt | TaskUnblock)[]
  /** Number of attempts at this task that ever timed out, not counting those stopped by the environment. */
  readonly timeouts: number
  /** Seconds of its completed attempts, newest first, at most 50. */
  readonly completedSeconds: readonly number[]
  /** Set by an unblock for the next attempt only; an attempt that the environment stops passes it on to the next. */
  readonly unblockSeconds: number | null
  readonly autoUnblocks: number
  /** The latest sweep's finding since it was blocked. */
  readonly swept: { readonly holds: boolean | null; readonly reason: string; readonly at: string } | null
  /** The state before its last unblock, so that that can be undone; `null` once the task was tried or judged again. */
  readonly unblocked: TaskBeforeUnblock | null
  /** Usage of all its attempts; `null` if no program reported any. */
  readonly usage: UsageTotals | null
  /** Consecutive verdicts that were the contract's fault; an edit of its check or of the configuration resets the count. */
  readonly contractFaults?: number
  /** Paths that changed in attempts that were not refuted, newest first, at most 200. */
  readonly finished?: readonly string[]
  /** Paths that changed in attempts that were refuted, newest first, at most 200. */
  readonly refuted?: readonly string[]
  /** What its last verdict rests on if that was `verified` with nothing to measure; left out otherwise. */
  readonly restsOn?: {
    /** The task's `taskWords` at that time. */
    readonly task: string
    readonly files: readonly { readonly path: string; readonly sha256: string }[]
  }
}

/** The state of a blocked task before it was unblocked. */
export interface TaskBeforeUnblock {
  /** ISO 8601: when it was unblocked. */
  readonly at: string
  readonly progress: TaskProgress
  readonly before: Pick<TaskHistory, 'unblockSeconds' | 'autoUnblocks' | 'swept'>
}

/** How one agent worked on one day. Verdicts are the verifier's: overruling changes none of these. */
export interface AgentDay {
  /** `none`: attempts without a verdict. */
  readonly attempts: Readonly<Record<Verdict | 'none', number>>
  readonly contradictions: number
  /** By type. */
  readonly interventions: Readonly<Record<string, number>>
  /** Attempts not stopped by the environment, to which evidence and durations refer. */
  readonly worked: number
  readonly evidence: number
  /** Durations of its attempts in seconds, newest first, at most 100; a run's duration is divided equally among its tasks. */
  readonly seconds: readonly number[]
  readonly usage: UsageTotals | null
}

/** One local day's figures. */
export interface DayFigures {
  /** YYYY-MM-DD. */
  readonly day: string
  /** By agent id, at most 10, the latest to run first. */
  readonly agents: Readonly<Record<string, AgentDay>>
  /** Interventions that belong to no single attempt, by type. */
  readonly otherInterventions: Readonly<Record<string, number>>
}

/** Totals over all attempts ever, for metrics; they only grow. */
export interface AttemptTotals {
  /** By the verifier's verdict; `none` if there was none. */
  readonly byVerdict: Readonly<Record<Verdict | 'none', number>>
  /** Agent run times: a histogram with the bounds `DURATION_BOUNDS`; each bucket counts those above the previous bound. */
  readonly seconds: { readonly count: number; readonly sum: number; readonly buckets: readonly number[] }
  /** Usage by agent, at most 50, as its program reports it. */
  readonly usage: Readonly<Record<string, UsageTotals>>
  /** Time by phase. */
  readonly costs: Readonly<Record<CostPhase, number>>
}

/** A proposed change and its current state. */
export interface Proposal {
  readonly id: string
  readonly file: CustodyFile
  readonly attemptIds: readonly string[]
  /** Who was running at that time, in words. */
  readonly during: string
  /** ISO 8601. */
  readonly at: string
  readonly adds: boolean
  readonly asksLess: boolean
  /** The items still waiting; once all are answered, those answered last. */
  readonly items: readonly ProposalItem[]
  readonly diff: string | null
  readonly state: ProposalState
  readonly answeredAt: string | null
}

/** Hashes of one file: the operator's version, and the version last seen on disk. */
export interface FileCustody {
  readonly base: string | null
  readonly seen: string | null
}

/** The latest answer to a proposal, with all that is needed to undo it. */
export interface LastAnswer {
  readonly id: string
  readonly file: CustodyFile
  readonly answer: 'accepted' | 'reverted'
  readonly items: readonly ProposalItem[]
  /** ISO 8601. */
  readonly at: string
  readonly before: FileCustody
  readonly after: FileCustody
  /** Proposals of the file as they were before the answer. */
  readonly proposals: readonly Proposal[]
}

/** An attempt's work on its way to the target, with times in ISO 8601. */
export interface LandingEntry extends LandingRecord {
  /** When it last changed. */
  readonly at: string
  /** When it entered the queue. */
  readonly since: string
}

/** The fold of a workspace's ledger. Plain data: it is snapshotted as JSON. */
export interface WorkspaceState {
  /** Omitted: there is none that can be undone. */
  readonly lastThumb?: LastThumb
  /** Omitted: there is none that can be undone. */
  readonly lastAnswer?: LastAnswer
  /** `seq` of the last folded event; 0 for the empty ledger. */
  readonly seq: number
  /** Time and local day of the last event. */
  readonly at: string | null
  readonly day: string | null
  readonly score: ScoreState
  /** The active scoring rules. */
  readonly rules: ScoringRules
  /** As last recorded; `null` before the first record. */
  readonly standing: Standing['level'] | null
  /** The same as the shield showed it; omitted if an earlier version recorded it. */
  readonly standingShown?: ShieldLevel
  readonly progress: CycleProgress
  /** The contract as last read. */
  readonly contract: { readonly hash: string; readonly tasks: readonly RecordedTask[] } | null
  readonly custody: Readonly<Partial<Record<CustodyFile, FileCustody>>>
  /** Newest first: all that wait, and the last 50 answered ones. */
  readonly proposals: readonly Proposal[]
  readonly running: RunningCycle | null
  /** Newest first, at most 500. */
  readonly attempts: readonly AttemptSummary[]
  /** Newest first, at most 300, counting `earlier` ones. */
  readonly heartbeats: readonly HeartbeatRecord[]
  readonly paused: {
    readonly since: string
    readonly until: string | null
    /** The daily limit, if that paused it. */
    readonly limit: SpentLimit | null
  } | null
  /** What was reported about the daily limits: each pauses the workspace once a day, with one warning. */
  readonly limitsReached: { readonly day: string; readonly keys: readonly string[] } | null
  readonly backoff: {
    readonly step: number
    readonly until: string
    readonly reason: string
    readonly remedy: string
    /** The service stated when it will be available again, so the operator doesn't need to act. */
    readonly isParked: boolean
    /** A gate could not be started, but the agent could. Omitted: the agent could not. */
    readonly byGate?: true
  } | null
  /** Consecutive cycles in which a task's check passed before its attempt and nothing changed, by task id. */
  readonly heldBeforeRuns: Readonly<Record<string, number>>
  /** Findings for the operator that still apply, newest first, at most 50. */
  readonly notices: readonly {
    readonly code: string
    readonly taskId: string | null
    readonly message: string
    readonly at: string
    /** The contract's hash when it was found; only for findings about an edit of it. */
    readonly contractHash?: string
  }[]
  /** ISO 8601: end of the last finished cycle; the next interval counts from it. */
  readonly lastCycleAt: string | null
  /** When a due heartbeat was last found to have nothing to do; the next one is counted from then as well. */
  readonly idleAt: string | null
  readonly tasks: Readonly<Record<string, TaskHistory>>
  /** Seconds of completed attempts by kind of work, newest first, at most 100 each. */
  readonly levelSeconds: Readonly<Record<string, readonly number[]>>
  /** Newest first, at most 50. */
  readonly feedback: readonly FeedbackMessage[]
  /** Newest first, at most 1,000; older ones are in the ledger. */
  readonly interventions: readonly InterventionRecord[]
  readonly interventionTotals: InterventionTotals
  /** By agent id, at most 50. */
  readonly profiles: Readonly<Record<string, AgentProfile>>
  readonly attemptTotals: AttemptTotals
  /** Days on which something was counted, newest first, at most 30. */
  readonly days: readonly DayFigures[]
  readonly suspended: { readonly since: string; readonly reason: string } | null
  /** Messages from the operator to the agent, newest first, at most 100. */
  readonly notes: readonly Note[]
  /** What the last reset set aside, so that it can be undone; `null` if there was none. */
  readonly interventionArchive: InterventionArchive | null
  /** Work held for review, oldest first. */
  readonly held: readonly HeldWork[]
  /** Work of isolated attempts, newest first: all that is still landing, and the last 300. */
  readonly landings: readonly LandingEntry[]
  readonly unreviewed: {
    /** Oldest first, at most 200. */
    readonly waiting: readonly UnreviewedContradiction[]
    /** Newest first, at most 200: they can be marked as unseen again. */
    readonly seen: readonly UnreviewedContradiction[]
  }
  /** Runs of agents that Pulseward did not start, the last heard from first: at most 50, plus those that wait for the operator. */
  readonly sessions: readonly SessionRecord[]
}
