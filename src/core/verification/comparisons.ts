import type { JsonValue } from '../claims/types.ts'
import { claimsCompletion } from './completion.ts'
import type { Comparison, FileClaimFinding, VerdictInput } from './types.ts'
import { compareValues, readingFor, showValue, type ValueRelation, valueAt } from './values.ts'

/** A claimed value beside the probe that it is about. */
export interface ValueFinding {
  /** As the agent named it, a dotted path included. */
  readonly name: string
  readonly probe: string
  readonly claimed: JsonValue
  /** Undefined where the probe could not be read or has nothing at that path. */
  readonly measured: JsonValue | undefined
  readonly relation: ValueRelation
}

/** All claimed values that a configured probe is about, in the order claimed; claims about anything else are left out. */
export function findClaimedValues({ claim, after }: VerdictInput): readonly ValueFinding[] {
  return Object.entries(claim.values).flatMap(([name, claimed]) => {
    const match = readingFor(name, after.probes)
    if (match === undefined) return []
    const { reading, path } = match
    const measured = reading.kind === 'value' ? valueAt(reading.value, path) : undefined
    const relation =
      measured === undefined || (claim.source === 'text' && isProse(claimed, measured))
        ? 'incomparable'
        : compareValues(claimed, measured)
    return [{ name, probe: reading.name, claimed, measured, relation }]
  })
}

/** Claim beside measurement for every claimed value and file, and for a completion of which nothing shows. Agreement is listed too. */
export function compareClaims(
  input: VerdictInput,
  values: readonly ValueFinding[],
  falseCompletion: boolean,
): readonly Comparison[] {
  const comparisons = [...values.map(compareValue), ...input.fileClaims.map(compareFile)]
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

/** `email_count: checked` in running text is a word about the number, not a value for it. */
function isProse(claimed: JsonValue, measured: JsonValue): boolean {
  const isNumeral = typeof claimed === 'number' || (typeof claimed === 'string' && /\d/.test(claimed))
  return typeof measured === 'number' && !isNumeral
}
