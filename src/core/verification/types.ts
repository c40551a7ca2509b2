import type { Claim, JsonValue } from '../claims/types.ts'
import type { Hint } from '../contract/hint.ts'
import type { TestReport } from '../reports/test-report.ts'
import type { CheckFault, Fault } from '../vocabulary/fault.ts'
import type { GateStatus } from '../vocabulary/gate.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import type { Comparison } from './evidence-row.ts'

/** What changed between two snapshots, by content. Paths are relative to the workspace, with `/`. */
export interface FileDifference {
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly deleted: readonly string[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /**
   * Paths that hold what they held, and of which something else changed: the executable bit, that they are committed now,
   * what a branch holds that is not checked out. Left out: none.
   */
  readonly otherwiseChanged?: readonly string[]
  /** Those of them that became executable, or ceased to be. Left out: none. */
  readonly executable?: readonly string[]
  /**
   * Paths of which it is not known whether they changed: files that could not be read, or are too large to be compared and
   * were at least touched; folders that could not be listed, with `/` at their end. Left out: none.
   */
  readonly unsure?: readonly string[]
  /** Paths that git ignores and a check asks about, that changed or are gone: a change, though no evidence. Left out: none. */
  readonly ignored?: readonly string[]
  /** Commits the agent made (git only): the new HEAD where it moved. */
  readonly headMoved: { readonly from: string | null; readonly to: string | null } | null
  /**
   * Paths among the above that git, asked plainly, would not have shown: flags, ignore rules outside the work tree, filters or an
   * index written for it hid them. Left out: none.
   */
  readonly hidden?: readonly string[]
  /** What was done to the repository itself, as sentences: hooks, configuration, flags, stash, lost history. Left out: nothing. */
  readonly repository?: readonly string[]
  /** Where it shows nothing else: full names of the repository (`refs/tags/v1`, `HEAD`) that stand for something else. Left out: none. */
  readonly names?: readonly string[]
  /** Of a task's work: names, or what was done to the repository itself, by which it was done. Left out: none. */
  readonly asked?: readonly string[]
  /**
   * Folders in it that are separate repositories or work trees, and no submodules: their contents do not belong to this tree.
   * Left out: none.
   */
  readonly embedded?: readonly string[]
  /** Those of them that were not there before. Left out: none. */
  readonly newlyEmbedded?: readonly string[]
  /** Those of them that are gone. Left out: none. */
  readonly removedEmbedded?: readonly string[]
  /**
   * Paths in them that changed and are not what this tree holds: work on this repository that is not merged here. Only those in
   * folders that no task names, once a task is judged (`withoutEmbedded`). Left out: none.
   */
  readonly changedElsewhere?: readonly string[]
  /** Paths that git's index alone has, without a file or a commit: nothing exists there. Left out: none. */
  readonly onlyInIndex?: readonly string[]
  /** Git could not be asked, and the files were compared one by one, except for ignored ones. Left out: git was asked. */
  readonly walked?: boolean
  /** The snapshot could not see everything, and where is not known (too many files, no repository any more): why, in words. */
  readonly incomplete: string | null
}

export const EMPTY_DIFFERENCE: FileDifference = {
  added: [],
  modified: [],
  deleted: [],
  renamed: [],
  headMoved: null,
  incomplete: null,
}

/** A file claim held against the snapshot difference. */
export interface FileClaimFinding {
  readonly path: string
  /** `shown`: the difference has it. `missing`: it does not. `unmeasurable`: git ignores it or it lies outside. */
  readonly finding: 'shown' | 'missing' | 'unmeasurable'
  /** Why, in words, where it is not `shown`. */
  readonly reason?: string
  /** It is `missing`, and an earlier attempt of the task, which was refuted, changed it last; see `settleLeftEarlier`. */
  readonly leftEarlier?: boolean
  /** It is not there, as an earlier attempt left it. */
  readonly goneEarlier?: boolean
  /** It is `missing`, and an attempt at another task, which was not refuted, changed it. */
  readonly finishedElsewhere?: boolean
}

/** A failed run of a check that seems to lack variables of the operator's environment, which were withheld from it. */
export interface LackingRun {
  /** Their names, from its output and from what it executes. */
  readonly variables: readonly string[]
  readonly exitCode: number | null
}

/** A check that lacked variables in the same way before any work. */
export interface LackingCheck {
  /** In words: "the gate `npm test`". */
  readonly check: string
  readonly variables: readonly string[]
  /** How the operator passes them on, as a sentence. */
  readonly remedy: string
}

/** Checks of a task that lack variables, and what would be measured if they passed. */
export interface LackingChecks {
  readonly checks: readonly LackingCheck[]
  readonly after: Measurement
  readonly criteria: readonly CriterionInput[]
}

/** One reading of a probe. */
export type ProbeReading =
  | {
      readonly kind: 'value'
      readonly name: string
      readonly value: JsonValue
      /** The report of a probe that reads one, with the names of its tests, so that lost tests can be named. */
      readonly report?: TestReport
      /** How far a claimed number may lie from it (`tolerance` of the probe); none where it is left out. */
      readonly tolerance?: number
      /** Its command failed, and seems to lack variables. Left out: it did not. */
      readonly lacking?: LackingRun
    }
  /** Not configured, erroring, timing out or not parseable: `reason` in words, with the remedy where there is one. */
  | {
      readonly kind: 'unreadable'
      readonly name: string
      readonly reason: string
      readonly configured: boolean
      /** Whose fault it is; default `contract` (the probe cannot work as configured). */
      readonly fault?: CheckFault
      readonly passesWithoutReport?: PassesWithoutReport
    }

/** The command passes as the operator wrote it, and ends before any test if it is asked for a report. Left out: it does not. */
export type PassesWithoutReport = true

/** An expression evaluated against real state. */
export type ExpressionResult =
  | {
      readonly kind: 'value'
      readonly holds: boolean
      /** Paths by which it does not, as a link that leads to nothing or out of the repository is on the way to them. Left out: none. */
      readonly links?: readonly string[]
      /** Commands of `succeeds("…")` that were asked and gave an exit code only. Left out: none. */
      readonly byExitCodeAlone?: readonly string[]
      /** What the runners of `succeeds("…")` reported, by command. Left out: none did. */
      readonly reports?: Readonly<Record<string, TestReport>>
      /** Commands of `succeeds("…")` that failed and seem to lack variables. Left out: none. */
      readonly lacking?: Readonly<Record<string, LackingRun>>
    }
  /** Could not be evaluated: `reason` in words. `fault` says whose mistake that is. */
  | {
      readonly kind: 'error'
      readonly reason: string
      readonly fault: CheckFault
      /** The command of `succeeds("…")` that may run and gave no answer. Left out: it failed by something else. */
      readonly command?: string
      readonly passesWithoutReport?: PassesWithoutReport
    }

/** What was measured for one task at one moment. */
export interface Measurement {
  /** Readings of all probes that the check refers to or the agent claimed a value for. */
  readonly probes: readonly ProbeReading[]
  /** `null` if the check is not an expression. */
  readonly expression: ExpressionResult | null
}

/** One of the workspace's quality checks, run after the attempt. */
export interface GateResult {
  readonly command: readonly string[]
  readonly status: GateStatus
  readonly exitCode: number | null
  /** In words: what it printed last, or why it could not run. */
  readonly detail: string
  readonly durationMs: number
  /** Its own program is not on this machine, or may not be run here. Left out: it was started, or is a file that an agent may make. */
  readonly neverStarted?: true
  /** What its test runner reported to us, together with the exit code: passed only where both are green. */
  readonly report?: TestReport
  /** The name of the runner that was asked for a report; left out: none is known, and it was judged by its exit code alone. */
  readonly runner?: string
  readonly passesWithoutReport?: PassesWithoutReport
  /** It failed by exactly the names that are red in the base too; by its report alone. */
  readonly redAsInBase?: boolean
  /** It failed, and seems to lack variables. Left out: it did not. */
  readonly lacking?: LackingRun
  /** Those that it lacked in the same way before any work. Left out: none. */
  readonly lacksInBase?: readonly string[]
}

/** The answer of the independent judge. */
export type JudgeResult =
  | { readonly kind: 'answer'; readonly verdict: Verdict; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string }

/** What stopped the agent, if it was not the agent. */
export interface EnvironmentFault {
  readonly reason: string
  /** What the operator can do about it, as a sentence. */
  readonly remedy: string
  /** Only what the program printed speaks of it. */
  readonly byWords?: boolean
  /** The program ended as if all were well. */
  readonly hasEndedWell?: boolean
  /** When a limit is over, in epoch ms, where that was said. */
  readonly resetsAtMs?: number
  /** A gate could not be started; the agent could. */
  readonly byGate?: true
}

/** An acceptance criterion with a separate check, as it was measured. */
export interface CriterionInput {
  readonly text: string
  readonly hint: Hint
  readonly before: Measurement | null
  readonly after: Measurement
}

/** An attempt that was ended at its limit. */
export interface LimitFinding {
  /** A file changed, or a tool call was begun or still open, shortly before the end. */
  readonly atWork: boolean
  /** Attempts of this task right before this one that ended so. */
  readonly inARow: number
  /** The day's limit that ended it, in words; left out: its own. */
  readonly ofTheDay?: string
}

/** A check that passes in place only: held for review. */
export interface HeldFinding {
  readonly reasons: readonly string[]
}

/** What is not committed where a clean repository is required. */
export interface Uncommitted {
  readonly paths: readonly string[]
  /** The agent changed some of them. */
  readonly isOwn: boolean
  /** Those that earlier attempts at other tasks changed, if none is its own. Left out: none. */
  readonly leftEarlier?: readonly string[]
}

/** Everything that bears on the verdict over one attempt. */
export interface VerdictInput {
  readonly required: boolean
  readonly outcome: Outcome
  /** The operator stopped it: what it said and left until then is not judged. */
  readonly stoppedByOperator?: boolean
  readonly environmentFault: EnvironmentFault | null
  readonly claim: Claim
  readonly hint: Hint
  /** `null` if nothing was measured before the attempt. */
  readonly before: Measurement | null
  readonly after: Measurement
  readonly difference: FileDifference
  readonly fileClaims: readonly FileClaimFinding[]
  readonly gates: readonly GateResult[]
  readonly judge: JudgeResult | null
  /** A claimed completion was not applied because these are not committed, and a clean repository is required. Left out: it was. */
  readonly uncommitted?: Uncommitted
  /** No task is judged: only gates, tests and claims are. Left out: one is. */
  readonly hasNoTask?: true
  /** What of the difference counts as work (`workOf`); the whole of it where it is left out. */
  readonly work?: FileDifference
  /** All that changed is white space without a meaning, empty files or modes, and the task asks for nothing of the kind. */
  readonly isBlank?: boolean
  /** The task writes no files, by `expect_files` or by its own line. */
  readonly writesNoFiles?: boolean
  /** Second readings of probes that a claim differs from: the world may have moved between agent and probe. */
  readonly again?: readonly ProbeReading[]
  readonly criteria?: readonly CriterionInput[]
  /** `null` or left out where the attempt was not ended at its limit. */
  readonly limit?: LimitFinding | null
  /** The last verdict over the task was `verified`, and nothing that it rests on has changed since. */
  readonly stillStands?: boolean
  /** Probes and gates that answered before, give no answer now, twice, and do in the base's tree: one sentence each. */
  readonly silenced?: readonly string[]
  /** Checks of task and criteria that lack variables, as before any work. Left out: none. */
  readonly lacking?: LackingChecks
  /** `null` or left out where nothing speaks against what was measured in place. */
  readonly held?: HeldFinding | null
}

export interface VerdictDecision {
  /** `null`: not scored and no verdict (environment fault, or an optional task skipped). */
  readonly verdict: Verdict | null
  readonly groundTruthContradiction: boolean
  /** The agent skipped an optional task: status `skipped`, no points. */
  readonly skipped: boolean
  readonly fault: Fault | null
  /** Sentences with the measured values ("claimed email_count = 3, measured 0"); never empty. */
  readonly reasons: readonly string[]
  /** What was found, in words for the agent: with the values measured, and never how the task is checked. */
  readonly findings: readonly string[]
  /** Verified without anything new to pay for, or held. */
  readonly scoresNothing: boolean
  readonly comparisons: readonly Comparison[]
  /** The check already passed before the attempt. */
  readonly heldBefore: boolean
  /** The row "claims completion, and nothing changed" applied, whether or not an earlier row decided. */
  readonly falseCompletion: boolean
  /** For the operator where the fault is not the agent's. */
  readonly remedy: string | null
}
