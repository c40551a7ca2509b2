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
   * Paths with unchanged contents for which something else changed: the executable bit, being committed now, or the contents on a branch
   * that is not checked out. Omitted if none.
   */
  readonly otherwiseChanged?: readonly string[]
  /** Those of `otherwiseChanged` that became executable or no longer are. Omitted if none. */
  readonly executable?: readonly string[]
  /**
   * Paths that may or may not have changed: files that could not be read, or are too large to compare and were at least touched; folders
   * that could not be listed, with a trailing `/`. Omitted if none.
   */
  readonly unsure?: readonly string[]
  /** Git-ignored paths that a check asks about and that changed or are gone: a change, but no evidence. Omitted if none. */
  readonly ignored?: readonly string[]
  /** Commits the agent made (git only): the new HEAD if it moved. */
  readonly headMoved: { readonly from: string | null; readonly to: string | null } | null
  /**
   * Paths among the above that plain git would not have shown, because flags, ignore rules outside the work tree, filters or an index
   * written for that purpose hid them. Omitted if none.
   */
  readonly hidden?: readonly string[]
  /** What was done to the repository itself, as sentences: hooks, configuration, flags, stash, lost history. Omitted if nothing. */
  readonly repository?: readonly string[]
  /** Full ref names (`refs/tags/v1`, `HEAD`) that point elsewhere now, if the difference shows nothing else. Omitted if none. */
  readonly names?: readonly string[]
  /** For a task's work: refs, or changes to the repository itself, by which the work was done. Omitted if none. */
  readonly asked?: readonly string[]
  /**
   * Folders in it that are separate repositories or work trees, but not submodules: their contents don't belong to this tree. Omitted:
   * none.
   */
  readonly embedded?: readonly string[]
  /** Those of `embedded` that are new. Omitted if none. */
  readonly newlyEmbedded?: readonly string[]
  /** Embedded folders that are gone. Omitted if none. */
  readonly removedEmbedded?: readonly string[]
  /** Why git can't store what an isolated attempt left, in git's words: nothing of it can land. Omitted if it can. */
  readonly unstorable?: string
  /**
   * Changed paths in embedded folders with contents that this tree lacks: work on this repository that is not merged here. Once a task is
   * judged (`withoutEmbedded`), only those in folders that no task names. Omitted if none.
   */
  readonly changedElsewhere?: readonly string[]
  /** Paths that exist only in git's index, without a file or a commit. Omitted if none. */
  readonly onlyInIndex?: readonly string[]
  /** Git could not be used, so the files were compared one by one, except ignored ones. Omitted: git was used. */
  readonly walked?: boolean
  /** Why the snapshot could not see everything, in words, if it isn't known what it missed (too many files, no repository anymore). */
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

/** A file claim compared with the snapshot difference. */
export interface FileClaimFinding {
  readonly path: string
  /** `shown`: the difference contains it. `missing`: it doesn't. `unmeasurable`: git ignores the file or it is outside the workspace. */
  readonly finding: 'shown' | 'missing' | 'unmeasurable'
  /** Why it is not `shown`, in words. */
  readonly reason?: string
  /** True if it is `missing` and an earlier, refuted attempt at the task changed it last; see `settleLeftEarlier`. */
  readonly leftEarlier?: boolean
  /** True if it doesn't exist, as an earlier attempt left it. */
  readonly goneEarlier?: boolean
  /** True if it is `missing` and an attempt at another task, which was not refuted, changed it. */
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
  /** How the operator can pass them on, as a sentence. */
  readonly remedy: string
}

/** A task's checks that lack variables, and what would be measured if they passed. */
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
      /** Maximum difference of a claimed number from it (the probe's `tolerance`); omitted if none. */
      readonly tolerance?: number
      /** Set if its command failed and seems to lack variables. */
      readonly lacking?: LackingRun
    }
  /** Not configured, failing, timing out or not parseable: `reason` in words, with the remedy if there is one. */
  | {
      readonly kind: 'unreadable'
      readonly name: string
      readonly reason: string
      readonly configured: boolean
      /** Who is at fault; default `contract` (the probe can't work as configured). */
      readonly fault?: CheckFault
      readonly passesWithoutReport?: PassesWithoutReport
    }

/**
 * The command passes as the operator wrote it, but `stopped`: it ends before any test if asked for a report; `unnamed`: it says that all
 * tests
 * passed, and names none. Omitted: neither.
 */
export type PassesWithoutReport = 'stopped' | 'unnamed'

/** An expression evaluated against real state. */
export type ExpressionResult =
  | {
      readonly kind: 'value'
      readonly holds: boolean
      /** Paths because of which it is false: a link on the way to them leads nowhere or out of the repository. Omitted if none. */
      readonly links?: readonly string[]
      /** Commands of `succeeds("…")` that were run and gave only an exit code. Omitted if none. */
      readonly byExitCodeAlone?: readonly string[]
      /** What the runners of `succeeds("…")` reported, by command. Omitted: none did. */
      readonly reports?: Readonly<Record<string, TestReport>>
      /** Commands of `succeeds("…")` that failed and seem to lack variables. Omitted if none. */
      readonly lacking?: Readonly<Record<string, LackingRun>>
    }
  /** Could not be evaluated: `reason` in words. `fault` says who is at fault. */
  | {
      readonly kind: 'error'
      readonly reason: string
      readonly fault: CheckFault
      /** The command of `succeeds("…")` that was allowed to run but gave no answer. Omitted: something else failed. */
      readonly command?: string
      readonly passesWithoutReport?: PassesWithoutReport
      /** True if a program that the command names is nowhere on this machine. An earlier red answer may not have got as far. */
      readonly lacksProgram?: true
    }

