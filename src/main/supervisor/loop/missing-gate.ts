import { gateFault } from '../../../core/verification/gate-fault.ts'
import type { EnvironmentFault } from '../../../core/verification/types.ts'
import type { CycleContext } from '../cycle-context.ts'
import type { CycleTrigger } from './cycle-trigger.ts'

/**
 * What still keeps a gate from being started for which the workspace backs off; `null` where it runs again, or none did. No agent runs
 * for a verdict that nobody can give; who runs a cycle by hand wants it begun.
 */
export async function missingGate(
  { ports, verifier, signal }: CycleContext,
  { trigger }: CycleTrigger,
): Promise<EnvironmentFault | null> {
  if (ports.ledger.state.backoff?.byGate !== true || trigger === 'manual') return null
  return gateFault(await verifier.runGates(signal))
}
