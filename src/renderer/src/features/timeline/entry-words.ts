import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import type { InterventionType } from '../../../../core/vocabulary/intervention.ts'

/** An intervention's entry as the intervention it is of. */
export function raisedOf({ type, severity, details }: TimelineEntry) {
  return { event_type: type as InterventionType, severity, details }
}
