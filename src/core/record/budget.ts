import type { AgentUsage } from '../activity/types.ts'
import { addUsage, type UsageTotals } from '../activity/usage.ts'
import type { AtLimit, SpentLimit } from '../vocabulary/limit.ts'
import type { Pace } from './pace-figures.ts'
import type { WorkspaceState } from './state.ts'

/** What was used, in money and tokens; `null` if no program has reported any. */
export interface Used {
  readonly usd: number | null
  /** Part of `usd` was reported as tokens and priced from the table. */
  readonly isEstimate: boolean
  /** Input and output together. */
  readonly tokens: number | null
}

/** Daily limits; `null`: no limit. */
export interface DayLimits {
  readonly usd: number | null
  readonly tokens: number | null
  readonly atLimit: AtLimit
}

export const NO_LIMITS: DayLimits = { usd: null, tokens: null, atLimit: 'pause' }

const NOTHING_USED: Used = { usd: null, isEstimate: false, tokens: null }

/** Share of a limit from which the operator is warned. */
const WARNED_FROM = 0.8

/** Returns what a workspace's agents used on its current local day; `null` if nothing was reported. */
export function usageToday({ days, day }: Pick<WorkspaceState, 'days' | 'day'>): UsageTotals | null {
  const [newest] = days
  if (newest === undefined || newest.day !== day) return null
  const used = Object.values(newest.agents).flatMap(({ usage }) => usage ?? [])
  const attempts = used.reduce((sum, usage) => sum + usage.attempts, 0)
  const totals = used.reduce<UsageTotals | null>((sum, usage) => addUsage(sum, usage, 1), null)
  return totals === null ? null : { ...totals, attempts }
}

/** Returns what a workspace has used on its current local day. */
export function usedToday(state: Pick<WorkspaceState, 'days' | 'day'>): Used {
  const usage = usageToday(state)
  return usage === null ? NOTHING_USED : usedOf(usage)
}

/** Returns the money and tokens of one run or several. */
export function usedOf({ costUsd, estimatedUsd, inputTokens, outputTokens }: AgentUsage): Used {
  return {
    usd: plus(costUsd, estimatedUsd ?? null),
    isEstimate: estimatedUsd !== undefined && estimatedUsd > 0,
    tokens: plus(inputTokens, outputTokens),
  }
}

export function addUsed(a: Used, b: Used): Used {
  return {
    usd: plus(a.usd, b.usd),
    isEstimate: a.isEstimate || b.isEstimate,
    tokens: plus(a.tokens, b.tokens),
  }
}

function plus(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0)
}

/** Returns the limits of which at least `share01` is used, the most used first. */
export function limitsFrom(
  share01: number,
  used: Used,
  { usd, tokens }: Pick<DayLimits, 'usd' | 'tokens'>,
  scope: SpentLimit['scope'],
): readonly SpentLimit[] {
  const limits: SpentLimit[] = []
  if (usd !== null && used.usd !== null)
    limits.push({ scope, unit: 'usd', limit: usd, used: used.usd, isEstimate: used.isEstimate })
  if (tokens !== null && used.tokens !== null)
    limits.push({ scope, unit: 'tokens', limit: tokens, used: used.tokens, isEstimate: false })
  return limits
    .filter((each) => each.used >= each.limit * share01)
    .toSorted((a, b) => b.used / b.limit - a.used / a.limit)
}

/** A workspace's usage compared with the daily limits: its own, and those for all workspaces. */
export interface LimitsStand {
  /** The limit that requires a pause. Reported once a day per limit, so that an operator who resumes is not stopped again. */
  readonly spent: SpentLimit | null
  /** Limits used to at least 80 % that have not been reported today, or used up if the operator only wants to be told. */
  readonly near: readonly SpentLimit[]
  /** The unit of one of the workspace's limits if attempts were made today but no program reported it. */
  readonly unknown: 'usd' | 'tokens' | null
}

export interface LimitsOf {
  readonly used: Used
  readonly limits: DayLimits
}

