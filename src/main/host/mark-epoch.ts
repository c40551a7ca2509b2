import type { EventBody } from '../../core/record/events.ts'
import { type Ledger, withAppend } from '../ports/ledger.ts'
import type { WorkLease } from '../ports/work-lease.ts'

/** The ledger of work that hosts of a fleet share: what is recorded while this host has its lease says by which epoch of it. */
export function markEpoch(ledger: Ledger, lease: WorkLease): Ledger {
  const mark = (event: EventBody): EventBody => {
    const { epoch } = lease
    return epoch === null ? event : Object.assign({}, event, { epoch })
  }
  return withAppend(ledger, (...events) => ledger.append(...events.map(mark)))
}
