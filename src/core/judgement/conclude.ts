import type { AgentEventOf } from '../activity/types.ts'
import { type DetectionInput, detectInterventions } from '../intervention/detect.ts'
import type { RaisedIntervention, RestingFile } from '../record/events.ts'
import { pointsFor } from '../scoring/points.ts'
import { criteriaHeld } from '../verification/criteria-checks.ts'
import type { Reconciliation } from '../verification/evidence-row.ts'
import { reconcile } from '../verification/reconcile.ts'
import type { VerdictDecision, VerdictInput } from '../verification/types.ts'
import { type BaselineReports, turnedGreen } from './baseline-reports.ts'
import type { WorkCase } from './case.ts'
import { answeredChecks } from './earlier-answers.ts'
import { compareHints } from './hint-comparison.ts'
import type { WorkJudgement } from './judgement.ts'
import { lackingChecks } from './lacking-checks.ts'
import type { OfferedEvidence } from './offered-evidence.ts'
import type { SilencedCheck } from './silenced-checks.ts'
import { findUncommitted } from './uncommitted.ts'
import { decideVerdict } from './verdict.ts'
import type { CustodyFindings } from './work-custody.ts'

/** What gates and judge add to the decision. */
export interface Checked {
  /** The input, with gates and judge. */
  readonly input: VerdictInput
  /** The decision as measured in place. */
  readonly decision: VerdictDecision
  readonly silenced: readonly SilencedCheck[]
  readonly isStopped: boolean
}

/** Everything that was found. */
export interface Found {
  /** The input before gates and judge were asked. */
  readonly measured: VerdictInput
  readonly checked: Checked
  readonly evidence: OfferedEvidence
  readonly restsOn: readonly RestingFile[]
  readonly custody: CustodyFindings
  readonly reports: BaselineReports
}

const SCORES_NOTHING_YET = 'An agent added this task and it has not been accepted yet: it scores nothing.'
const COSTS_NOTHING_YET =
  'An agent added a criterion that is not met, and it has not been accepted yet: it costs nothing.'

/** Returns the judgement that follows from the findings. */
export function conclude(subject: WorkCase, found: Found): WorkJudgement {
  const { measured, checked, evidence, restsOn, custody, reports } = found
  const { decision, held } = custody
  const { gates } = checked.input
  const isProposed = subject.task?.isProposed === true
  const points = pointsOf(decision, subject)
  const asAsked = pointsAsAsked(measured, subject)
  const costsNothing = !isProposed && points < asAsked
  const reconciliation = reconcileSources(subject, found)
  return {
    verdict: decision.verdict,
    groundTruthContradiction: decision.groundTruthContradiction,
    skipped: decision.skipped,
    fault: decision.fault,
    reasons: [
      ...decision.reasons,
      ...sayContradictions(decision, reconciliation),
      ...(isProposed ? [SCORES_NOTHING_YET] : costsNothing ? [COSTS_NOTHING_YET] : []),
    ],
    findings: decision.findings,
    remedy: decision.remedy ?? measured.environmentFault?.remedy ?? null,
    heldBefore: decision.heldBefore,
    falseCompletion: decision.falseCompletion,
    // The checks of task and criteria come before everything else that was claimed.
    comparisons: [...compareHints(measured, decision), ...decision.comparisons],
    held,
    // Points that the operator's own tasks would cost are lost in any case.
    points: held !== null || isProposed ? 0 : costsNothing ? Math.min(0, asAsked) : points,
    interventions: interventionsOf(subject, found, reconciliation),
    outcome: measured.outcome,
    gates,
    lacking: lackingChecks(checked.input),
    isStopped: checked.isStopped,
    answered: answeredChecks(
      measured,
      gates,
      checked.silenced.map(({ name }) => name),
    ),
    restsOn: [...restsOn],
    reconciliation,
    evidenceCount: evidence.count,
    criteriaHeld: criteriaHeld(measured),
    allowed: custody.allowed,
    tests: {
      standing: decision.verdict === 'verified' ? 'known' : held !== null ? 'held' : 'nothing',
      runs: custody.tests,
    },
    turnedGreen:
      decision.verdict === 'verified' && !custody.isStale ? turnedGreen(reports, checked.input) : new Map(),
  }
}

