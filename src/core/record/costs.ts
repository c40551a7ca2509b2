import { z } from 'zod'
import { cut } from '../text/quote.ts'

/*
 * What an attempt costs in time, and which checks caused it. All times are wall time: a phase counts checks that run in parallel once, and
 * each check also counts under its own name.
 */

/** A check as named in costs; the judge's name is its kind. */
export const measuredCheckSchema = z.object({
  kind: z.enum(['probe', 'gate', 'command', 'judge']),
  /** As configured: a probe's name, or a command line. */
  name: z.string(),
})

export const checkCostSchema = measuredCheckSchema.extend({ runs: z.number().min(0), ms: z.number().min(0) })

export const attemptCostsSchema = z.object({
  agentMs: z.number().min(0),
  /** Time of checks in the tree itself, before and after the agent. */
  checksMs: z.number().min(0),
  /** Setting up the clean room, and the checks in it. */
  cleanRoomMs: z.number().min(0),
  /** The rest of the attempt. */
  pulsewardMs: z.number().min(0),
  /** The checks that took longest, the longest first; at most 20. */
  byCheck: z.array(checkCostSchema),
})

export type MeasuredCheck = z.infer<typeof measuredCheckSchema>
export type CheckCost = z.infer<typeof checkCostSchema>
export type AttemptCosts = z.infer<typeof attemptCostsSchema>

/** A time span spent on one check, or on the clean room itself (`check: null`). */
export interface CostSpan {
  readonly where: 'in-place' | 'clean-room'
  readonly check: MeasuredCheck | null
  /** Monotonic ms. */
  readonly fromMs: number
  readonly toMs: number
}

const KEPT_CHECKS = 20
const MAX_NAME = 200

/** Returns an attempt's costs. They add up to `wholeMs`, or to the agent's time plus the checks' if that is more. */
export function attemptCosts(
  { wholeMs, agentMs }: { readonly wholeMs: number; readonly agentMs: number },
  spans: readonly CostSpan[],
): AttemptCosts {
  const measuredMs = Math.round(coveredMs(spans))
  const cleanRoomMs = Math.round(coveredMs(spans.filter(({ where }) => where === 'clean-room')))
  return {
    agentMs,
    checksMs: measuredMs - cleanRoomMs,
    cleanRoomMs,
    pulsewardMs: Math.max(0, Math.round(wholeMs) - agentMs - measuredMs),
    byCheck: costsByCheck(spans),
  }
}

/** Returns the checks that took longest, the longest first; at most 20. */
export function costsByCheck(spans: readonly CostSpan[]): CheckCost[] {
  const single = spans.flatMap(({ check, fromMs, toMs }) =>
    check === null ? [] : [{ kind: check.kind, name: cut(check.name, MAX_NAME), runs: 1, ms: toMs - fromMs }],
  )
  return addedUp(single)
    .slice(0, KEPT_CHECKS)
    .map((cost) => ({ ...cost, ms: Math.round(cost.ms) }))
}

/** Returns whether a check may have run, and so have changed files; without costs it isn't known. */
export function mayHaveRunChecks(costs: AttemptCosts | null): boolean {
  return costs === null || costs.byCheck.length > 0
}

/** Returns one cost per check, the highest first. */
export function addedUp(costs: readonly CheckCost[]): readonly CheckCost[] {
  const byCheck = new Map<string, CheckCost>()
  for (const cost of costs) {
    const key = `${cost.kind} ${cost.name}`
    const { runs, ms } = byCheck.get(key) ?? { runs: 0, ms: 0 }
    byCheck.set(key, { ...cost, runs: runs + cost.runs, ms: ms + cost.ms })
  }
  return [...byCheck.values()].toSorted((a, b) => b.ms - a.ms)
}

/** Returns the total time covered by at least one of these spans. */
function coveredMs(spans: readonly CostSpan[]): number {
  let covered = 0
  let untilMs = Number.NEGATIVE_INFINITY
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    covered += Math.max(0, toMs - Math.max(fromMs, untilMs))
    untilMs = Math.max(untilMs, toMs)
  }
  return covered
}
