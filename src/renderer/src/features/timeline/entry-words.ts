import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { INTERVENTION_WORDS, type InterventionType } from '../../format/intervention.ts'

/** The title, in the words that the rest of the page has for interventions. */
export function titleOf({ kind, type, title }: TimelineEntry): string {
  return kind === 'intervention' && Object.hasOwn(INTERVENTION_WORDS, type)
    ? INTERVENTION_WORDS[type as InterventionType]
    : title
}

/** An intervention's entry as the intervention it is of. */
export function raisedOf({ type, severity, details }: TimelineEntry) {
  return { event_type: type as InterventionType, severity, details }
}
