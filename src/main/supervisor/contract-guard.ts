import { parseContract } from '../../core/contract/parse.ts'
import type { Contract } from '../../core/contract/types.ts'
import { findWeakening } from '../../core/contract/weakening.ts'
import type { RaisedIntervention } from '../../core/record/events.ts'
import type { CycleContext } from './cycle-context.ts'

/** The contract as the agent left it, and what has to be told about that. */
export interface ContractAfter {
  /** `null` where it can no longer be read. */
  readonly contract: Contract | null
  readonly interventions: readonly RaisedIntervention[]
}

/**
 * Compares the contract on disk with the one the cycle began with. Less being asked than before is told once per cycle as a
 * critical `contract_weakened`; it changes nothing for the cycle, which goes by the contract it began with.
 */
export async function compareContract(context: CycleContext): Promise<ContractAfter> {
  const file = await context.ports.readContract()
  if (file.ok && file.hash === context.contractHash) return { contract: context.contract, interventions: [] }
  const contract = file.ok ? parseContract(file.text, { probeNames: context.probeNames }) : null
  const weakenings =
    contract === null
      ? [`The contract can no longer be read: ${file.ok ? '' : file.reason}`]
      : findWeakening(context.contract, contract)
  return { contract, interventions: tellWeakenings(context, weakenings) }
}

function tellWeakenings(context: CycleContext, weakenings: readonly string[]): readonly RaisedIntervention[] {
  const fresh = weakenings.filter((weakening) => !context.toldWeakenings.has(weakening))
  if (fresh.length === 0) return []
  for (const weakening of fresh) context.toldWeakenings.add(weakening)
  context.ports.notifier.notify({
    key: `contract-weakened:${context.ports.id}:${context.cycle}`,
    workspaceId: context.ports.id,
    title: `${context.ports.name}: the contract now asks for less`,
    body: fresh.join(' '),
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
