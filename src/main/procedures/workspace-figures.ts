import type { UsageTotals } from '../../core/activity/usage.ts'
import type { Intervention } from '../../core/read-model/intervention.ts'
import { countsView } from '../../core/read-model/workspace.ts'
import { DURATION_BOUNDS } from '../../core/record/fold-totals.ts'
import { INTERVENTION_ROWS, INTERVENTION_TYPES } from '../../core/vocabulary/intervention.ts'
import type { Verdict } from '../../core/vocabulary/verdict.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { cyclesOf } from './interventions.ts'

/** The numbers of one workspace as a monitoring system takes them; counts only ever grow while the ledger stands. */
export interface WorkspaceFigures {
  readonly workspace: string
  readonly score: number
  readonly target: number
  readonly cycles: number
  readonly blockedTasks: number
  readonly suspended: boolean
  readonly attempts: Readonly<Record<Verdict | 'none', number>>
  readonly interventions: readonly (Pick<Intervention, 'event_type' | 'severity'> & {
    readonly count: number
  })[]
  /** `counts[i]` attempts took at most `bounds[i]` seconds and more than the bound before; `total` has the longer ones too. */
  readonly attemptSeconds: {
    readonly bounds: readonly number[]
    readonly counts: readonly number[]
    readonly total: number
    readonly sum: number
  }
  /** By agent, ever: what its program reports to have used; `null` where it reports nothing of the kind. */
  readonly usage: Readonly<Record<string, UsageTotals>>
  /** US dollars; `null` where none is set. */
  readonly dailyBudgetUsd: number | null
}

/** What is counted and measured of a workspace, for monitoring. */
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
    dailyBudgetUsd: loop.config?.agent.dayLimits.usd ?? null,
  }
}
