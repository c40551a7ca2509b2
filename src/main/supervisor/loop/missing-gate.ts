import { gateFaultStill } from '../../../core/judgement/gate-fault.ts'
import type { EnvironmentFault } from '../../../core/verification/types.ts'
import type { CycleContext } from '../cycle-context.ts'
import type { CycleTrigger } from './cycle-trigger.ts'

/**
 * Returns why the gate that made the workspace back off still cannot pass; `null` if it may pass, or if no gate caused it. No agent should
 * run for a verdict that no check can give, unless the operator starts the cycle by hand.
 */
export async function missingGate(
  { ports, verifier, signal }: CycleContext,
  { trigger }: CycleTrigger,
): Promise<EnvironmentFault | null> {
  if (ports.ledger.state.backoff?.byGate !== true || trigger === 'manual') return null
  return gateFaultStill(await verifier.runGates(signal))
}
