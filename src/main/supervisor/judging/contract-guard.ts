import { asksLess, type ProposalItem, sayItem } from '../../../core/contract/proposal-items.ts'
import type { Contract } from '../../../core/contract/types.ts'
import type { AttemptResult, RaisedIntervention } from '../../../core/record/events.ts'
import type { CycleContext } from '../cycle-context.ts'

/** How many sentences the ledger keeps; the count says how many there were. */
const MAX_CHANGES = 20

/** The contract as the agent left it, and what to notify about it. */
export interface ContractAfter {
  /** `null` if it can no longer be read. */
  readonly contract: Contract | null
  readonly interventions: readonly RaisedIntervention[]
}

/**
 * Compares contract and configuration with what they were before the run. A version that requires less is reported as a critical
 * `contract_weakened`; it has no effect, in this cycle or later, until the operator accepts it.
 */
export async function compareContract(context: CycleContext): Promise<ContractAfter> {
  const { ports, probeNames } = context
  const { contractText, items } = await ports.contractCustody.observe()
  const contract = contractText === null ? null : await ports.contracts.parse(contractText, { probeNames })
  const weakening = weakeningOf(context, items)
  if (weakening === null) return { contract, interventions: [] }
  notify(context, weakening)
  return { contract, interventions: [weakening] }
}

/** Returns the results, and adds a finding if the agent checked boxes of open tasks that were not verified. */
export async function withCheckedBoxes(
  context: CycleContext,
  results: readonly AttemptResult[],
): Promise<readonly AttemptResult[]> {
  const verified = results.flatMap(({ verdict, taskId }) => (verdict === 'verified' ? [taskId] : []))
  const { tasks } = context.ports.ledger.state.progress
  const before = Object.values(tasks).flatMap(({ status, taskId }) => (status === 'verified' ? [taskId] : []))
  const items = await context.ports.contractCustody.decideBoxes(new Set([...before, ...verified]))
  const raised = weakeningOf(context, items)
  if (raised === null) return results
  // Don't notify a second time about the same run.
  if (!results[0]?.interventions.some(isWeakening)) notify(context, raised)
  return results.map((result, index) =>
    index === 0 ? { ...result, interventions: joined(raised, result.interventions) } : result,
  )
}

/** Merges it with what the same run has already raised. */
function joined(
  raised: RaisedIntervention,
  interventions: readonly RaisedIntervention[],
): RaisedIntervention[] {
  const before = interventions.find(isWeakening)
  if (before === undefined) return [raised, ...interventions]
  const changes = [...changesOf(before), ...changesOf(raised)]
  const merged = {
    ...before,
    details: { ...before.details, changes: changes.slice(0, MAX_CHANGES), changes_count: changes.length },
  }
  return interventions.map((each) => (each === before ? merged : each))
}

function changesOf({ details }: RaisedIntervention): readonly unknown[] {
  return Array.isArray(details.changes) ? details.changes : []
}

function isWeakening({ event_type }: RaisedIntervention): boolean {
  return event_type === 'contract_weakened'
}

function weakeningOf({ config }: CycleContext, items: readonly ProposalItem[]): RaisedIntervention | null {
  const less = items.filter(asksLess).map(sayItem)
  if (less.length === 0) return null
  return {
    event_type: 'contract_weakened',
    severity: 'critical',
    details: {
      changes: less.slice(0, MAX_CHANGES),
      changes_count: less.length,
      note: `Changed while ${config.agent.id} ran. It waits for you as a proposal; until you accept it, contract and configuration count as you left them.`,
    },
  }
}

function notify({ ports, cycle }: CycleContext, weakening: RaisedIntervention): void {
  ports.notifier.notify({
    key: `contract-weakened:${ports.id}:${cycle}`,
    about: 'contractWeakened',
    workspaceId: ports.id,
    title: `${ports.name}: the agent weakened its own tasks`,
    body: `${changesOf(weakening).join(' ')} The tasks stay as you left them until you accept or revert it.`,
  })
}