/** Returns what to do about the daily limits. Pure; never throws. */
export function limitsStand(state: WorkspaceState, own: LimitsOf, all: LimitsOf): LimitsStand {
  const reached = state.limitsReached?.day === state.day ? state.limitsReached.keys : []
  const each = (share01: number, which: (limits: DayLimits) => boolean): readonly SpentLimit[] =>
    [
      ...(which(own.limits) ? limitsFrom(share01, own.used, own.limits, 'workspace') : []),
      ...(which(all.limits) ? limitsFrom(share01, all.used, all.limits, 'all') : []),
    ].filter((limit) => !reached.includes(limitKey(limit)))
  const [spent = null] = each(1, ({ atLimit }) => atLimit === 'pause')
  const isWarned = (limit: SpentLimit) => reached.includes(warningKey(limit))
  return {
    spent,
    near: spent === null ? each(WARNED_FROM, () => true).filter((limit) => !isWarned(limit)) : [],
    unknown: ranToday(state) ? unknownUnit(own) : null,
  }
}

function unknownUnit({ used, limits }: LimitsOf): 'usd' | 'tokens' | null {
  if (limits.usd !== null && used.usd === null) return 'usd'
  return limits.tokens !== null && used.tokens === null ? 'tokens' : null
}

function ranToday({ days, day }: WorkspaceState): boolean {
  const [newest] = days
  return newest?.day === day && Object.values(newest.agents).some(({ worked }) => worked > 0)
}

/** Returns the key that records that a limit was reached; another limit has another key. */
export function limitKey({ scope, unit, limit }: SpentLimit): string {
  return `${scope} ${unit} ${limit}`
}

/** Returns the key that records that a limit was nearly reached, or passed without stopping anything. */
export function warningKey(limit: SpentLimit): string {
  return `${limitKey(limit)} ${limit.used >= limit.limit ? 'over' : 'near'}`
}

/** Returns US dollars as text: `$4.20`, with four decimals below a cent. */
export function sayDollars(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && usd < 0.01 ? 4 : 2)}`
}

/** Formats an amount: `$0.06` or `12,000 tokens`. */
export function sayAmount(unit: SpentLimit['unit'], amount: number): string {
  return unit === 'usd' ? sayDollars(amount) : `${Math.round(amount).toLocaleString('en')} tokens`
}

/** Returns `$0.06 of the day's $0.05 are spent`, and says if the limit is for all workspaces or the amount is an estimate. */
export function sayLimit({ scope, unit, limit, used, isEstimate }: SpentLimit): string {
  const whose = scope === 'all' ? ' for all workspaces' : ''
  const estimate = isEstimate ? ' (an estimate by the table of prices)' : ''
  return `${sayAmount(unit, used)} of the day's ${sayAmount(unit, limit)}${whose} are ${unit === 'usd' ? 'spent' : 'used'}${estimate}`
}

/** Returns `$1.20 today, at this pace $3.10 by midnight (estimated)`: in money if it is known, otherwise in tokens. */
export function sayPace({ usd, tokens, isEstimate, usdByMidnight, tokensByMidnight }: Pace): string {
  const [unit, used, byMidnight] =
    usd === null
      ? (['tokens', tokens ?? 0, tokensByMidnight] as const)
      : (['usd', usd, usdByMidnight] as const)
  const pace = byMidnight === null ? '' : `, at this pace ${sayAmount(unit, byMidnight)} by midnight`
  return `${sayAmount(unit, used)} today${pace}${isEstimate ? ' (estimated)' : ''}`
}

/** The limits of one attempt; `null`: no limit. */
export interface AttemptCeiling {
  /** Input and output together. */
  readonly tokens: number | null
  readonly usd: number | null
}

/** Returns the limit that `used` has reached, in words; `null` if none is reached or the program doesn't report it. */
export function ceilingReached({ tokens, usd }: AttemptCeiling, used: AgentUsage): string | null {
  const { usd: usedUsd, tokens: usedTokens, isEstimate } = usedOf(used)
  if (tokens !== null && usedTokens !== null && usedTokens >= tokens)
    return `${usedTokens} of ${tokens} tokens`
  if (usd === null || usedUsd === null || usedUsd < usd) return null
  return `${sayDollars(usedUsd)} of ${sayDollars(usd)}${isEstimate ? ', an estimate by the table of prices' : ''}`
}
