import type { SpentLimit } from '../vocabulary/limit.ts'
import { limitKey, sayLimit, warningKey } from './budget.ts'
import type { EventOf } from './events.ts'
import { dropNotices, raiseNotice } from './fold-notices.ts'
import type { WorkspaceState } from './state.ts'

/** Returns the limit that paused the workspace; `null`: the operator did. Older versions only had the workspace's own limit, in money. */
export function pausingLimit({ limit, budget }: EventOf<'paused'>): SpentLimit | null {
  if (limit !== undefined) return limit
  if (budget === undefined) return null
  return { scope: 'workspace', unit: 'usd', limit: budget.limitUsd, used: budget.spentUsd, isEstimate: false }
}

/** Pauses for the operator or at a daily limit; in the latter case a notice says what ends the pause. */
export function pause(state: WorkspaceState, event: EventOf<'paused'>): WorkspaceState {
  const { until, at } = event
  const limit = pausingLimit(event)
  const paused: WorkspaceState = { ...state, paused: { since: at, until, limit } }
  if (limit === null) return paused
  return raiseNotice(
    dropNotices(remember(paused, event.day, limitKey(limit)), ({ code }) => code === 'budget-near'),
    { code: 'budget-reached', taskId: null, message: `${sayLimit(limit)}: paused until the next day.`, at },
  )
}

/** Raises a notice that a limit is near, or was passed without stopping anything; once a day. */
export function nearLimit(state: WorkspaceState, event: EventOf<'limit-near'>): WorkspaceState {
  const { at, day, limit } = event
  return raiseNotice(remember(state, day, warningKey(limit)), {
    code: 'budget-near',
    taskId: null,
    message: `${sayLimit(limit)}.`,
    at,
  })
}

function remember(state: WorkspaceState, eventDay: string, key: string): WorkspaceState {
  const day = state.day ?? eventDay
  const before = state.limitsReached?.day === day ? state.limitsReached.keys : []
  return {
    ...state,
    limitsReached: { day, keys: [...before.filter((each) => each !== key), key].slice(-20) },
  }
}

export function endPause(state: WorkspaceState): WorkspaceState {
  return dropNotices({ ...state, paused: null }, ({ code }) => code === 'budget-reached')
}

/** Ends the pause at a daily limit, because the day is over or the operator has approved another configuration. */
export function endBudgetPause(state: WorkspaceState): WorkspaceState {
  const isByLimit = state.paused !== null && state.paused.limit !== null
  const awake = isByLimit ? endPause(state) : state
  return dropNotices(awake, ({ code }) => code === 'budget-reached' || code === 'budget-near')
}
