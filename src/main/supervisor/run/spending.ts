import { type Prices, priceOf } from '../../../core/activity/prices.ts'
import type { AgentUsage } from '../../../core/activity/types.ts'
import { addUsed, type DayLimits, type Used, usedOf, usedToday } from '../../../core/record/budget.ts'
import type { WorkspaceState } from '../../../core/record/state.ts'
import type { Spending } from '../../ports/spending.ts'

/** What the total spending is computed from. */
export interface SpendingSources {
  readonly states: () => readonly (readonly [workspace: string, state: WorkspaceState])[]
  readonly limits: () => DayLimits
  /** The operator's own prices. */
  readonly prices: () => Prices
}

export function createSpending({ states, limits, prices }: SpendingSources): Spending {
  const running = new Map<string, AgentUsage>()
  const listeners = new Set<() => void>()
  return {
    all: () => {
      const recorded = states().reduce<Used>((sum, [, state]) => addUsed(sum, usedToday(state)), NOTHING)
      const used = [...running.values()].reduce((sum, usage) => addUsed(sum, usedOf(usage)), recorded)
      return { used, limits: limits() }
    },
    priceOf: (model, preset) => priceOf(model, preset, prices()),
    running: (workspace, used) => {
      if (used === null) running.delete(workspace)
      else {
        running.set(workspace, used)
        for (const listener of listeners) listener()
      }
    },
    onUsed: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isNotifiedElsewhere: (workspace, key) =>
      states().some(
        ([id, { limitsReached, day }]) =>
          id !== workspace && limitsReached?.day === day && limitsReached?.keys.includes(key) === true,
      ),
  }
}

const NOTHING: Used = { usd: null, isEstimate: false, tokens: null }
