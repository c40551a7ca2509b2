import type { ModelPrice } from '../../core/activity/prices.ts'
import type { AgentUsage } from '../../core/activity/types.ts'
import type { LimitsOf } from '../../core/record/budget.ts'

/** What all workspaces use together. */
export interface Spending {
  /** Of all workspaces on their current day, running attempts included, with the limits for it. */
  all(): LimitsOf
  /** The price of what runs, by the operator's table and ours; `null`: not known. */
  priceOf(model: string | null, preset: string | null): ModelPrice | null
  /** What the running attempt of a workspace has used by now; `null`: it runs no more, and the ledger counts it. */
  running(workspace: string, used: AgentUsage | null): void
  /** Calls `listener` whenever a running attempt has used more; answers with the way to end that. */
  onUsed(listener: () => void): () => void
  /** Whether another workspace has said it of the same limit of all today: the operator is notified once. */
  isNotifiedElsewhere(workspace: string, key: string): boolean
}
