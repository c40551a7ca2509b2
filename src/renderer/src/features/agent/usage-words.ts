import type { UsageTotals } from '../../../../core/read-model/agent.ts'

/** Formats a number of tokens: `940`, `12.4k`, `3.1M`; a dash if unknown. */
export function tokensInWords(tokens: number | null): string {
  if (tokens === null) return '–'
  if (tokens < 1000) return String(Math.round(tokens))
  const [size, unit] = tokens < 999_500 ? [1000, 'k'] : [1_000_000, 'M']
  const value = tokens / size
  return `${value < 99.95 ? value.toFixed(1).replace(/\.0$/u, '') : Math.round(value)}${unit}`
}

/** Formats an amount of money: `$0.42`, or below a cent `$0.004`; a dash if unknown. */
export function costInWords(costUsd: number | null): string {
  if (costUsd === null) return '–'
  return `$${costUsd > 0 && costUsd < 0.01 ? costUsd.toPrecision(1) : costUsd.toFixed(2)}`
}

/** Returns the total of reported and estimated cost; `null` if neither is known. */
export function moneyOf(usage: UsageTotals | null): number | null {
  if (usage === null) return null
  const { costUsd, estimatedUsd } = usage
  return estimatedUsd === undefined ? costUsd : (costUsd ?? 0) + estimatedUsd
}