/** What was measured for one task at one moment. */
export interface Measurement {
  /** Readings of all probes that the check refers to or that the agent claimed a value for. */
  readonly probes: readonly ProbeReading[]
  /** `null` if the check is not an expression. */
  readonly expression: ExpressionResult | null
}

/** One of the workspace's quality checks, run after the attempt. */
export interface GateResult {
  readonly command: readonly string[]
  readonly status: GateStatus
  readonly exitCode: number | null
  /** In words: its last output, or why it could not run. */
  readonly detail: string
  readonly durationMs: number
  /**
   * Set if its own program is not on this machine, or may not be run here. Omitted: it was started, or is a file that an agent may create.
   */
  readonly neverStarted?: true
  /** The report of its test runner; the gate passed only if both this and the exit code are green. */
  readonly report?: TestReport
  /** Name of the runner that was asked for a report; omitted: none is known, and only the exit code decided. */
  readonly runner?: string
  readonly passesWithoutReport?: PassesWithoutReport
  /** As for an expression. */
  readonly lacksProgram?: true
  /** True if it failed with exactly the names that fail in the base, by its report alone. */
  readonly redAsInBase?: boolean
  /** Set if it failed and seems to lack variables. */
  readonly lacking?: LackingRun
  /** Variables that it lacked in the same way before any work. Omitted if none. */
  readonly lacksInBase?: readonly string[]
}

/** The answer of the independent judge. */
export type JudgeResult =
  | { readonly kind: 'answer'; readonly verdict: Verdict; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string }

/** What stopped the agent, if it did not stop by itself. */
export interface EnvironmentFault {
  readonly reason: string
  /** What the operator can do about it, as a sentence. */
  readonly remedy: string
  /** True if only the program's output mentions it. */
  readonly byWords?: boolean
  /** True if the program ended as if all were well. */
  readonly hasEndedWell?: boolean
  /** When a limit ends, in epoch ms, if that was stated. */
  readonly resetsAtMs?: number
  /** Set if a gate could not be started but the agent could. */
  readonly byGate?: true
}

/** An acceptance criterion with a separate check, and its measurement. */
export interface CriterionInput {
  readonly text: string
  readonly hint: Hint
  readonly before: Measurement | null
  readonly after: Measurement
}

/** An attempt that was stopped at its limit. */
export interface LimitFinding {
  /** True if a file changed or a tool call began shortly before the end, or one was still open. */
  readonly atWork: boolean
  /** Number of attempts at this task right before this one that ended like this. */
  readonly inARow: number
  /** The daily limit that ended it, in words; omitted: its own limit. */
  readonly ofTheDay?: string
}

/** A check that passes in place only: held for review. */
export interface HeldFinding {
  readonly reasons: readonly string[]
}

/** What is uncommitted although a clean repository is required. */
export interface Uncommitted {
  readonly paths: readonly string[]
  /** True if the agent changed some of them. */
  readonly isOwn: boolean
  /** Those changed by earlier attempts at other tasks, if none is its own. Omitted if none. */
  readonly leftEarlier?: readonly string[]
}

/** Everything that matters for the verdict on one attempt. */
export interface VerdictInput {
  readonly required: boolean
  readonly outcome: Outcome
  /** The operator stopped it: what it had said and left by then is not judged. */
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
  /** Set if a claimed completion was not applied, because these are uncommitted and a clean repository is required. */
  readonly uncommitted?: Uncommitted
  /** Set if no task is judged, only gates, tests and claims. */
  readonly hasNoTask?: true
  /** The part of the difference that counts as work (`workOf`); omitted: all of it. */
  readonly work?: FileDifference
  /** True if only meaningless white space, empty files or modes changed, and the task asks for nothing of the kind. */
  readonly isBlank?: boolean
  /** True if the task writes no files, according to `expect_files` or its own line. */
  readonly writesNoFiles?: boolean
  /** Second readings of probes that a claim differs from: the value may have changed between agent and probe. */
  readonly again?: readonly ProbeReading[]
  readonly criteria?: readonly CriterionInput[]
  /** `null` or omitted if the attempt was not stopped at its limit. */
  readonly limit?: LimitFinding | null
  /** True if the task's last verdict was `verified` and nothing it rests on has changed since. */
  readonly stillStands?: boolean
  /** Probes and gates that answered before and give no answer now, twice, but do in the base's tree: one sentence each. */
  readonly silenced?: readonly string[]
  /** Checks of task and criteria that lack variables, as they did before any work. Omitted if none. */
  readonly lacking?: LackingChecks
  /** `null` or omitted if nothing contradicts what was measured in place. */
  readonly held?: HeldFinding | null
}

export interface VerdictDecision {
  /** `null`: no verdict and no score (environment fault, or an optional task was skipped). */
  readonly verdict: Verdict | null
  readonly groundTruthContradiction: boolean
  /** The agent skipped an optional task: status `skipped`, no points. */
  readonly skipped: boolean
  readonly fault: Fault | null
  /** Sentences with the measured values ("claimed email_count = 3, measured 0"); never empty. */
  readonly reasons: readonly string[]
  /** Findings, worded for the agent: with the measured values, but never how the task is checked. */
  readonly findings: readonly string[]
  /** Verified with nothing new to earn points for, or held. */
  readonly scoresNothing: boolean
  readonly comparisons: readonly Comparison[]
  /** The check already passed before the attempt. */
  readonly heldBefore: boolean
  /** True if the row "claims completion, and nothing changed" applied, whether or not an earlier row decided. */
  readonly falseCompletion: boolean
  /** For the operator, if the agent is not at fault. */
  readonly remedy: string | null
}
