import type { AgentUsage } from '../activity/types.ts'
import { addUsage, type UsageTotals } from '../activity/usage.ts'
import type { WorkspaceState } from './state.ts'

/** What the agents of a workspace used on its current local day; `null` where nothing was reported. */
export function usageToday({ days, day }: WorkspaceState): UsageTotals | null {
  const [newest] = days
  if (newest === undefined || newest.day !== day) return null
  const used = Object.values(newest.agents).flatMap(({ usage }) => usage ?? [])
  const attempts = used.reduce((sum, usage) => sum + usage.attempts, 0)
  const totals = used.reduce<UsageTotals | null>((sum, usage) => addUsage(sum, usage, 1), null)
  return totals === null ? null : { ...totals, attempts }
}

/**
 * What is to be done about the day's budget in US dollars (`null`: none is set). `spent`: it is used up and the workspace has to
 * pause; that is said once a day for one limit, so that the operator who resumes is not stopped again. `unknown`: attempts were
 * made today and none of their programs reported what it cost. Pure; never throws.
 */
export function budgetStand(
  state: WorkspaceState,
  limitUsd: number | null,
): { readonly kind: 'kept' | 'unknown' } | { readonly kind: 'spent'; readonly spentUsd: number } {
  if (limitUsd === null) return { kind: 'kept' }
  const spentUsd = usageToday(state)?.costUsd ?? null
  if (spentUsd === null) return { kind: ranToday(state) ? 'unknown' : 'kept' }
  const { budgetReached, day } = state
  const isNotified =
    budgetReached !== null && budgetReached.day === day && budgetReached.limitUsd === limitUsd
  return spentUsd >= limitUsd && !isNotified ? { kind: 'spent', spentUsd } : { kind: 'kept' }
}

function ranToday({ days, day }: WorkspaceState): boolean {
  const [newest] = days
  return newest?.day === day && Object.values(newest.agents).some(({ worked }) => worked > 0)
}

/** US dollars in words: `$4.20`, with four decimals below a cent. */
export function sayDollars(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && usd < 0.01 ? 4 : 2)}`
}

/** What one attempt may use; `null`: no limit. */
export interface AttemptCeiling {
  /** Input and output together. */
  readonly tokens: number | null
  readonly usd: number | null
}

/** The ceiling that `used` has reached, in words; `null` while it has not, or where its program reports nothing of the kind. */
export function ceilingReached({ tokens, usd }: AttemptCeiling, used: AgentUsage): string | null {
  const { inputTokens, outputTokens, costUsd } = used
  const usedTokens = (inputTokens ?? 0) + (outputTokens ?? 0)
  if (tokens !== null && usedTokens >= tokens) return `${usedTokens} of ${tokens} tokens`
  if (usd !== null && costUsd !== null && costUsd >= usd)
    return `${sayDollars(costUsd)} of ${sayDollars(usd)}`
  return null
}
