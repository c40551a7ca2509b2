import type { JsonValue } from '../claims/types.ts'
import { claimsCompletion } from './completion.ts'
import type { Comparison } from './evidence-row.ts'
import type { FileClaimFinding, ProbeReading, VerdictInput } from './types.ts'
import { compareValues, readingFor, showValue, type ValueRelation, valueAt } from './values.ts'

/** A claimed value with the probe that it is about. */
export interface ValueFinding {
  /** As the agent named it, including a dotted path. */
  readonly name: string
  readonly probe: string
  readonly claimed: JsonValue
  /** Undefined if the probe could not be read or has nothing at that path. */
  readonly measured: JsonValue | undefined
  readonly relation: ValueRelation
  /** Maximum difference between a claimed and a measured number. */
  readonly tolerance: number
  /** The second reading, if it differs from the first: the value moves, and the claim is no contradiction. */
  readonly moved?: JsonValue
}

/** Returns all claimed values that a configured probe measures, in the order claimed; omits claims about anything else. */
export function findClaimedValues({ claim, after, again = [] }: VerdictInput): readonly ValueFinding[] {
  return Object.entries(claim.values).flatMap(([name, claimed]) => {
    const match = readingFor(name, after.probes)
    if (match === undefined) return []
    const { reading, path } = match
    const measured = reading.kind === 'value' ? valueAt(reading.value, path) : undefined
    const tolerance = reading.kind === 'value' ? (reading.tolerance ?? 0) : 0
    const finding = { name, probe: reading.name, claimed, measured, tolerance }
    if (measured === undefined) return [{ ...finding, relation: 'incomparable' as const }]
    const relation = compareValues(claimed, measured, tolerance)
    const moved =
      relation === 'differs' ? movedValue(reading.name, path, measured, again, tolerance) : undefined
    return [{ ...finding, relation, ...(moved !== undefined && { moved }) }]
  })
}

/** Returns the second reading's value at the path if it differs from the first. */
function movedValue(
  probe: string,
  path: readonly string[],
  measured: JsonValue,
  again: readonly ProbeReading[],
  tolerance: number,
): JsonValue | undefined {
  const second = again.find(({ name }) => name === probe)
  if (second === undefined) return undefined
  const value = second.kind === 'value' ? valueAt(second.value, path) : undefined
  // If it can't be read anymore, it doesn't count as different.
  return value === undefined || compareValues(value, measured, tolerance) === 'agrees' ? undefined : value
}

/** An agent may claim thousands of things; beyond this many, those that differ come first and the rest are omitted. */
const MAX_COMPARISONS = 200

function disagreeingFirst(comparisons: readonly Comparison[]): readonly Comparison[] {
  const isRefuted = ({ agrees }: Comparison): number => Number(agrees === false)
  return comparisons.toSorted((a, b) => isRefuted(b) - isRefuted(a))
}

/** Returns each claimed value and file with its measurement, and a claimed completion that nothing confirms. Includes claims that agree. */
export function compareClaims(
  input: VerdictInput,
  values: readonly ValueFinding[],
  falseCompletion: boolean,
): readonly Comparison[] {
  const all = [...values.map(compareValue), ...input.fileClaims.map(compareFile)]
  const comparisons = all.length <= MAX_COMPARISONS ? all : disagreeingFirst(all).slice(0, MAX_COMPARISONS)
  if (!falseCompletion || !claimsCompletion(input.claim)) return comparisons
  return [
    ...comparisons,
    { subject: 'completion', claimed: 'done', measured: 'nothing changed', agrees: false },
  ]
}

function compareValue({ name, claimed, measured, relation }: ValueFinding): Comparison {
  return {
    subject: name,
    claimed: showValue(claimed),
    measured: measured === undefined ? null : showValue(measured),
    agrees: relation === 'incomparable' ? null : relation === 'agrees',
  }
}

function compareFile({ path, finding }: FileClaimFinding): Comparison {
  if (finding === 'unmeasurable') return { subject: path, claimed: 'written', measured: null, agrees: null }
  const isShown = finding === 'shown'
  return {
    subject: path,
    claimed: 'written',
    measured: isShown ? 'written' : 'not written',
    agrees: isShown,
  }
}

/**
 * Returns whether a value that a claim differs from may change by itself: it changed while the agent ran, and the claimed value lies in
 * between. Only a second reading of ours can tell, because the agent may have changed the value itself and still claimed a wrong one. Pure.
 */
export function mayMoveByItself({ before }: VerdictInput, differing: readonly ValueFinding[]): boolean {
  return differing.some(({ probe, claimed, measured }) => {
    const former = before?.probes.find(({ name }) => name === probe)
    if (former?.kind !== 'value' || typeof former.value !== 'number' || typeof measured !== 'number')
      return false
    const given = Number(claimed)
    const [least, most] = [Math.min(former.value, measured), Math.max(former.value, measured)]
    return least !== most && given >= least && given <= most
  })
}
