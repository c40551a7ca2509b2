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
  readonly remedy: string | null
  readonly feedback: Thumb | null
  /** What was noted with the latest thumb, at most 300 characters. */
  readonly feedbackNote: string | null
  /** Work that waited for the operator, and their answer; `null`: it never did. */
  readonly review: ReviewSummary | null
  /** The agent's circuit breaker had seen it as rigged before that was undone. Left out: it had not. */
  readonly riggedSeen?: boolean
  readonly overruled: {
    readonly from: Verdict | null
    /** The points of the first verdict; older versions kept none. */
    readonly points?: number | undefined
    readonly reason: string
    readonly at: string
  } | null
  /** How many files changed while it ran. Left out: not known. */
  readonly filesChangedCount?: number
  /** How the supervisor died in it. Left out: it did not, or an older version recorded it. */
  readonly interrupted?: AttemptResult['interrupted']
  /** The operator restored the files it had changed. Left out: they did not. */
  readonly undone?: { readonly at: string; readonly files: number }
}

/** The state of held work. */
export interface ReviewSummary extends Pick<Held, 'because' | 'files' | 'with'> {
  /** `null`: it waits. */
  readonly answer: {
    readonly answer: HeldDecision
    readonly rigged: boolean
    readonly at: string
  } | null
}

/** Work that waits for the operator. */
export interface HeldWork extends Pick<Held, 'because' | 'files' | 'with'> {
  readonly attemptId: string
  readonly taskId: string
  /** ISO 8601. */
  readonly at: string
  /** Local day on which an answer is scored. */
  readonly day: string
  readonly required: boolean
}

/** What made a claim worthless, until the operator has looked at it. */
export interface UnreviewedContradiction {
  /** The attempt's id; of a refused request outside any attempt, the intervention's; of a session's turn, `turn-SEQ`. */
  readonly id: string
  readonly attemptId: string | null
  readonly taskId: string | null
  readonly because: UnreviewedCause
  /** ISO 8601. */
  readonly at: string
  /** The session in which it was; left out: an attempt of Pulseward's own, or a request. */
  readonly session?: {
    readonly id: string
    readonly agent: SessionAgent
    readonly prompt: string
    /** What was claimed and measured; `null`: not recorded. */
    readonly fact: string | null
  }
}

/** One heartbeat of the recent past, with those right before it that differ only in their time. */
export interface HeartbeatRecord {
  readonly state: RecordedHeartbeat
  /** ISO 8601: when it began, or when it was due where it never began. */
  readonly at: string
  /** Of those before it, newest first; left out: none. A record for each would be a third of what an idle workspace holds in memory. */
  readonly earlier?: readonly string[]
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
  /** Begun last, of those that run. */
  readonly attempt: RunningAttempt | null
  /** Runs beside it in separate trees; left out: none. */
  readonly others?: readonly RunningAttempt[]
}

export interface RunningAttempt {
  readonly attemptId: string
  readonly taskId: string
  readonly startedAt: string
  readonly timeoutSeconds: number
  /** Since when the machine ran that it was started on; left out where that cannot be known. */
  readonly boot?: string
  /** How often the kernel had ended a process for want of memory when it began; left out: unknown. */
  readonly oomKills?: number
}

/** Interventions as they stood before a reset. */
export interface InterventionArchive {
  /** ISO 8601: when it was reset. */
  readonly at: string
  readonly interventions: readonly InterventionRecord[]
  readonly totals: InterventionTotals
  readonly profiles: Readonly<Record<string, AgentProfile>>
}

/** The thumb given last, as long as it can be undone. */
export interface LastThumb {
  /** ISO 8601. */
  readonly at: string
  /** Local day on which it counted. */
  readonly day: string
  readonly attemptId: string | null
  readonly taskId: string | null
  readonly feedback: Thumb
  readonly points: number
  /** What had been given to the attempt before it. */
  readonly previous: Thumb | null
  readonly noteId: string
}

