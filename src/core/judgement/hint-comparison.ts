import type { JsonValue } from '../claims/types.ts'
import { quoteCriterion } from '../contract/quote-criterion.ts'
import { findClaimedValues, type ValueFinding } from '../verification/comparisons.ts'
import { claimsCompletion } from '../verification/completion.ts'
import type { Comparison } from '../verification/evidence-row.ts'
import { checkHint } from '../verification/hint-checks.ts'
import type { Measurement, VerdictDecision, VerdictInput } from '../verification/types.ts'
import { readingFor, showValue, valueAt } from '../verification/values.ts'

/**
 * Returns the task's check and then the criteria with separate checks, each beside what the agent said about the task: "tests
 * 1 of 2". Omits checks that measure nothing, and claimed values, which are among the comparisons anyway.
 */
export function compareHints(
  input: VerdictInput,
  decision: Pick<VerdictDecision, 'verdict'>,
): readonly Comparison[] {
  const values = findClaimedValues(input)
  const criteria = (input.criteria ?? []).flatMap(({ text, hint, after }) => {
    const compared = compareHint({ ...input, hint, after }, values, decision)
    return compared === null ? [] : [{ ...compared, subject: `criterion ${quoteCriterion(text)}` }]
  })
  const own = compareHint(input, values, decision)
  return own === null ? criteria : [own, ...criteria]
}

/**
 * Returns what the agent said about the task beside what its check measured, with values: "tests 1 of 2". `null` if the check measures
 * nothing, or its value was claimed and is among the comparisons anyway. Contradicts only if the task was not verified.
 */
function compareHint(
  input: Pick<VerdictInput, 'claim' | 'hint' | 'after' | 'difference'>,
  values: readonly ValueFinding[],
  { verdict }: Pick<VerdictDecision, 'verdict'>,
): Comparison | null {
  const { hint, after, claim, difference } = input
  const check = checkHint(hint, after, values, difference)
  if (check.kind === 'none' || hint.kind === 'words') return null
  if (hint.kind === 'probe' && values.some(({ probe }) => probe === hint.name)) return null
  const claimed = claimsCompletion(claim) ? 'done' : claim.status === null ? null : `not done`
  const compared = { subject: hint.source, claimed, isHint: true as const }
  if (check.kind === 'uncheckable') return { ...compared, measured: null, agrees: null }
  const probes = hint.kind === 'expression' ? hint.probes : [hint.source]
  const read = measuredWords(probes, after)
  const holds = check.kind === 'holds'
  const measured = read === '' ? (holds ? 'holds' : 'does not hold') : read
  return { ...compared, measured, agrees: agrees(claimed, check.kind, verdict) }
}

function agrees(
  claimed: string | null,
  kind: 'holds' | 'refuted' | 'unclaimed',
  verdict: VerdictDecision['verdict'],
): boolean | null {
  if (claimed === null || kind === 'unclaimed') return null
  const isDone = claimed === 'done'
  if (kind === 'holds') return isDone && verdict === 'verified' ? true : null
  if (verdict !== 'not_verified') return null
  return !isDone
}

/** More in one row would be hard to read. */
const MAX_VALUES = 4

function measuredWords(names: readonly string[], { probes }: Measurement): string {
  return names
    .flatMap((name) => {
      const match = readingFor(name, probes)
      if (match === undefined || match.reading.kind !== 'value') return []
      const value = valueAt(match.reading.value, match.path)
      return value === undefined ? [] : [`${name} ${valueWords(value)}`]
    })
    .slice(0, MAX_VALUES)
    .join(', ')
}

/** Returns a report as passed of total, and any other value as it is. */
function valueWords(value: JsonValue): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return showValue(value)
  const { passed, total } = value as { readonly [key: string]: JsonValue }
  return typeof passed === 'number' && typeof total === 'number' ? `${passed} of ${total}` : showValue(value)
}
