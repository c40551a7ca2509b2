import type { AgentEventOf } from '../../core/activity/types.ts'
import { streamReach } from '../../core/agents/own-report.ts'
import { type DetectionInput, detectInterventions } from '../../core/intervention/detect.ts'
import type { RaisedIntervention } from '../../core/record/events.ts'
import type { Reconciliation } from '../../core/verification/evidence-row.ts'
import { reconcile } from '../../core/verification/reconcile.ts'
import type { AgentRun } from '../ports/agent-runner.ts'
import { agentOutput } from './agent-output.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import { inspectEvidence } from './inspect-evidence.ts'
import type { RunFindings } from './run-findings.ts'
import type { CustodyFindings } from './take-into-custody.ts'
import type { Verified } from './verify-attempt.ts'

/** What was noticed of one attempt beside its verdict. */
export interface Detected {
  readonly reconciliation: Reconciliation
  readonly evidenceCount: number
  readonly interventions: readonly RaisedIntervention[]
}

/** Holds the agent's evidence against the workspace and against its program's own report, and raises what does not fit. */
export async function detectAttempt(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
  verified: Verified & Pick<CustodyFindings, 'raised'>,
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
    after: findings.after,
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
        work: input.work ?? difference,
        fileClaims: input.fileClaims,
        evidence,
        evidenceCount,
        contradictions: reconciliation.contradictions,
        expectFiles: attempt.task.writesNoFiles ? 'never' : rules.expectFiles,
        dirty: findings.isDirty,
        feedback: findings.feedback,
        refusals: refusalsOf(findings.run),
        remedy: findings.run.remedy,
      })
    : []
  return {
    reconciliation,
    evidenceCount,
    interventions: [...findings.interventions, ...eachOnce([...verified.raised, ...raised])],
  }
}

/** Of two events of one type the first, with what only the other one tells. */
function eachOnce(raised: readonly RaisedIntervention[]): readonly RaisedIntervention[] {
  const byType = new Map<RaisedIntervention['event_type'], RaisedIntervention>()
  for (const one of raised) {
    const first = byType.get(one.event_type)
    const whole = first === undefined ? one : { ...first, details: { ...one.details, ...first.details } }
    byType.set(one.event_type, whole)
  }
  return [...byType.values()]
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
