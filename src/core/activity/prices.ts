import { z } from 'zod'
import type { AgentUsage } from './types.ts'

/** US dollars per million tokens. */
export const modelPriceSchema = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** The price of cached input; if omitted, the price of other input applies. */
  cachedInput: z.number().nonnegative().optional(),
})

export type ModelPrice = z.infer<typeof modelPriceSchema>

/** Prices by the beginning of a model's name, or by the preset of an agent that reports no model. */
export type Prices = Readonly<Record<string, ModelPrice>>

/** The date of the vendors' price lists. Prices change: `prices` in `settings.json` overrides this table. */
export const PRICES_AS_OF = '2026-05-13'

/** List prices of the models used by the known programs, for programs that report only tokens. */
export const LIST_PRICES: Prices = {
  'claude-opus': { input: 5, output: 25, cachedInput: 0.5 },
  'claude-opus-4-1': { input: 15, output: 75, cachedInput: 1.5 },
  'claude-opus-4-20': { input: 15, output: 75, cachedInput: 1.5 },
  'claude-sonnet': { input: 3, output: 15, cachedInput: 0.3 },
  'claude-haiku': { input: 1, output: 5, cachedInput: 0.1 },
  'claude-3-5-haiku': { input: 0.8, output: 4, cachedInput: 0.08 },
  'claude-3-7-sonnet': { input: 3, output: 15, cachedInput: 0.3 },
  'claude-3-5-sonnet': { input: 3, output: 15, cachedInput: 0.3 },
  opus: { input: 5, output: 25, cachedInput: 0.5 },
  sonnet: { input: 3, output: 15, cachedInput: 0.3 },
  haiku: { input: 1, output: 5, cachedInput: 0.1 },
  'gpt-5.5': { input: 5, output: 30, cachedInput: 0.5 },
  'gpt-5.4': { input: 2.5, output: 15, cachedInput: 0.25 },
  'gpt-5.3': { input: 1.75, output: 14, cachedInput: 0.175 },
  'gpt-5.2': { input: 1.75, output: 14, cachedInput: 0.175 },
  'gpt-5-mini': { input: 0.25, output: 2, cachedInput: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cachedInput: 0.005 },
  'gpt-5': { input: 1.25, output: 10, cachedInput: 0.125 },
  'gpt-4.1': { input: 2, output: 8, cachedInput: 0.5 },
  'o4-mini': { input: 1.1, output: 4.4, cachedInput: 0.275 },
  o3: { input: 2, output: 8, cachedInput: 0.5 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cachedInput: 0.025 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cachedInput: 0.075 },
  'gemini-2.5-pro': { input: 1.25, output: 10, cachedInput: 0.31 },
  'qwen3-coder': { input: 1, output: 5 },
  claude: { input: 3, output: 15, cachedInput: 0.3 },
  codex: { input: 1.75, output: 14, cachedInput: 0.175 },
  gemini: { input: 1.25, output: 10, cachedInput: 0.31 },
  qwen: { input: 1, output: 5 },
}

/**
 * Returns the price of what ran: that of the longest name in the table that the model's name begins with (ignoring a provider prefix, as in
 * `openai/gpt-5`), otherwise that of its preset. The operator's own prices come first. `null` if unknown.
 */
export function priceOf(model: string | null, preset: string | null, own: Prices): ModelPrice | null {
  const name = (model ?? '').toLowerCase()
  const names = [name, name.slice(name.lastIndexOf('/') + 1)].filter((each) => each !== '')
  return (
    longest(own, names) ?? longest(LIST_PRICES, names) ?? entry(own, preset) ?? entry(LIST_PRICES, preset)
  )
}

/** Returns what these tokens cost in US dollars at a price; `null` if no tokens were reported. */
export function estimateUsd(
  { inputTokens, outputTokens, cachedInputTokens }: AgentUsage,
  price: ModelPrice,
): number | null {
  if (inputTokens === null && outputTokens === null) return null
  const input = inputTokens ?? 0
  const cached = Math.min(cachedInputTokens ?? 0, input)
  const { cachedInput = price.input } = price
  return (
    ((input - cached) * price.input + cached * cachedInput + (outputTokens ?? 0) * price.output) / 1_000_000
  )
}

/** Returns the usage with an estimate if its program reported tokens but no cost. */
export function withEstimate(usage: AgentUsage, price: ModelPrice | null): AgentUsage {
  const estimatedUsd = usage.costUsd === null && price !== null ? estimateUsd(usage, price) : null
  const { estimatedUsd: _before, ...reported } = usage
  return estimatedUsd === null ? reported : { ...reported, estimatedUsd }
}

function longest(prices: Prices, names: readonly string[]): ModelPrice | null {
  const fitting = Object.keys(prices)
    .filter((key) => names.some((name) => name.startsWith(key.toLowerCase())))
    .toSorted((a, b) => b.length - a.length)
  return entry(prices, fitting[0] ?? null)
}

function entry(prices: Prices, key: string | null): ModelPrice | null {
  return key !== null && Object.hasOwn(prices, key) ? (prices[key] ?? null) : null
}
