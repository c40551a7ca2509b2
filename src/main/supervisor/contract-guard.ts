import { parseContract } from '../../core/contract/parse.ts'
import type { Contract } from '../../core/contract/types.ts'
import { findWeakening } from '../../core/contract/weakening.ts'
import type { RaisedIntervention } from '../../core/record/events.ts'
import type { TrustState } from '../ports/workspace-config.ts'
import type { CycleContext } from './cycle-context.ts'
import type { ContractFile } from './workspace-ports.ts'

/** The contract as the agent left it, and what has to be told about that. */
export interface ContractAfter {
  /** `null` where it can no longer be read. */
  readonly contract: Contract | null
  readonly interventions: readonly RaisedIntervention[]
}

/**
 * Compares contract and configuration on disk with those the cycle began with. Less being asked than before is notified once per
 * cycle as a critical `contract_weakened`; it changes nothing for the cycle, which goes by what it began with.
 */
export async function compareContract(context: CycleContext): Promise<ContractAfter> {
  const { ports, probeNames } = context
  const [file, trust] = await Promise.all([ports.readContract(), ports.readTrust()])
  const contract = contractOf(context, file, probeNames)
  const weakenings =
    contract === null
      ? [`The contract can no longer be read: ${file.ok ? '' : file.reason}`]
      : findWeakening(context.contract, contract).filter(notOf(operatorWeakenings(context)))
  const reconfigured =
    configurationState(trust) === context.configurationState
      ? []
      : ['pulseward.toml was changed; the approved copy stays in force.']
  return { contract, interventions: raiseWeakenings(context, [...weakenings, ...reconfigured]) }
}

/** Tells one content of `pulseward.toml` from another, as far as the operator's approval knows it. */
export function configurationState(trust: TrustState): string {
  return trust.kind === 'changed' || trust.kind === 'unapproved'
    ? `${trust.kind} ${trust.currentHash}`
    : trust.kind
}

/** What the operator himself has loosened since the cycle began, by editing the contract in the app: nobody weakened that. */
function operatorWeakenings({ ports, contract, probeNames }: CycleContext): readonly string[] {
  const written = ports.operatorContract?.() ?? null
  const startedAt = ports.ledger.state.running?.startedAt
  if (written === null || startedAt === undefined || written.atMs < Date.parse(startedAt)) return []
  return findWeakening(contract, parseContract(written.text, { probeNames }))
}

function notOf(sentences: readonly string[]): (sentence: string) => boolean {
  const known = new Set(sentences)
  return (sentence) => !known.has(sentence)
}

function contractOf(
  context: CycleContext,
  file: ContractFile,
  probeNames: readonly string[],
): Contract | null {
  if (!file.ok) return null
  return file.hash === context.contractHash ? context.contract : parseContract(file.text, { probeNames })
}

function raiseWeakenings(
  context: CycleContext,
  weakenings: readonly string[],
): readonly RaisedIntervention[] {
  const fresh = weakenings.filter((weakening) => !context.raisedWeakenings.has(weakening))
  if (fresh.length === 0) return []
  for (const weakening of fresh) context.raisedWeakenings.add(weakening)
  context.ports.notifier.notify({
    key: `contract-weakened:${context.ports.id}:${context.cycle}`,
    about: 'contractWeakened',
    workspaceId: context.ports.id,
    title: `${context.ports.name}: less is asked than before`,
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
