import { asksLess, type ProposalItem, sayItem } from '../../core/contract/proposal-items.ts'
import type { RaisedIntervention } from '../../core/record/events.ts'

/** Limit for the sentences kept in the ledger; the count says how many there were. */
const MAX_CHANGES = 20

/** Returns the intervention about items that ask less than before; `null` if none does. */
export function weakeningOf(items: readonly ProposalItem[], during: string): RaisedIntervention | null {
  const less = items.filter(asksLess)
  if (less.length === 0) return null
  return {
    event_type: 'contract_weakened',
    severity: 'critical',
    details: {
      changes: less.slice(0, MAX_CHANGES).map(sayItem),
      changes_count: less.length,
      note: `Changed while ${during}. It waits for you as a proposal; until you accept it, contract and configuration count as you left them.`,
    },
  }
}
