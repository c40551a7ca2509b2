import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import type { InterventionType } from '../../../../core/vocabulary/intervention.ts'

/** The intervention of an entry. */
export function raisedOf({ type, severity, details }: TimelineEntry) {
  return { event_type: type as InterventionType, severity, details }
}
