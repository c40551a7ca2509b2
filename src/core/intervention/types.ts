import type { BreakerState, InterventionType, Remediation } from '../vocabulary/intervention.ts'
import type { Severity } from '../vocabulary/severity.ts'

/** An intervention as raised within one attempt (or, for `contract_weakened`, within one heartbeat). */
export interface RaisedIntervention {
  readonly event_type: InterventionType
  readonly severity: Severity
  /** Facts that let a person check it; names in snake case, JSON values. */
  readonly details: Record<string, unknown>
}

/** A message to the agent that waits for the next prompts. */
export interface FeedbackMessage {
  /** ISO 8601: when it was first said. */
  readonly at: string
  readonly iteration: number
  /** The task it is about; `null` if it concerns every task. */
  readonly taskId: string | null
  readonly severity: Severity
  /** The event that it is about; omitted if it is about the attempt itself. */
  readonly type?: InterventionType
  /** Set once its task was verified: it is then shown one more time, and removed after that. */
  readonly outlived?: true
  /** Lines of Markdown in the supervisor's own words; the agent's words are quoted on one line and shortened. */
  readonly text: string
}

/** One intervention event as documents and the API show it. */
export interface InterventionRecord {
  /** `<seq>-<index>`: stays the same when the ledger is replayed. */
  readonly id: string
  readonly at: string
  readonly iteration: number
  readonly taskId: string | null
  readonly attemptId: string | null
  /** `null` if it belongs to no attempt, or was recorded before this field existed. */
  readonly agentId?: string | null
  readonly intervention: RaisedIntervention
  readonly remediation: Remediation
}

/** Totals over all interventions ever, for metrics. */
export interface InterventionTotals {
  readonly total: number
  readonly byType: Readonly<Record<string, number>>
  readonly bySeverity: Readonly<Record<string, number>>
  readonly remediations: { readonly tried: number; readonly succeeded: number }
}

export interface CircuitBreaker {
  /** `open`: the next prompts carry the aggressive reinforcement. `tripped`: suspended until a manual review. */
  readonly state: BreakerState
  /** ISO 8601; `null` if it never left `closed`. */
  readonly since: string | null
  /** The reason in words; empty if it is closed. */
  readonly reason: string
  /** Events already counted toward the thresholds when it last changed: only a further one can trip it. */
  readonly seen: { readonly noFiles: number; readonly falseCompletions: number }
}

/** What is known about how one agent works. */
export interface AgentProfile {
  readonly agentId: string
  /** Heartbeats in which the agent ran. */
  readonly iterations: number
  /** Number of the last one; 0 if there is none. */
  readonly lastIteration: number
  readonly attempts: number
  readonly noFilesCount: number
  readonly falseCompletionCount: number
  /** Files changed over all runs; a run that served several tasks counts once. */
  readonly filesWritten: number
  readonly evidenceOffered: number
  /** ISO 8601: when a prompt last carried feedback. */
  readonly lastReinforcement: string | null
  /** The last run whose files were counted, identified by start and duration. */
  readonly lastRun: string
  /** Events counted toward the breaker's thresholds since the operator last resumed the workspace. */
  readonly counted: {
    readonly noFiles: number
    readonly falseCompletions: number
    /** Counts of `no_files_detected` by iteration, newest first, at most 100 iterations. */
    readonly noFilesByIteration: readonly { readonly iteration: number; readonly count: number }[]
    /** Attempts counted as `false_completion_detected` because the operator called them rigged, newest first, at most 100. */
    readonly rigged?: readonly string[]
  }
  readonly breaker: CircuitBreaker
}
