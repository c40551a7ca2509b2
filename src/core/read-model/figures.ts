import type { UsageTotals } from '../activity/usage.ts'
import { DURATION_BOUNDS } from '../record/fold-totals.ts'
import type { WorkspaceState } from '../record/state.ts'
import type { CostPhase } from '../vocabulary/cost-phase.ts'
import { INTERVENTION_ROWS, INTERVENTION_TYPES } from '../vocabulary/intervention.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import type { Intervention } from './intervention.ts'
import { countsView } from './workspace.ts'

/** The numbers of one workspace for a monitoring system; counts only grow as long as the ledger exists. */
export interface WorkspaceFigures {
  /** Identifies the workspace: `workspace`, and in a fleet `host` before it. */
  readonly labels: Readonly<Record<string, string>>
  readonly score: number
  readonly target: number
  readonly cycles: number
  readonly blockedTasks: number
  readonly suspended: boolean
  readonly attempts: Readonly<Record<Verdict | 'none', number>>
  readonly interventions: readonly (Pick<Intervention, 'event_type' | 'severity'> & {
    readonly count: number
  })[]
  /** `counts[i]`: attempts that took at most `bounds[i]` seconds, but more than the previous bound; `total` includes longer ones. */
  readonly attemptSeconds: {
    readonly bounds: readonly number[]
    readonly counts: readonly number[]
    readonly total: number
    readonly sum: number
  }
  /** Time of all attempts by phase, in ms. */
  readonly costs: Readonly<Record<CostPhase, number>>
  /** Total usage by agent, as its program reports it; `null` where it reports nothing. */
  readonly usage: Readonly<Record<string, UsageTotals>>
  /** US dollars; `null` if none is set. */
  readonly dailyBudgetUsd: number | null
}

/** Returns a workspace's figures for monitoring. */
export function workspaceFigures(
  labels: WorkspaceFigures['labels'],
  state: WorkspaceState,
  dailyBudgetUsd: number | null,
): WorkspaceFigures {
  const { byVerdict, seconds } = state.attemptTotals
  return {
    labels,
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
    costs: state.attemptTotals.costs,
    usage: state.attemptTotals.usage,
    dailyBudgetUsd,
  }
}

/** Returns the number of cycles begun so far, including the running one. */
export function cyclesOf({ progress, running }: WorkspaceState): number {
  return Math.max(progress.cycleCount, running?.cycle ?? 0)
}
