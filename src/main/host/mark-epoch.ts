import type { EventBody } from '../../core/record/events.ts'
import type { RecordingStep } from '../ports/ledger.ts'
import type { WorkLease } from '../ports/work-lease.ts'

/** Marks what is recorded while this host has the lease of work that hosts of a fleet share with the epoch of the lease. */
export function markEpoch(lease: WorkLease): RecordingStep {
  const mark = (event: EventBody): EventBody => {
    const { epoch } = lease
    return epoch === null ? event : Object.assign({}, event, { epoch })
  }
  return { mark: (events) => events.map(mark) }
}
