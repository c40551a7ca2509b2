import type { BreakerState, InterventionType, Remediation } from '../vocabulary/intervention.ts'
import type { Severity } from '../vocabulary/severity.ts'

/** An intervention as raised within one attempt (or, for `contract_weakened`, within one cycle). */
export interface RaisedIntervention {
  readonly event_type: InterventionType
  readonly severity: Severity
  /** What lets a person check it; names in snake case, JSON values. */
  readonly details: Record<string, unknown>
}

/** A message to the agent that waits for the next prompts. */
export interface FeedbackMessage {
  /** ISO 8601: when it was first said. */
  readonly at: string
  readonly iteration: number
  /** The task it is about; `null`: it concerns every task. */
  readonly taskId: string | null
  readonly severity: Severity
  /** The event that it says; left out: the attempt itself is said. */
  readonly type?: InterventionType
  /** Its task was verified once since: it is said once more, and ends with the next. */
  readonly outlived?: true
  /** Lines of Markdown in the supervisor's own words; what the agent wrote is quoted in them, on one line and shortened. */
  readonly text: string
}

/** One event of the intervention layer as the documents and the API show it. */
export interface InterventionRecord {
  /** `<seq>-<index>`: stable over replays. */
  readonly id: string
  readonly at: string
  readonly iteration: number
  readonly taskId: string | null
  readonly attemptId: string | null
  /** `null` in those of no attempt, and in those recorded before it was kept. */
  readonly agentId?: string | null
  readonly intervention: RaisedIntervention
  readonly remediation: Remediation
}

/** Numbers over all interventions ever, for metrics. */
export interface InterventionTotals {
  readonly total: number
  readonly byType: Readonly<Record<string, number>>
  readonly bySeverity: Readonly<Record<string, number>>
  readonly remediations: { readonly tried: number; readonly succeeded: number }
}

export interface CircuitBreaker {
  /** `open`: the next prompts carry the aggressive reinforcement. `tripped`: suspended for manual review. */
  readonly state: BreakerState
  /** ISO 8601; `null` where it never left `closed`. */
  readonly since: string | null
  /** In words; empty where it is closed. */
  readonly reason: string
  /** Events counted toward the thresholds at its last change: only a further one can make it trip. */
  readonly seen: { readonly noFiles: number; readonly falseCompletions: number }
}

/** What is known of how one agent works. */
export interface AgentProfile {
  readonly agentId: string
  /** Cycles in which the agent ran. */
  readonly iterations: number
  /** Number of the last of them; 0 where there is none. */
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
  /** Counted toward the breaker's thresholds since the operator last resumed the workspace. */
  readonly counted: {
    readonly noFiles: number
    readonly falseCompletions: number
    /** `no_files_detected` by iteration, newest first, at most 100 iterations. */
    readonly noFilesByIteration: readonly { readonly iteration: number; readonly count: number }[]
    /** Attempts counted as `false_completion_detected` because the operator called them rigged, newest first, at most 100. */
    readonly rigged?: readonly string[]
  }
  readonly breaker: CircuitBreaker
}
