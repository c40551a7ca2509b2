import type { EventBody } from '../../core/record/events.ts'
import type { RecordingStep } from '../ports/ledger.ts'
import type { WorkLease } from '../ports/work-lease.ts'

/** Adds the epoch of the work lease to recorded events while this host holds the lease, which hosts of a fleet share. */
export function markEpoch(lease: WorkLease): RecordingStep {
  const mark = (event: EventBody): EventBody => {
    const { epoch } = lease
    return epoch === null ? event : Object.assign({}, event, { epoch })
  }
  return { mark: (events) => events.map(mark) }
}