function pointsOf(decision: VerdictDecision, { task, policy }: WorkCase): number {
  const { verdict, groundTruthContradiction, fault, scoresNothing } = decision
  if (verdict === null) return 0
  const required = task?.required ?? true
  return pointsFor({ verdict, groundTruthContradiction, required, fault, scoresNothing }, policy.scoring)
}

/**
 * Returns the most that it could have scored for what the operator asked: an agent's additions are judged but score nothing until accepted.
 * `-Infinity` if nothing was added.
 */
function pointsAsAsked(input: VerdictInput, subject: WorkCase): number {
  const { criteria: all = [] } = input
  const asked = new Set(subject.task?.asked.criteria.map(({ verify }) => verify))
  const criteria = all.filter(({ hint }) => asked.has(hint.source))
  if (criteria.length === all.length) return Number.NEGATIVE_INFINITY
  return pointsOf(decideVerdict({ ...input, criteria }), subject)
}

/** Adds contradictions in the program's own report to the reasons, except for files that the verdict already names as missing. */
function sayContradictions(
  { comparisons }: VerdictDecision,
  { contradictions }: Reconciliation,
): readonly string[] {
  const refuted = new Set(comparisons.filter(({ agrees }) => agrees === false).map(({ subject }) => subject))
  return contradictions
    .filter(({ kind, subject }) => !(kind.startsWith('edit-') && refuted.has(subject)))
    .map(({ reason }) => reason)
}

function reconcileSources(
  { run, claim, difference, root }: WorkCase,
  { measured, checked, custody }: Found,
): Reconciliation {
  const { decision } = custody
  const { rows, contradictions } = reconcile({
    claim,
    // With several tasks, the text doesn't tell which one it means.
    output: run.tasksInRun === 1 ? run.output : '',
    activity: run.activity,
    reach: run.reach,
    fileClaims: measured.fileClaims,
    difference,
    comparisons: decision.comparisons,
    gates: checked.input.gates,
    root,
  })
  const isStopped = decision.verdict === null && decision.fault === 'environment'
  return { rows, contradictions: isStopped ? [] : contradictions }
}

function interventionsOf(
  subject: WorkCase,
  { measured, evidence, custody }: Found,
  { contradictions }: Reconciliation,
): readonly RaisedIntervention[] {
  const { task, run, claim, difference, policy, raised } = subject
  const { enabled, expectFiles } = policy.interventions
  const uncommitted = findUncommitted(subject)
  const detected =
    enabled && task !== null
      ? detectInterventions({
          taskId: task.id,
          outcome: measured.outcome,
          exitCode: run.exitCode,
          claim,
          hint: task.hint,
          decision: custody.decision,
          difference,
          work: measured.work ?? difference,
          fileClaims: measured.fileClaims,
          evidence: evidence.findings,
          evidenceCount: evidence.count,
          contradictions,
          expectFiles: task.writesNoFiles ? 'never' : expectFiles,
          dirty: uncommitted.isOwn,
          uncommitted: uncommitted.paths,
          feedback: run.feedback,
          refusals: refusalsOf(run),
          remedy: run.remedy,
        })
      : []
  return [...raised, ...eachOnce([...custody.raised, ...detected])]
}

/** Returns one event per type: the first, plus details that only another one has. */
function eachOnce(raised: readonly RaisedIntervention[]): readonly RaisedIntervention[] {
  const byType = new Map<RaisedIntervention['event_type'], RaisedIntervention>()
  for (const one of raised) {
    const first = byType.get(one.event_type)
    const whole = first === undefined ? one : { ...first, details: { ...one.details, ...first.details } }
    byType.set(one.event_type, whole)
  }
  return [...byType.values()]
}

/** Returns what the program reports as blocked. */
function refusalsOf({ activity }: WorkCase['run']): DetectionInput['refusals'] {
  return (activity?.calls ?? []).filter(
    (call): call is AgentEventOf<'permission'> => call.kind === 'permission' && call.decision !== 'allowed',
  )
}
