import { applyClaim } from '../../core/intervention/detect.ts'
import { workedOnAfterRefusal } from '../../core/verification/completion.ts'
import { changedPaths } from '../../core/verification/difference.ts'
import { matchFileClaims } from '../../core/verification/file-claims.ts'
import type { GateResult, JudgeResult, VerdictDecision, VerdictInput } from '../../core/verification/types.ts'
import { decideVerdict } from '../../core/verification/verdict.ts'
import type { Outcome } from '../../core/vocabulary/outcome.ts'
import type { AgentRun } from '../ports/agent-runner.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import { measure } from './measure.ts'
import type { RunFindings } from './run-findings.ts'

/** What the measurements of one attempt came to. */
export interface Verified {
  /** As it was before gates and judge were asked. */
  readonly input: VerdictInput
  readonly decision: VerdictDecision
  readonly gates: readonly GateResult[]
}

/** Measures what the attempt left, asks gates and judge where they can still matter, and decides the verdict. */
export async function verifyAttempt(
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
