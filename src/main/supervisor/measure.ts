import type { Claim } from '../../core/claims/types.ts'
import type { Hint } from '../../core/contract/hint.ts'
import type { Measurement } from '../../core/verification/types.ts'
import type { Verifier } from '../ports/verifier.ts'

/**
 * Reads what a hint refers to and what the agent claimed a value for, and evaluates the hint where it is an expression.
 * `probeNames` are the configured probes: a claim about anything else is no measurable claim.
 */
export async function measure(
  verifier: Verifier,
  hint: Hint,
  claim: Claim | null,
  probeNames: readonly string[],
  changedPaths: readonly string[],
  signal: AbortSignal,
): Promise<Measurement> {
  const names = new Set([...hintProbes(hint), ...claimedProbes(claim, probeNames)])
  const probes = await verifier.readProbes([...names], signal)
  const expression =
    hint.kind === 'expression' ? await verifier.evaluate(hint, probes, changedPaths, signal) : null
  return { probes, expression }
}

/** The probes that a hint refers to, by name. */
export function hintProbes(hint: Hint): readonly string[] {
  if (hint.kind === 'expression') return hint.probes
  return hint.kind === 'probe' ? [hint.name] : []
}

function claimedProbes(claim: Claim | null, probeNames: readonly string[]): readonly string[] {
  if (claim === null) return []
  const known = new Set(probeNames)
  return Object.keys(claim.values)
    .map((name) => (known.has(name) ? name : (name.split('.')[0] ?? name)))
    .filter((name) => known.has(name))
}