/** What is remembered of a task over all cycles, as long as it stays in the contract. */
export interface TaskHistory {
  /** Newest first, at most 30. */
  readonly entries: readonly (TaskAttempt | TaskUnblock)[]
  /** Attempts of this task that timed out, ever; not those that the environment stopped. */
  readonly timeouts: number
  /** Seconds of its completed attempts, newest first, at most 50. */
  readonly completedSeconds: readonly number[]
  /** Set by an unblock for the next attempt only; an attempt that the environment stops passes it on to the next. */
  readonly unblockSeconds: number | null
  readonly autoUnblocks: number
  /** The last sweep's finding since it was blocked. */
  readonly swept: { readonly holds: boolean | null; readonly reason: string; readonly at: string } | null
  /** The state that its last unblock replaced, so that it can be undone; `null` once the task was tried or judged again. */
  readonly unblocked: TaskBeforeUnblock | null
  /** Of all its attempts; `null` if no program reported any. */
  readonly usage: UsageTotals | null
  /** Consecutive verdicts that were the contract's fault; an edit of its check or of the configuration resets the count. */
  readonly contractFaults?: number
  /** Paths that changed in attempts that were not refuted, newest first, at most 200. */
  readonly finished?: readonly string[]
  /** Paths that changed in attempts that were refuted, newest first, at most 200. */
  readonly refuted?: readonly string[]
  /** What its last verdict rests on, where that was `verified` with nothing to measure; left out otherwise. */
  readonly restsOn?: {
    /** `taskWords`: the task as it was then. */
    readonly task: string
    readonly files: readonly { readonly path: string; readonly sha256: string }[]
  }
}

/** How a blocked task stood before it was unblocked. */
export interface TaskBeforeUnblock {
  /** ISO 8601: when it was unblocked. */
  readonly at: string
  readonly progress: TaskProgress
  readonly before: Pick<TaskHistory, 'unblockSeconds' | 'autoUnblocks' | 'swept'>
}

/** How one agent worked on one day. Verdicts are the verifier's: overruling changes none of these. */
export interface AgentDay {
  /** `none`: without a verdict. */
  readonly attempts: Readonly<Record<Verdict | 'none', number>>
  readonly contradictions: number
  /** By type. */
  readonly interventions: Readonly<Record<string, number>>
  /** Attempts that the environment did not stop: what evidence and durations are of. */
  readonly worked: number
  readonly evidence: number
  /** How long its attempts took in seconds, newest first, at most 100; a run that served several tasks in equal parts. */
  readonly seconds: readonly number[]
  readonly usage: UsageTotals | null
}

/** The figures of one local day. */
export interface DayFigures {
  /** YYYY-MM-DD. */
  readonly day: string
  /** By agent id, at most 10, the one that ran last first. */
  readonly agents: Readonly<Record<string, AgentDay>>
  /** Interventions that belong to no single attempt, by type. */
  readonly otherInterventions: Readonly<Record<string, number>>
}

/** All attempts ever, for metrics: they only ever grow. */
export interface AttemptTotals {
  /** By the verifier's verdict; `none` where there was none. */
  readonly byVerdict: Readonly<Record<Verdict | 'none', number>>
  /** How long the agent ran: a histogram with the bounds of `DURATION_BOUNDS`, each bucket holding those above the bound before. */
  readonly seconds: { readonly count: number; readonly sum: number; readonly buckets: readonly number[] }
  /** By agent, at most 50: what its program reports to have used. */
  readonly usage: Readonly<Record<string, UsageTotals>>
  /** Where their time went. */
  readonly costs: Readonly<Record<CostPhase, number>>
}

/** A proposed change, and what became of it. */
export interface Proposal {
  readonly id: string
  readonly file: CustodyFile
  readonly attemptIds: readonly string[]
  /** Who ran at that time, in words. */
  readonly during: string
  /** ISO 8601. */
  readonly at: string
  readonly adds: boolean
  readonly asksLess: boolean
  /** What waits; once it is answered, what was answered last. */
  readonly items: readonly ProposalItem[]
  readonly diff: string | null
  readonly state: ProposalState
  readonly answeredAt: string | null
}

