import { RequestProblem } from '../../api/request-problem.ts'
import type { InterventionMetrics } from '../../api/schemas/intervention.ts'
import { interventionEntry, interventionMetrics } from '../../core/intervention/metrics.ts'
import { DURATION_BOUNDS } from '../../core/record/fold-totals.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { INTERVENTION_ROWS, INTERVENTION_TYPES } from '../../core/vocabulary/intervention.ts'
import type { InterventionFilter, InterventionPage, WorkspaceFigures } from '../ports/host-service.ts'
import { countsView } from './views.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'

/** Interventions newest first; the cursor is the id of the last one shown. */
export function interventionPage(
  { ledger }: WorkspaceRuntime,
  { last, type, severity, cursor }: InterventionFilter,
): InterventionPage {
  const all = ledger.state.interventions
  const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  if (cursor !== undefined && from === 0) {
    throw new RequestProblem(
      'bad-request',
      `There is no intervention ${JSON.stringify(cursor)} to go on from. Start without a cursor.`,
    )
  }
  const wanted = all
    .slice(from)
    .map(interventionEntry)
    .filter((entry) => type === undefined || entry.event_type === type)
    .filter((entry) => severity === undefined || entry.severity === severity)
  const page = wanted.slice(0, last)
  return { interventions: page, nextCursor: wanted.length > last ? (page.at(-1)?.id ?? null) : null }
}

export function metricsOf({ ledger }: WorkspaceRuntime): InterventionMetrics {
  const metrics = interventionMetrics(ledger.state.interventionTotals, cyclesOf(ledger.state))
  return {
    ...metrics,
    interventions_by_type: { ...metrics.interventions_by_type },
    interventions_by_severity: { ...metrics.interventions_by_severity },
  }
}

export async function resetInterventions({ ledger }: WorkspaceRuntime): Promise<void> {
  await ledger.append({ type: 'interventions-reset' })
}

/** Records that the operator has reviewed, with what he says of it. */
export async function liftSuspension({ ledger, name }: WorkspaceRuntime, reason: string): Promise<void> {
  if (ledger.state.suspended === null) {
    throw new RequestProblem('conflict', `${name} is not suspended.`)
  }
  await ledger.append({ type: 'suspension-lifted', reason })
}

export function figuresOf({ id, ledger, loop }: WorkspaceRuntime): WorkspaceFigures {
  const { state } = ledger
  const { byVerdict, seconds } = state.attemptTotals
  return {
    workspace: id,
    score: state.score.today.score,
    target: state.score.today.target,
    cycles: cyclesOf(state),
    blockedTasks: countsView(state).blocked,
    suspended: state.suspended !== null,
    attempts: byVerdict,
    interventions: INTERVENTION_TYPES.map((type) => ({
      event_type: type,
      severity: INTERVENTION_ROWS[type].severity,
      count: state.interventionTotals.byType[type] ?? 0,
    })),
    attemptSeconds: {
      bounds: DURATION_BOUNDS,
      counts: seconds.buckets,
      total: seconds.count,
      sum: seconds.sum,
    },
    usage: state.attemptTotals.usage,
    dailyBudgetUsd: loop.config?.agent.dailyBudgetUsd ?? null,
  }
}

/** Cycles begun so far, the running one included. */
function cyclesOf({ progress, running }: WorkspaceState): number {
  return Math.max(progress.cycleCount, running?.cycle ?? 0)
}
