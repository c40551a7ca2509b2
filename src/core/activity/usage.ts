import type { AgentUsage } from './types.ts'

/** Tokens and cost of several attempts together; a figure is `null` if no program has reported it. */
export interface UsageTotals extends AgentUsage {
  /** Attempts whose program reported any usage. */
  readonly attempts: number
}

/**
 * Returns the totals with one more attempt. `usage` is that of the whole run, and `share01` (from 0 to 1) is the attempt's share of it,
 * because one run may serve several tasks. Unreported usage changes nothing.
 */
export function addUsage(
  totals: UsageTotals | null,
  usage: AgentUsage | null,
  share01: number,
): UsageTotals | null {
  if (usage === null || Object.values(usage).every((figure) => figure === null)) return totals
  const sum = (total: number | null | undefined, figure: number | null) =>
    figure === null ? (total ?? null) : (total ?? 0) + figure * share01
  const estimatedUsd = sum(totals?.estimatedUsd, usage.estimatedUsd ?? null)
  return {
    attempts: (totals?.attempts ?? 0) + 1,
    inputTokens: sum(totals?.inputTokens, usage.inputTokens),
    outputTokens: sum(totals?.outputTokens, usage.outputTokens),
    cachedInputTokens: sum(totals?.cachedInputTokens, usage.cachedInputTokens),
    costUsd: sum(totals?.costUsd, usage.costUsd),
    ...(estimatedUsd !== null && { estimatedUsd }),
  }
}
