import type { Contract, TaskDefinition } from '../../core/contract/types.ts'
import { compareHints } from '../../core/judgement/hint-comparison.ts'
import { decideVerdict } from '../../core/judgement/verdict.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import type { AttemptResult } from '../../core/record/events.ts'
import { pointsFor } from '../../core/scoring/points.ts'
import { criteriaHeld } from '../../core/verification/criteria-checks.ts'
import { changedPaths } from '../../core/verification/difference.ts'
import type { Reconciliation } from '../../core/verification/evidence-row.ts'
import type { VerdictDecision, VerdictInput } from '../../core/verification/types.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import type { Detected } from './detect-attempt.ts'
import { operatorsTask } from './operators-task.ts'
import type { RunFindings } from './run-findings.ts'
import type { CustodyFindings } from './take-into-custody.ts'
import type { Verified } from './verify-attempt.ts'

/** Paths of a difference kept in the ledger; the count tells how many there were. */
const MAX_RECORDED_PATHS = 200

const SCORES_NOTHING_YET = 'An agent added this task and it has not been accepted yet: it scores nothing.'
const COSTS_NOTHING_YET =
  'An agent added a criterion that is not met, and it has not been accepted yet: it costs nothing.'

/** The attempt as it is recorded. */
export function attemptResult(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
  judged: Verified & CustodyFindings & Detected,
): AttemptResult {
  const { decision, gates } = judged
  const { run, difference, claim } = findings
  const { config } = context
  const paths = changedPaths(difference)
  const isProposed = context.proposed.has(attempt.task.id)
  const points = pointsOf(decision, attempt, context)
  const asAsked = pointsAsAsked(judged.input, attempt, context)
  const costsNothing = !isProposed && points < asAsked
  const { rows, contradictions } = judged.reconciliation
  return {
    attemptId: attempt.attemptId,
    cycle: context.cycle,
    taskId: attempt.task.id,
    description: attempt.task.description,
    verify: attempt.task.verify,
    agentId: config.agent.id,
    startedAt: timestamp(findings.startedAtMs, config.heartbeat.timezone ?? 'local'),
    durationMs: Math.round(run.durationMs),
    timeoutSeconds: findings.timeout.seconds,
    outcome: judged.input.outcome,
    exitCode: run.exitCode,
    signal: run.signal,
    required: attempt.required,
    verdict: decision.verdict,
    groundTruthContradiction: decision.groundTruthContradiction,
    skipped: decision.skipped,
    fault: decision.fault,
    reasons: [
      ...decision.reasons,
      ...sayContradictions(decision, judged.reconciliation),
      ...(isProposed ? [SCORES_NOTHING_YET] : costsNothing ? [COSTS_NOTHING_YET] : []),
    ],
    comparisons: comparisonsOf(judged.input, decision),
    remedy: decision.remedy ?? judged.input.environmentFault?.remedy ?? null,
    heldBefore: decision.heldBefore,
    // What it costs by what the operator asks, it costs all the same.
    points: judged.held !== null || isProposed ? 0 : costsNothing ? Math.min(0, asAsked) : points,
    claim: {
      ...claim,
      values: Object.fromEntries(Object.entries(claim.values).slice(0, MAX_RECORDED_PATHS)),
      files: claim.files.slice(0, MAX_RECORDED_PATHS),
      evidence: [...claim.evidence],
      notes: [...claim.notes, ...(run.notes ?? [])],
    },
    filesChanged: paths.slice(0, MAX_RECORDED_PATHS),
    filesChangedCount: paths.length,
    interventions: [...judged.interventions],
    complexity: findings.timeout.levels.get(attempt.task.id) ?? 'medium',
    timeoutReason: findings.timeout.reason,
    feedbackShown: findings.feedback !== null,
    evidenceCount: judged.evidenceCount,
    criteria: criteriaMet(attempt.task, findings.contractAfter, judged.input),
    gateUnavailable: gates.some((gate) => gate.status === 'unavailable'),
    tasksInRun: findings.tasksInRun,
    activity: run.activity ?? null,
    findings: [...decision.findings],
    restsOn: judged.restsOn,
    answered: [...judged.answered],
    reconciliation: { rows: [...rows], contradictions: [...contradictions] },
    held: judged.held,
  }
}

function pointsOf(decision: VerdictDecision, { required }: PlannedAttempt, { ports }: CycleContext): number {
  const { verdict, groundTruthContradiction, fault, scoresNothing } = decision
  if (verdict === null) return 0
  const { rules } = ports.ledger.state
  return pointsFor({ verdict, groundTruthContradiction, required, fault, scoresNothing }, rules)
}

/**
 * What it would have scored at most by what the operator asks: what an agent has added counts, and scores nothing before it is
 * accepted. `-Infinity` where nothing was added.
 */
function pointsAsAsked(input: VerdictInput, attempt: PlannedAttempt, context: CycleContext): number {
  const asked = new Set(operatorsTask(context, attempt.task).criteria.map(({ verify }) => verify))
  const criteria = (input.criteria ?? []).filter(({ hint }) => asked.has(hint.source))
  if (criteria.length === (input.criteria ?? []).length) return Number.NEGATIVE_INFINITY
  return pointsOf(decideVerdict({ ...input, criteria }), attempt, context)
}

/** The hint and those of the criteria before everything else that was claimed. */
function comparisonsOf(input: VerdictInput, decision: VerdictDecision): AttemptResult['comparisons'] {
  return [...compareHints(input, decision), ...decision.comparisons]
}

/** What the program's account adds to the reasons: a file that the verdict already names as missing is not named again. */
function sayContradictions(
  { comparisons }: VerdictDecision,
  { contradictions }: Reconciliation,
): readonly string[] {
  const refuted = new Set(comparisons.filter(({ agrees }) => agrees === false).map(({ subject }) => subject))
  return contradictions
    .filter(({ kind, subject }) => !(kind.startsWith('edit-') && refuted.has(subject)))
    .map(({ reason }) => reason)
}

/** How many of the task's acceptance criteria are met: by measuring where one has a hint, else by its box, a claim of the agent's. */
function criteriaMet(
  task: TaskDefinition,
  after: Contract | null,
  input: VerdictInput,
): { met: number; total: number } {
  const now = after?.tasks.find((candidate) => candidate.id === task.id)?.criteria ?? task.criteria
  const checked = now.filter(({ checked, verify }) => checked === true && verify === null).length
  return { met: checked + criteriaHeld(input), total: task.criteria.length }
}
