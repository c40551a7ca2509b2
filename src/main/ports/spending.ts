import type { ModelPrice } from '../../core/activity/prices.ts'
import type { AgentUsage } from '../../core/activity/types.ts'
import type { LimitsOf } from '../../core/record/budget.ts'

/** What all workspaces use together. */
export interface Spending {
  /** Totals of all workspaces on their current day, including running attempts, with their limits. */
  all(): LimitsOf
  /** Returns the price of what runs, by the operator's table and ours; `null` if unknown. */
  priceOf(model: string | null, preset: string | null): ModelPrice | null
  /** Reports what the running attempt of a workspace has used so far; `null`: it has ended, and the ledger counts it. */
  running(workspace: string, used: AgentUsage | null): void
  /** Calls `listener` whenever a running attempt has used more; returns a function that stops this. */
  onUsed(listener: () => void): () => void
  /**
   * Returns whether another workspace has already notified the operator about the same overall limit today, because once is
   * enough.
   */
  isNotifiedElsewhere(workspace: string, key: string): boolean
}
