import { parseContract } from '../../core/contract/parse.ts'
import { findWeakening } from '../../core/contract/weakening.ts'
import type { RaisedIntervention } from '../../core/record/events.ts'
import type { CycleContext } from './cycle-context.ts'

/**
 * Compares the contract on disk with the one the cycle began with. Less being asked than before is told once per cycle as a
 * critical `contract_weakened`; it changes nothing for the cycle, which goes by the contract it began with.
 */
export async function findContractWeakening(context: CycleContext): Promise<readonly RaisedIntervention[]> {
  const file = await context.ports.readContract()
  if (file.ok && file.hash === context.contractHash) return []
  const weakenings = file.ok
    ? findWeakening(context.contract, parseContract(file.text, { probeNames: context.probeNames }))
    : [`the contract can no longer be read: ${file.reason}`]
  const fresh = weakenings.filter((weakening) => !context.toldWeakenings.has(weakening))
  if (fresh.length === 0) return []
  for (const weakening of fresh) context.toldWeakenings.add(weakening)
  context.ports.notifier.notify({
    key: `contract-weakened:${context.ports.id}:${context.cycle}`,
    workspaceId: context.ports.id,
    title: `${context.ports.name}: the contract now asks for less`,
    body: fresh.join('; '),
  })
  return [
    {
      event_type: 'contract_weakened',
      severity: 'critical',
      details: {
        changes: fresh,
        note: 'Changed while the agent ran. The cycle goes by the contract it began with.',
      },
    },
  ]
}
