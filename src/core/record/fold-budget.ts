import { sayDollars } from './budget.ts'
import type { EventOf } from './events.ts'
import { dropNotices, raiseNotice } from './fold-notices.ts'
import type { WorkspaceState } from './state.ts'

/** A pause by the operator or by the budget; of the latter a notice says what ends it. */
export function pause(state: WorkspaceState, event: EventOf<'paused'>): WorkspaceState {
  const { until, budget, at } = event
  const paused: WorkspaceState = { ...state, paused: { since: at, until, budget: budget ?? null } }
  if (budget === undefined) return paused
  const spent = `${sayDollars(budget.spentUsd)} of the day's ${sayDollars(budget.limitUsd)} are spent`
  return raiseNotice(
    { ...paused, budgetReached: { day: state.day ?? event.day, limitUsd: budget.limitUsd } },
    {
      code: 'budget-reached',
      taskId: null,
      message: `${spent}: paused until the next day.`,
      at,
    },
  )
}

export function endPause(state: WorkspaceState): WorkspaceState {
  return dropNotices({ ...state, paused: null }, ({ code }) => code === 'budget-reached')
}

/** The day is over, or the operator has approved another configuration: what the budget stopped goes on. */
export function endBudgetPause(state: WorkspaceState): WorkspaceState {
  const isByBudget = state.paused !== null && state.paused.budget !== null
  return isByBudget ? endPause(state) : dropNotices(state, ({ code }) => code === 'budget-reached')
}
