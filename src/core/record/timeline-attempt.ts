import type { RaisedIntervention } from '../intervention/types.ts'
import { INTERVENTION_ROWS } from '../vocabulary/intervention.ts'
import { shownVerdict, VERDICT_WORDS } from '../vocabulary/verdict.ts'
import { boundedDetails } from './bounded-details.ts'
import type { AttemptResult } from './events.ts'
import type { TimelineEntry } from './timeline-entry.ts'
import { type EntryBody, filesOf, sentence, sentences } from './timeline-words.ts'

const MAX_INTERVENTIONS = 30
const MAX_COMPARISONS = 20

/** The keys by which a timeline finds entries. */
export type TimelineKeys = Pick<TimelineEntry, 'kind' | 'type' | 'severity' | 'taskId' | 'cycle'>

/** Returns the keys that `timelineEntries` would give for an attempt's entries, at a fraction of the cost. */
export function attemptKeys(
  result: Pick<
    AttemptResult,
    'verdict' | 'groundTruthContradiction' | 'fault' | 'held' | 'cycle' | 'taskId' | 'interventions'
  >,
): readonly TimelineKeys[] {
  const { cycle, taskId } = result
  const type = shownVerdict(result)
  const keys: TimelineKeys[] = shownInterventions(result).map(({ event_type, severity }) => ({
    kind: 'intervention',
    type: event_type,
    severity,
    taskId,
    cycle,
  }))
  keys.push({ kind: 'verdict', type, severity: VERDICT_WORDS[type].severity, taskId, cycle })
  return keys
}

/** Returns the interventions of an attempt that become entries. */
export function shownInterventions({
  interventions,
}: Pick<AttemptResult, 'interventions'>): readonly RaisedIntervention[] {
  return interventions.slice(0, MAX_INTERVENTIONS)
}

export function raised(
  { event_type: type, severity, details }: RaisedIntervention,
  origin: Pick<EntryBody, 'cycle' | 'taskId' | 'attemptId'>,
): EntryBody {
  const { title } = INTERVENTION_ROWS[type]
  return { kind: 'intervention', type, severity, title, details: boundedDetails(details), ...origin }
}

export function verdictOf(result: AttemptResult): EntryBody {
  const type = shownVerdict(result)
  const remedy = result.remedy === null ? [] : [result.remedy]
  return {
    kind: 'verdict',
    type,
    ...VERDICT_WORDS[type],
    cycle: result.cycle,
    taskId: result.taskId,
    attemptId: result.attemptId,
    text: sentences([...result.reasons, ...remedy]),
    points: result.verdict === null ? null : result.points,
    comparisons: result.comparisons
      .slice(0, MAX_COMPARISONS)
      .map(({ subject, claimed, measured, agrees }) => ({
        subject: sentence(subject),
        claimed: claimed === null ? null : sentence(claimed),
        measured: measured === null ? null : sentence(measured),
        agrees,
      })),
    ...filesOf(result.filesChanged, result.filesChangedCount),
  }
}
