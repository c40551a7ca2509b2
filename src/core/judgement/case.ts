import type { AgentActivity } from '../activity/types.ts'
import type { StreamReach } from '../agents/own-report.ts'
import type { Claim } from '../claims/types.ts'
import type { ScoringRules } from '../configuration/scoring.ts'
import type { Hint } from '../contract/hint.ts'
import type { TaskDefinition } from '../contract/types.ts'
import type { BaseDifference, ReachingSource } from '../custody/baseline-difference.ts'
import type { DetectionInput } from '../intervention/detect.ts'
import type { AttemptResult, RaisedIntervention, RecordedTask } from '../record/events.ts'
import type { AttemptSummary, HeldWork, TaskHistory } from '../record/state.ts'
import type { CriterionInput, EnvironmentFault, FileDifference, Measurement } from '../verification/types.ts'
import type { Fault } from '../vocabulary/fault.ts'
import type { RunEnding } from '../vocabulary/outcome.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import type { WorkSource } from '../vocabulary/work-source.ts'

/** Something to be judged: work that was done, the state of things without any, or the operator's answer. */
export type Case = WorkCase | StateCase | AnswerCase

/**
 * Work to be judged: the difference between two trees, the claims about it, and its checks. Requires no supervisor: a pull
 * request has no task, no run and no history (`NO_TASK`, `NO_RUN`, `NO_HISTORY`).
 */
export interface WorkCase {
  readonly source: WorkSource
  /** By which held work is answered: an attempt's id, or that of whatever was judged. */
  readonly id: string
  /** `null`: only gates, tests, custody and claims are judged. */
  readonly task: JudgedTask | null
  /** The configuration in effect. */
  readonly policy: Policy
  /** What is claimed about the work, as it was said. */
  readonly claim: Claim
  /** Uncommitted paths where a clean repository is required: a claimed completion is not applied. Empty: none, or none is required. */
  readonly uncommitted: readonly string[]
  /** What changed, with the file modes that the task asks for (`withAskedModes`). */
  readonly difference: FileDifference
  /** Absolute path of the tree: claims may name files by it. */
  readonly root: string
  /** How the work was produced. */
  readonly run: RunFacts
  /** Files that steer checks and differ from the baseline, looked up before any check ran. */
  readonly differences: readonly BaseDifference[]
  /** Sources that reach for what runs their tests. */
  readonly reaching: readonly ReachingSource[]
  readonly history: History
  /** Raised by the caller that looked at the run as a whole; they come first. */
  readonly raised: readonly RaisedIntervention[]
  /** Found by comparing two commits as a whole; left out: they were not compared. */
  readonly noted?: NotedOfChange
}

interface NotedOfChange {
  /** What a person has to look at before the work can pass. */
  readonly held: readonly string[]
  /** Checks that answer on the base, and twice gave no answer on head: one sentence each. */
  readonly silenced: readonly string[]
}

/** A task as it counts, and how it was before the work. */
export interface JudgedTask {
  readonly id: string
  readonly description: string
  /** The check as written. */
  readonly verify: string
  readonly hint: Hint
  readonly required: boolean
  readonly writesNoFiles: boolean
  /** What the check measured before the work; `null`: nothing was measured then. */
  readonly before: Measurement | null
  /** Criteria with a separate check. */
  readonly criteria: readonly Omit<CriterionInput, 'after'>[]
  /** What verdicts rest on: all criteria, with or without checks. */
  readonly words: Pick<TaskDefinition, 'description' | 'verify' | 'criteria'>
  /** The task in the operator's own words: what an agent added neither allows a file to be changed nor reaches a judge. */
  readonly asked: AskedTask
  /** An agent added it, and the operator has not accepted it: it scores nothing. */
  readonly isProposed: boolean
}

export type AskedTask = Pick<TaskDefinition, 'id' | 'description' | 'criteria' | 'mayChange'>

/** What of the configuration bears on a judgement. */
export interface Policy {
  readonly probes: Readonly<Record<string, { readonly source: ProbeSource }>>
  readonly gates: { readonly commands: readonly (readonly string[])[] }
  /** `null`: none is configured. */
  readonly judge: object | null
  readonly interventions: {
    readonly enabled: boolean
    readonly expectFiles: DetectionInput['expectFiles']
    /** Patterns of protected files. */
    readonly protected: readonly string[]
  }
  readonly scoring: ScoringRules
}

type ProbeSource = { readonly kind: 'file'; readonly file: string } | { readonly kind: 'command' | 'url' }

