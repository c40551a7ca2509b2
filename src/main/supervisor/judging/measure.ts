import type { Hint } from '../../../core/contract/hint.ts'
import { hintProbes } from '../../../core/judgement/hint-measuring.ts'
import type { Measurement } from '../../../core/verification/types.ts'
import type { Verifier } from '../../ports/verifier.ts'

/** Measures what a check refers to, and evaluates it if it is an expression; `changed(…)` finds no difference. */
export async function measure(verifier: Verifier, hint: Hint, signal: AbortSignal): Promise<Measurement> {
  const probes = await verifier.readProbes(hintProbes(hint), signal)
  const expression = hint.kind === 'expression' ? await verifier.evaluate(hint, probes, [], signal) : null
  return { probes, expression }
}
