import type { AgentActivity } from '../activity/types.ts'
import type { StreamReach } from '../agents/own-report.ts'
import type { Claim } from '../claims/types.ts'
import type { ScoringRules } from '../configuration/scoring.ts'
import type { Hint } from '../contract/hint.ts'
import type { TaskDefinition } from '../contract/types.ts'
import type { BaseDifference, ReachingSource } from '../custody/baseline-difference.ts'
import type { UncommittedView } from '../custody/uncommitted-view.ts'
import type { DetectionInput } from '../intervention/detect.ts'
import type { AttemptResult, RaisedIntervention, RecordedTask } from '../record/events.ts'
import type { AttemptSummary, HeldWork, TaskHistory } from '../record/state.ts'
import type { CriterionInput, EnvironmentFault, FileDifference, Measurement } from '../verification/types.ts'
import type { Fault } from '../vocabulary/fault.ts'
import type { RunEnding } from '../vocabulary/outcome.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import type { WorkSource } from '../vocabulary/work-source.ts'

/** Something to judge: completed work, the current state without any work, or the operator's answer. */
export type Case = WorkCase | StateCase | AnswerCase

/**
 * Work to judge: the difference between two trees, the claims about it, and its checks. Requires no supervisor: a pull request has no task,
 * no run and no history (`NO_TASK`, `NO_RUN`, `NO_HISTORY`).
 */
export interface WorkCase {
  readonly source: WorkSource
  /** Used to answer held work: an attempt's id, or the id of whatever else was judged. */
  readonly id: string
  /** `null`: judges only gates, tests, custody and claims. */
  readonly task: JudgedTask | null
  /** The configuration in effect. */
  readonly policy: Policy
  /** The claims about the work, in their original wording. */
  readonly claim: Claim
  /**
   * Uncommitted paths although a clean repository is required, so a claimed completion is not applied. Empty: there are none, or none are
   * forbidden.
   */
  readonly uncommitted: readonly string[]
  /** What changed, with the file modes that the task asks for (`withAskedModes`). */
  readonly difference: FileDifference
  /** Absolute path of the tree: claims may name files by it. */
  readonly root: string
  /** How the work was produced. */
  readonly run: RunFacts
  /** Files that affect checks and differ from the baseline; found before any check ran. */
  readonly differences: readonly BaseDifference[]
  /** Sources that access the code that runs their tests. */
  readonly reaching: readonly ReachingSource[]
  /** What its checks look at if that depends on what is committed. Omitted: it doesn't, or all of the work is committed. */
  readonly sees?: UncommittedView
  readonly history: History
  /** Interventions raised by the caller, which sees the whole run; they come first. */
  readonly raised: readonly RaisedIntervention[]
  /** Found by comparing two whole commits; omitted: no commits were compared. */
  readonly noted?: NotedOfChange
}

interface NotedOfChange {
  /** What a person must review before the work can pass. */
  readonly held: readonly string[]
  /** Checks that give an answer on the base but gave none on head, twice: one sentence each. */
  readonly silenced: readonly string[]
}

/** A task as it is judged, and its state before the work. */
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
  /** The task in the operator's own words. Text that an agent added neither permits file changes nor reaches a judge. */
  readonly asked: AskedTask
  /** True if an agent added it and the operator has not accepted it: it scores nothing. */
  readonly isProposed: boolean
}

export type AskedTask = Pick<TaskDefinition, 'id' | 'description' | 'criteria' | 'mayChange'>

/** The parts of the configuration that matter for a judgement. */
export interface Policy {
  readonly probes: Readonly<Record<string, { readonly source: ProbeSource }>>
  readonly gates: { readonly commands: readonly (readonly string[])[] }
  /** `null`: no judge is configured. */
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

/** How an agent's run ended, and what the run reports about itself. */
export interface RunFacts {
  readonly outcome: RunEnding
  readonly exitCode: number | null
  /** What stopped the agent, if it did not stop by itself. */
  readonly environmentFault: EnvironmentFault | null
  /** The agent's own words, truncated. */
  readonly output: string
  /** `null`: the program doesn't report its activity. */
  readonly activity: AgentActivity | null
  readonly reach: StreamReach
  /** How the operator can allow what was blocked; `null`: nothing was. */
  readonly remedy: string | null
  /** True if it could not write outside the tree, so changes there are not the agent's. */
  readonly isContained: boolean
  /** True if it was stopped at its limit while a tool call was open, or shortly after a file change or the start of a tool call. */
  readonly wasAtWork: boolean
  /** The daily limit that ended it, in words; `null`: none did. */
  readonly dayLimit: string | null
  /** Number of tasks that the same run worked on. */
  readonly tasksInRun: number
  /** Feedback that the run's prompt contained; `null` if there is none. */
  readonly feedback: DetectionInput['feedback']
  /** When the run began, by the file system's clock (epoch ms); `null` if unknown. */
  readonly startMarkMs: number | null
}

/** For work without a supervised run. */
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

/** What is remembered about a task and about attempts before this work. */
export interface History {
  /** Paths changed by earlier attempts at the task that were not refuted. */
  readonly finished: readonly string[]
  /** Paths left behind by refuted attempts at the task. */
  readonly refuted: readonly string[]
  /** Number of consecutive attempts right before this one that were stopped at their limit while at work. */
  readonly limitsInARow: number
  /** What the last verdict rests on if it was `verified` with nothing to measure. */
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

/** A question about the current state, without any work: is a task done, is it still verified, is a condition true? */
export interface StateCase {
  readonly source: 'sweep'
  readonly asks: StateQuestion
  /** `null`: the question is about a whole heartbeat's condition. */
  readonly task: (Pick<JudgedTask, 'verify' | 'asked'> & { readonly id: string }) | null
  /** What must pass: the task's own check, then those of its criteria. */
  readonly checks: readonly StateCheck[]
  readonly policy: Pick<Policy, 'probes' | 'gates'>
  /** True while an agent runs, so changes may not be the operator's. */
  readonly isAgentRunning: boolean
  readonly history: Pick<History, 'attempts'>
}

export type StateQuestion =
  /** Is this blocked task done by now? */
  | 'done'
  /** Is this verified task still verified, including gates? */
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

/** The operator's own verdict on a recorded attempt: a review or an overruling. */
export interface AnswerCase {
  readonly source: 'review'
  /** `null` if it is no longer in the record, so nothing is known about its work. */
  readonly result: AttemptResult | null
  readonly required: boolean
  readonly verdict: Verdict
  readonly isContradiction: boolean
  /** Who the operator thinks is at fault; `null` has no effect. */
  readonly fault: Fault | null
  readonly scoring: ScoringRules
  /** Absolute path of the workspace. */
  readonly root: string
  /** The task as it is now; `null` if it is no longer in the contract. */
  readonly task: RecordedTask | null
  /** Paths changed by attempts at the task that were not refuted. */
  readonly finished: readonly string[]
  /** Later judged attempts at the task; their verdicts cover what they changed. */
  readonly laterAttemptIds: readonly string[]
}