/** How an agent's run ended and what it says itself. */
export interface RunFacts {
  readonly outcome: RunEnding
  readonly exitCode: number | null
  /** What stopped the agent, where it was not the agent. */
  readonly environmentFault: EnvironmentFault | null
  /** What the agent said: its own words, bounded. */
  readonly output: string
  /** `null`: its program reports nothing. */
  readonly activity: AgentActivity | null
  readonly reach: StreamReach
  /** How the operator grants what was refused; `null`: nothing was. */
  readonly remedy: string | null
  /** It could not write outside the tree: what changed there is not the agent's. */
  readonly isContained: boolean
  /** It was ended at its limit, and shortly before a file changed, or a tool call was begun or still open. */
  readonly wasAtWork: boolean
  /** The day's limit that ended it, in words; `null`: none did. */
  readonly dayLimit: string | null
  /** Tasks that the same run served. */
  readonly tasksInRun: number
  /** Feedback that its prompt carried; `null`: none. */
  readonly feedback: DetectionInput['feedback']
  /** When it began, by the clock of the file system (epoch ms); `null`: not known. */
  readonly startMarkMs: number | null
}

/** Work that no supervised run did. */
export const NO_RUN: RunFacts = {
  outcome: 'completed',
  exitCode: null,
  environmentFault: null,
  output: '',
  activity: null,
  reach: { edits: false, commands: false },
  remedy: null,
  isContained: false,
  wasAtWork: false,
  dayLimit: null,
  tasksInRun: 1,
  feedback: null,
  startMarkMs: null,
}

/** What is remembered of a task and of the attempts before this work. */
export interface History {
  /** Paths that earlier attempts at the task changed and that were not refuted. */
  readonly finished: readonly string[]
  /** Paths that refuted attempts at the task left. */
  readonly refuted: readonly string[]
  /** Attempts right before this one that were ended at their limit while at work. */
  readonly limitsInARow: number
  /** What the last verdict rests on, where that was `verified` with nothing to measure. */
  readonly restsOn: TaskHistory['restsOn'] | null
  /** Attempts at any task, newest first. */
  readonly attempts: readonly PastAttempt[]
  /** Held work that the operator has not answered. */
  readonly unanswered: readonly Pick<HeldWork, 'attemptId' | 'with'>[]
}

export type PastAttempt = Pick<
  AttemptSummary,
  'attemptId' | 'taskId' | 'seq' | 'startedAt' | 'verdict' | 'fault' | 'overruled' | 'review'
>

export const NO_HISTORY: History = {
  finished: [],
  refuted: [],
  limitsInARow: 0,
  restsOn: null,
  attempts: [],
  unanswered: [],
}

/** A question about the current state, without any work: is a task done, is it still done, is a condition true? */
export interface StateCase {
  readonly source: 'sweep'
  readonly asks: StateQuestion
  /** `null`: the condition of a whole heartbeat. */
  readonly task: (Pick<JudgedTask, 'verify' | 'asked'> & { readonly id: string }) | null
  /** What has to pass: the task's own check, then those of its criteria. */
  readonly checks: readonly StateCheck[]
  readonly policy: Pick<Policy, 'probes' | 'gates'>
  /** True while an agent runs: changes then are not the operator's. */
  readonly isAgentRunning: boolean
  readonly history: Pick<History, 'attempts'>
}

export type StateQuestion =
  /** Is this blocked task done by now? */
  | 'done'
  /** Is this verified task still verified, gates and all? */
  | 'still-verified'
  /** Does a check contradict this ticked box? */
  | 'ticked'
  /** Is this condition true, or false only because of what agents did? */
  | 'condition'

export interface StateCheck {
  /** The text of the criterion it belongs to; `null`: the task's own. */
  readonly criterion: string | null
  readonly hint: Hint
}

/** The operator's own verdict over a recorded attempt: a review or an overruling. */
export interface AnswerCase {
  readonly source: 'review'
  /** `null`: the record no longer has it, and nothing is known of its work. */
  readonly result: AttemptResult | null
  readonly required: boolean
  readonly verdict: Verdict
  readonly isContradiction: boolean
  /** Whose fault it is in the operator's eyes; `null` counts for nothing. */
  readonly fault: Fault | null
  readonly scoring: ScoringRules
  /** Absolute path of the workspace. */
  readonly root: string
  /** The task as it is now; `null`: it has left the contract. */
  readonly task: RecordedTask | null
  /** Paths that attempts at the task changed and that were not refuted. */
  readonly finished: readonly string[]
  /** Later attempts at the task that were judged: the verdicts over what they changed are theirs. */
  readonly laterAttemptIds: readonly string[]
}