/** Hashes of one file: as the operator left it, and as it was last seen on disk. */
export interface FileCustody {
  readonly base: string | null
  readonly seen: string | null
}

/** The answer to a proposal given last, with all that is needed to take it back. */
export interface LastAnswer {
  readonly id: string
  readonly file: CustodyFile
  readonly answer: 'accepted' | 'reverted'
  readonly items: readonly ProposalItem[]
  /** ISO 8601. */
  readonly at: string
  readonly before: FileCustody
  readonly after: FileCustody
  /** Those of the file as they were before it. */
  readonly proposals: readonly Proposal[]
}

/** An attempt's work on its way to the target, and since when. ISO 8601. */
export interface LandingEntry extends LandingRecord {
  /** When it last moved. */
  readonly at: string
  /** When it was handed in. */
  readonly since: string
}

/** The fold of a workspace's ledger. Plain data: it is snapshotted as JSON. */
export interface WorkspaceState {
  /** Left out: none that could be undone. */
  readonly lastThumb?: LastThumb
  /** Left out: none that could be undone. */
  readonly lastAnswer?: LastAnswer
  /** `seq` of the last event folded in; 0 for the empty ledger. */
  readonly seq: number
  /** Time and local day of the last event. */
  readonly at: string | null
  readonly day: string | null
  readonly score: ScoreState
  /** The rules of scoring in effect. */
  readonly rules: ScoringRules
  /** As last recorded; `null` before any was. */
  readonly standing: Standing['level'] | null
  /** How the shield showed it; absent if an earlier version recorded it. */
  readonly standingShown?: ShieldLevel
  readonly progress: CycleProgress
  /** The contract as last read. */
  readonly contract: { readonly hash: string; readonly tasks: readonly RecordedTask[] } | null
  readonly custody: Readonly<Partial<Record<CustodyFile, FileCustody>>>
  /** Newest first: all that wait, and the last 50 that were answered. */
  readonly proposals: readonly Proposal[]
  readonly running: RunningCycle | null
  /** Newest first, at most 500. */
  readonly attempts: readonly AttemptSummary[]
  /** Newest first, at most 300, all `earlier` ones among them. */
  readonly heartbeats: readonly HeartbeatRecord[]
  readonly paused: {
    readonly since: string
    readonly until: string | null
    /** The day's limit, where it is that which paused it. */
    readonly limit: SpentLimit | null
  } | null
  /** What was said of the day's limits: each pauses the workspace once a day, and is warned of once. */
  readonly limitsReached: { readonly day: string; readonly keys: readonly string[] } | null
  readonly backoff: {
    readonly step: number
    readonly until: string
    readonly reason: string
    readonly remedy: string
    /** The service has stated until when it is closed: the operator need not look. */
    readonly isParked: boolean
    /** A gate could not be started, and not the agent. Left out: the agent. */
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
    /** Contract in effect when it was found; only of findings about an edit to it. */
    readonly contractHash?: string
  }[]
  /** ISO 8601: end of the last finished cycle, from which the next is counted. */
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
  /** What the operator said to the agent, newest first, at most 100. */
  readonly notes: readonly Note[]
  /** What the last reset set aside, to be undone; `null` if there was none. */
  readonly interventionArchive: InterventionArchive | null
  /** Work held for review, oldest first. */
  readonly held: readonly HeldWork[]
  /** Work of isolated attempts, newest first: all that is on its way, and the last 300. */
  readonly landings: readonly LandingEntry[]
  readonly unreviewed: {
    /** Oldest first, at most 200. */
    readonly waiting: readonly UnreviewedContradiction[]
    /** Newest first, at most 200: they can be marked as not seen again. */
    readonly seen: readonly UnreviewedContradiction[]
  }
  /** Runs of agents that Pulseward did not start, the one that was heard of last first: at most 50, and those that wait for the operator. */
  readonly sessions: readonly SessionRecord[]
}
