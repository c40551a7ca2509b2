import type { AgentEventOf } from '../../core/activity/types.ts'
import { streamReach } from '../../core/agents/stream-reach.ts'
import type { Claim } from '../../core/claims/types.ts'
import type { Contract, TaskDefinition } from '../../core/contract/types.ts'
import { applyClaim, type DetectionInput, detectInterventions } from '../../core/intervention/detect.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import type { AttemptResult, RaisedIntervention } from '../../core/record/events.ts'
import { pointsFor } from '../../core/scoring/points.ts'
import { workedOnAfterRefusal } from '../../core/verification/completion.ts'
import { changedPaths } from '../../core/verification/difference.ts'
import { matchFileClaims } from '../../core/verification/file-claims.ts'
import { reconcile } from '../../core/verification/reconcile.ts'
import type { Reconciliation } from '../../core/verification/sources.ts'
import type {
  EnvironmentFault,
  FileDifference,
  GateResult,
  JudgeResult,
  Outcome,
  VerdictDecision,
  VerdictInput,
} from '../../core/verification/types.ts'
import { decideVerdict } from '../../core/verification/verdict.ts'
import type { AgentRun } from '../ports/agent-runner.ts'
import { agentOutput } from './agent-output.ts'
import type { CycleContext, PlannedAttempt, RunTimeout } from './cycle-context.ts'
import { inspectEvidence } from './inspect-evidence.ts'
import { measure } from './measure.ts'
import { traceDetection, traceVerification } from './trace.ts'

/** What a finished run of the agent left behind for one of its tasks. */
export interface RunFindings {
  readonly run: AgentRun
  readonly difference: FileDifference
  readonly environmentFault: EnvironmentFault | null
  readonly claim: Claim
  /** Epoch ms, wall clock. */
  readonly startedAtMs: number
  readonly timeout: RunTimeout
  readonly tasksInRun: number
  /** What stood in the prompt about earlier attempts; `null` where nothing did. */
  readonly feedback: { readonly messages: number; readonly aggressive: boolean } | null
  /** A clean repository is required, and it has uncommitted changes. */
  readonly isDirty: boolean
  /** As the agent left it; `null` where it can no longer be read. */
  readonly contractAfter: Contract | null
  readonly interventions: readonly RaisedIntervention[]
}

/** Paths of a difference kept in the ledger; the count tells how many there were. */
const MAX_RECORDED_PATHS = 200

/** Verifies what the attempt left, and looks whether it calls for an intervention. */
export async function judgeAttempt(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
): Promise<AttemptResult> {
  const verified = await traceVerification(context, attempt, () => verify(context, attempt, findings))
  const detected = await traceDetection(context, attempt, () => detect(context, attempt, findings, verified))
  return attemptResult(context, attempt, findings, { ...verified, ...detected })
}

interface Verified {
  /** As it was before gates and judge were asked. */
  readonly input: VerdictInput
  readonly decision: VerdictDecision
  readonly gates: readonly GateResult[]
}

/** Measures what the attempt left, asks gates and judge where they can still matter, and decides the verdict. */
async function verify(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
): Promise<Verified> {
  const { difference } = findings
  const claim = applyClaim(findings.claim, findings.isDirty, difference)
  const paths = changedPaths(difference)
  const [after, measurable] = await Promise.all([
    measure(context.verifier, attempt.hint, claim, context.probeNames, paths, context.signal),
    context.ports.snapshotter.measurable(
      context.ports.directory,
      claim.files.map((file) => file.path),
      difference,
    ),
  ])
  const outcome = outcomeOf(findings.run)
  const workedOn = outcome === 'denied' && workedOnAfterRefusal(claim, difference)
  const input: VerdictInput = {
    required: attempt.required,
    outcome: workedOn ? 'completed' : outcome,
    environmentFault: workedOn ? null : findings.environmentFault,
    claim,
    hint: attempt.hint,
    before: attempt.before,
    after,
    difference,
    fileClaims: matchFileClaims(claim.files, difference, measurable, context.ports.directory),
    gates: [],
    judge: null,
  }
  return { input, ...(await decide(context, attempt, input, findings)) }
}

interface Detected {
  readonly reconciliation: Reconciliation
  readonly evidenceCount: number
  readonly interventions: readonly RaisedIntervention[]
}

/** Holds the agent's evidence against the workspace and against its program's own report, and raises what does not fit. */
async function detect(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
  verified: Verified,
): Promise<Detected> {
  const { input, decision } = verified
  const { difference } = findings
  const reconciliation = reconcileSources(context, findings, verified)
  const { evidence, evidenceCount } = await inspectEvidence({
    directory: context.ports.directory,
    snapshotter: context.ports.snapshotter,
    claim: findings.claim,
    output: agentOutput(findings.run),
    difference,
  })
  const { interventions: rules } = context.config
  const raised = rules.enabled
    ? detectInterventions({
        taskId: attempt.task.id,
        outcome: input.outcome,
        exitCode: findings.run.exitCode,
        claim: findings.claim,
        hint: attempt.hint,
        decision,
        difference,
        fileClaims: input.fileClaims,
        evidence,
        evidenceCount,
        contradictions: reconciliation.contradictions,
        expectFiles: rules.expectFiles,
        dirty: findings.isDirty,
        feedback: findings.feedback,
        refusals: refusalsOf(findings.run),
        remedy: findings.run.remedy,
      })
    : []
  return { reconciliation, evidenceCount, interventions: [...findings.interventions, ...raised] }
}

