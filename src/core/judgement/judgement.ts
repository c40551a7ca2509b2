import type { Held } from '../custody/held.ts'
import type { AttemptResult, JudgedWork, RaisedIntervention } from '../record/events.ts'
import type { TestsRun } from '../reports/known-tests.ts'
import type { TestReport } from '../reports/test-report.ts'
import type { Reconciliation } from '../verification/evidence-row.ts'
import type { GateResult, LackingCheck, VerdictDecision } from '../verification/types.ts'
import type { Outcome } from '../vocabulary/outcome.ts'

/** What is decided: the verdict with its reasons, and what follows from it. */
export interface Judgement
  extends Pick<
    VerdictDecision,
    'verdict' | 'groundTruthContradiction' | 'fault' | 'reasons' | 'findings' | 'remedy'
  > {
  /** Held for review: no points until the operator has answered; `null`: it is not held. */
  readonly held: Held | null
  /** Signed; 0 if nothing is scored. */
  readonly points: number
  readonly interventions: readonly RaisedIntervention[]
}

/** The judgement of work, with what was found on the way: for the record, the next prompt and the baseline. */
export interface WorkJudgement
  extends Judgement,
    Pick<VerdictDecision, 'skipped' | 'heldBefore' | 'falseCompletion' | 'comparisons'> {
  /** How the run ended, as it counts. */
  readonly outcome: Outcome
  readonly gates: readonly GateResult[]
  /** Checks that lacked variables, which don't count against the agent. */
  readonly lacking: readonly LackingCheck[]
  /** The operator stopped it while it was judged. */
  readonly isStopped: boolean
  /** Checks that gave an answer, or had given one before and were silenced, as they are recorded. */
  readonly answered: readonly string[]
  /** What a verdict without a measurement rests on. */
  readonly restsOn: AttemptResult['restsOn']
  readonly reconciliation: Reconciliation
  /** Pieces of evidence offered, claimed files included. */
  readonly evidenceCount: number
  /** Number of criteria with a separate check that passes. */
  readonly criteriaHeld: number
  /** Differing paths that the task may change: part of the baseline once the verdict is `verified`. */
  readonly allowed: readonly string[]
  /** Reports to keep for the baseline: what was red there and is green now is no excuse any more. */
  readonly turnedGreen: ReadonlyMap<string, TestReport>
  readonly tests: JudgedTests
}

/** What work made of the tests, by check, and what that counts for. */
export interface JudgedTests {
  /** `known`: at once. `held`: once the operator accepts it. `nothing`: never. */
  readonly standing: 'known' | 'held' | 'nothing'
  readonly runs: ReadonlyMap<string, TestsRun>
}

/** The operator's verdict, with what it makes of the attempt's work. */
export interface AnswerJudgement extends Judgement {
  /** `null`: nothing is known of it. */
  readonly work: JudgedWork | null
}
