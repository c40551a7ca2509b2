import type { Held } from '../custody/held.ts'
import type { AttemptResult, JudgedWork, RaisedIntervention } from '../record/events.ts'
import type { TestsRun } from '../reports/known-tests.ts'
import type { TestReport } from '../reports/test-report.ts'
import type { Reconciliation } from '../verification/evidence-row.ts'
import type { GateResult, LackingCheck, VerdictDecision } from '../verification/types.ts'
import type { Outcome } from '../vocabulary/outcome.ts'

/** The decision: the verdict with its reasons, and its consequences. */
export interface Judgement
  extends Pick<
    VerdictDecision,
    'verdict' | 'groundTruthContradiction' | 'fault' | 'reasons' | 'findings' | 'remedy'
  > {
  /** Held for review: no points until the operator has answered; `null` if it is not held. */
  readonly held: Held | null
  /** Signed; 0 if nothing is scored. */
  readonly points: number
  readonly interventions: readonly RaisedIntervention[]
}

/** The judgement of work, with what was found on the way, for the record, the next prompt and the baseline. */
export interface WorkJudgement
  extends Judgement,
    Pick<VerdictDecision, 'skipped' | 'heldBefore' | 'falseCompletion' | 'comparisons'> {
  /** How the run ended for the verdict. */
  readonly outcome: Outcome
  readonly gates: readonly GateResult[]
  /** Checks that lacked variables, which don't count against the agent. */
  readonly lacking: readonly LackingCheck[]
  /** The operator stopped the run while it was being judged. */
  readonly isStopped: boolean
  /** Recorded names of checks that answered, or that answered before and were silenced. */
  readonly answered: readonly string[]
  /** What a verdict without a measurement is based on. */
  readonly restsOn: AttemptResult['restsOn']
  readonly reconciliation: Reconciliation
  /** Pieces of evidence offered, claimed files included. */
  readonly evidenceCount: number
  /** Number of criteria with a separate check that passes. */
  readonly criteriaHeld: number
  /** Differing paths that the task may change: part of the baseline once the verdict is `verified`. */
  readonly allowed: readonly string[]
  /** Reports to keep for the baseline: failures there that pass now are no longer an excuse. */
  readonly turnedGreen: ReadonlyMap<string, TestReport>
  readonly tests: JudgedTests
}

/** What the work did to the tests, by check, and how it counts. */
export interface JudgedTests {
  /** When the tests count as known. `known`: at once. `held`: once the operator accepts the work. `nothing`: never. */
  readonly standing: 'known' | 'held' | 'nothing'
  readonly runs: ReadonlyMap<string, TestsRun>
}

/** The operator's verdict, and what it means for the attempt's work. */
export interface AnswerJudgement extends Judgement {
  /** `null` if nothing is known about the work. */
  readonly work: JudgedWork | null
}