function reconcileSources(
  { config, ports }: CycleContext,
  { run, claim, difference, tasksInRun }: RunFindings,
  { input, decision, gates }: Verified,
): Reconciliation {
  const { rows, contradictions } = reconcile({
    claim,
    // Of several tasks, the text does not tell which one it means.
    output: tasksInRun === 1 ? agentOutput(run) : '',
    activity: run.activity ?? null,
    reach: streamReach(config.agent),
    fileClaims: input.fileClaims,
    difference,
    comparisons: decision.comparisons,
    gates,
    root: ports.directory,
  })
  const isStopped = decision.verdict === null && decision.fault === 'environment'
  return { rows, contradictions: isStopped ? [] : contradictions }
}

/** What the program reports to have been refused. */
function refusalsOf({ activity }: AgentRun): DetectionInput['refusals'] {
  return (activity?.calls ?? []).filter(
    (call): call is AgentEventOf<'permission'> => call.kind === 'permission' && call.decision !== 'allowed',
  )
}

/** Gates and the judge cost time: they are asked only where the verdict is not settled without them. */
async function decide(
  context: CycleContext,
  attempt: PlannedAttempt,
  input: VerdictInput,
  findings: RunFindings,
): Promise<{ decision: VerdictDecision; gates: readonly GateResult[] }> {
  const preliminary = decideVerdict(input)
  if (preliminary.verdict === null || preliminary.verdict === 'not_verified') {
    return { decision: preliminary, gates: [] }
  }
  const [gates, judge]: [readonly GateResult[], JudgeResult | null] = await Promise.all([
    context.verifier.runGates(context.signal),
    attempt.hint.kind === 'words' ? askJudge(context, attempt, findings) : null,
  ])
  await reportUnavailableGates(context, gates)
  return { decision: decideVerdict({ ...input, gates, judge }), gates }
}

function askJudge(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
): Promise<JudgeResult | null> {
  return context.verifier.judge(
    {
      taskId: attempt.task.id,
      description: attempt.task.description,
      criteria: attempt.task.criteria.map((criterion) => criterion.text),
      claim: findings.claim,
      difference: findings.difference,
      output: findings.run.stdout.text,
    },
    context.signal,
  )
}

async function reportUnavailableGates(context: CycleContext, gates: readonly GateResult[]): Promise<void> {
  for (const gate of gates) {
    if (gate.status !== 'unavailable') continue
    await context.ports.ledger.append({
      type: 'diagnostic-raised',
      code: 'gate-unavailable',
      taskId: null,
      message: `The gate \`${gate.command.join(' ')}\` could not run: ${gate.detail}`,
    })
  }
}

/** A run that we ended at shutdown ended with an error, and the environment is at fault. */
function outcomeOf(run: AgentRun): Outcome {
  return run.outcome === 'cancelled' ? 'error' : run.outcome
}

function attemptResult(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
  judged: Verified & Detected,
): AttemptResult {
  const { decision, gates } = judged
  const { run, difference, claim } = findings
  const { config } = context
  const paths = changedPaths(difference)
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
    reasons: [...decision.reasons, ...sayContradictions(decision, judged.reconciliation)],
    comparisons: [...decision.comparisons],
    remedy: decision.remedy ?? judged.input.environmentFault?.remedy ?? null,
    heldBefore: decision.heldBefore,
    points:
      decision.verdict === null
        ? 0
        : pointsFor(
            {
              verdict: decision.verdict,
              groundTruthContradiction: decision.groundTruthContradiction,
              required: attempt.required,
            },
            config.scoring,
          ),
    claim: {
      ...claim,
      values: { ...claim.values },
      files: [...claim.files],
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
    criteria: criteriaMet(attempt.task, findings.contractAfter),
    gateUnavailable: gates.some((gate) => gate.status === 'unavailable'),
    tasksInRun: findings.tasksInRun,
    activity: run.activity ?? null,
    reconciliation: { rows: [...rows], contradictions: [...contradictions] },
  }
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

/** How many of the task's acceptance criteria stand checked now; a claim of the agent's, for suggestions only. */
function criteriaMet(task: TaskDefinition, after: Contract | null): { met: number; total: number } {
  const now = after?.tasks.find((candidate) => candidate.id === task.id)?.criteria ?? task.criteria
  return { met: now.filter((criterion) => criterion.checked === true).length, total: task.criteria.length }
}
