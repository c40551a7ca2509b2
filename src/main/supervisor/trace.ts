import type { TaskDefinition } from '../../core/contract/types.ts'
import {
  EVALUATION_EVENT,
  evaluationAttributes,
  invocationAttributes,
} from '../../core/record/evaluation-event.ts'
import type { AttemptResult, RaisedIntervention } from '../../core/record/events.ts'
import type { VerdictDecision } from '../../core/verification/types.ts'
import { COST_PHASE_KEYS, COST_PHASES } from '../../core/vocabulary/cost-phase.ts'
import type { AgentRun } from '../ports/agent-runner.ts'
import type { SpanAttributes } from '../ports/tracer.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import type { WorkspacePorts } from './workspace-ports.ts'

/*
 * The spans of a cycle and their attributes: `cycle` → `attempt` → `agent`, `snapshot`, `verify`, `detect`. Contains only ids, numbers and
 * our own words: a collector gets neither the prompt nor the agent's answer.
 */

export function traceCycle<Report extends { readonly cycle: number; readonly attempts: readonly unknown[] }>(
  ports: WorkspacePorts,
  { trigger }: { readonly trigger: string },
  work: () => Promise<Report>,
): Promise<Report> {
  const known = { 'pulseward.workspace.id': ports.id, 'pulseward.cycle.trigger': trigger }
  return ports.tracer.span('cycle', known, async (span) => {
    const report = await work()
    span.set({ 'pulseward.cycle': report.cycle, 'pulseward.attempt.count': report.attempts.length })
    return report
  })
}

/** Traces one run of the agent, for one task or for all open ones. */
export function traceAttempt<Outcome extends { readonly results: readonly AttemptResult[] }>(
  context: CycleContext,
  tasks: readonly TaskDefinition[],
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { ports, config, cycle } = context
  const known = {
    'pulseward.workspace.id': ports.id,
    'pulseward.agent.id': config.agent.id,
    'pulseward.cycle': cycle,
    'pulseward.task.id': tasks.map(({ id }) => id).join(','),
    ...invocationAttributes(config.agent.id),
  }
  return ports.tracer.span('attempt', known, async (span) => {
    const outcome = await work()
    const [result, ...others] = outcome.results
    if (result !== undefined) {
      span.set({
        'pulseward.attempt.id': [result, ...others].map(({ attemptId }) => attemptId).join(','),
        'pulseward.attempt.outcome': result.outcome,
        ...costAttributes(result.costs),
      })
    }
    for (const each of outcome.results) {
      const evaluation = evaluationAttributes(each)
      if (evaluation !== null) span.event(EVALUATION_EVENT, evaluation)
    }
    return outcome
  })
}

export function traceAgent(
  { ports, config }: CycleContext,
  timeoutSeconds: number,
  work: () => Promise<AgentRun>,
): Promise<AgentRun> {
  const known = { 'pulseward.agent.id': config.agent.id, 'pulseward.timeout_seconds': timeoutSeconds }
  return ports.tracer.span('agent', known, async (span) => {
    const run = await work()
    span.set({ 'pulseward.agent.outcome': run.outcome, 'pulseward.agent.exit_code': run.exitCode })
    return run
  })
}

export function traceVerification<
  Judged extends Pick<VerdictDecision, 'verdict' | 'groundTruthContradiction'>,
>({ ports }: CycleContext, attempt: PlannedAttempt, work: () => Promise<Judged>): Promise<Judged> {
  return ports.tracer.span('verify', attemptAttributes(attempt), async (span) => {
    const verified = await work()
    const { verdict, groundTruthContradiction } = verified
    span.set({ 'pulseward.verdict': verdict ?? 'none', 'pulseward.contradiction': groundTruthContradiction })
    return verified
  })
}

export function traceDetection<Detected extends { readonly interventions: readonly RaisedIntervention[] }>(
  { ports }: CycleContext,
  attempt: PlannedAttempt,
  work: () => Promise<Detected>,
): Promise<Detected> {
  return ports.tracer.span('detect', attemptAttributes(attempt), async (span) => {
    const detected = await work()
    span.set({ 'pulseward.interventions': detected.interventions.map((each) => each.event_type).join(',') })
    return detected
  })
}

/** Returns the costs of the run, which are divided among its attempts. */
function costAttributes(costs: AttemptResult['costs']): SpanAttributes {
  if (costs === null) return {}
  return Object.fromEntries(
    COST_PHASE_KEYS.map((key) => [`pulseward.cost.${COST_PHASES[key].label}_ms`, costs[key]]),
  )
}

function attemptAttributes({ attemptId, task }: PlannedAttempt): SpanAttributes {
  return { 'pulseward.attempt.id': attemptId, 'pulseward.task.id': task.id }
}
