import { shorten } from './attempt-summary.ts'
import type { EventOf, EventType, RecordedEvent } from './events.ts'
import { raised, shownInterventions, verdictOf } from './timeline-attempt.ts'
import { answerOf, answerUndoneOf, editOf, proposalOf, readingOf } from './timeline-contract.ts'
import { NOTHING_SAID, type TimelineEntry } from './timeline-entry.ts'
import { landingOf } from './timeline-landing.ts'
import {
  acceptedRecordOf,
  answeredOf,
  approvalOf,
  askedOf,
  backOffOf,
  baseOf,
  breakerOf,
  diagnosticOf,
  importOf,
  rulesOf,
  standingOf,
} from './timeline-notices.ts'
import {
  noteEntryOf,
  overrulingOf,
  reviewOf,
  reviewUndoneOf,
  seenOf,
  thumbOf,
  thumbUndoneOf,
  unblockOf,
  undoOf,
  unseenOf,
} from './timeline-operator.ts'
import {
  endingOf,
  limitOf,
  missedOf,
  pauseOf,
  skippedOf,
  suspensionLiftedOf,
  suspensionOf,
} from './timeline-pauses.ts'
import {
  hookRemovedOf,
  sessionSeenOf,
  sessionStartedOf,
  sessionTaskOf,
  silentOf,
  turnOf,
} from './timeline-session.ts'
import type { EntryBody } from './timeline-words.ts'

/** Events whose entries depend on the result of an agent's work. */
type JudgedType = 'attempt-finished' | 'intervention-raised'

/** How each event becomes an entry; `null`: never. */
const ENTRIES: {
  readonly [Type in Exclude<EventType, JudgedType>]: ((event: EventOf<Type>) => EntryBody | null) | null
} = {
  'supervisor-started': null,
  'supervisor-stopped': null,
  'supervision-ended': null,
  'day-rolled': null,
  'cycle-started': null,
  'attempt-started': null,
  'blocked-swept': null,
  'cycle-finished': endingOf,
  'heartbeats-missed': missedOf,
  'heartbeat-skipped': skippedOf,
  'contract-read': readingOf,
  'contract-edited': editOf,
  'proposal-made': proposalOf,
  'proposal-answered': answerOf,
  'proposal-answer-undone': answerUndoneOf,
  'standing-changed': standingOf,
  'base-moved': baseOf,
  'feedback-given': thumbOf,
  'feedback-undone': thumbUndoneOf,
  'operator-noted': noteEntryOf,
  'verdict-overruled': overrulingOf,
  'review-answered': reviewOf,
  'review-undone': reviewUndoneOf,
  'contradictions-seen': seenOf,
  'contradictions-unseen': unseenOf,
  'attempt-undone': undoOf,
  'task-unblocked': unblockOf,
  'unblock-undone': ({ taskId }) => ({
    kind: 'unblock',
    type: 'undone',
    title: 'Unblock taken back',
    taskId,
  }),
  paused: pauseOf,
  'limit-near': limitOf,
  resumed: () => ({ kind: 'pause', type: 'resumed', title: 'Resumed' }),
  suspended: suspensionOf,
  'suspension-lifted': suspensionLiftedOf,
  'backed-off': backOffOf,
  'environment-recovered': () => ({
    kind: 'notice',
    type: 'environment-recovered',
    title: 'The agent can run again',
  }),
  'diagnostic-raised': diagnosticOf,
  'breaker-changed': breakerOf,
  'interventions-reset': () => ({
    kind: 'notice',
    type: 'interventions-reset',
    title: 'Interventions put aside: profile, circuit breaker and feedback start at zero',
  }),
  'interventions-restored': () => ({
    kind: 'notice',
    type: 'interventions-restored',
    title: 'Interventions taken back',
  }),
  'configuration-approved': approvalOf,
  'record-accepted': acceptedRecordOf,
  'scoring-changed': rulesOf,
  'history-imported': importOf,
  'landing-changed': landingOf,
  'asked-from-afar': askedOf,
  'answered-from-afar': answeredOf,
  'session-started': sessionStartedOf,
  'session-task-named': sessionTaskOf,
  'turn-judged': turnOf,
  'session-silent': silentOf,
  'hook-removed': hookRemovedOf,
  'session-seen': sessionSeenOf,
}

/** Event types without an entry, so that readers can skip them. */
export const SILENT_EVENTS: ReadonlySet<string> = new Set(
  Object.entries(ENTRIES).flatMap(([type, entryOf]) => (entryOf === null ? [type] : [])),
)

/**
 * Returns the entries of one event, in ledger order: an attempt's interventions, then its verdict. Empty for events of no later interest.
 * Total: odd contents give odd words, never an error.
 */
export function timelineEntries(event: RecordedEvent): readonly TimelineEntry[] {
  if (event.type === 'attempt-finished') return attemptEntries(event)
  if (event.type === 'intervention-raised') {
    const { cycle, taskId } = event
    return [{ ...entry(event, raised(event.intervention, { cycle, taskId })), id: `${event.seq}-0` }]
  }
  // Safe: the table's type gives each function the event type it takes.
  const entryOf = ENTRIES[event.type] as ((event: RecordedEvent) => EntryBody | null) | null
  const body = entryOf?.(event) ?? null
  return body === null ? [] : [entry(event, body)]
}

function attemptEntries(event: EventOf<'attempt-finished'>): readonly TimelineEntry[] {
  const { cycle, taskId, attemptId } = event.result
  const interventions = shownInterventions(event.result).map((each, index) => ({
    ...entry(event, raised(each, { cycle, taskId, attemptId })),
    id: `${event.seq}-${index}`,
  }))
  return [...interventions, entry(event, verdictOf(event.result))]
}

function entry(event: RecordedEvent, body: EntryBody): TimelineEntry {
  return {
    id: String(event.seq),
    seq: event.seq,
    at: event.at,
    day: event.day,
    ...NOTHING_SAID,
    ...body,
    details: { ...body.details, ...askedDetails(event) },
  }
}

/** Returns who sent a request that changes score or trust. */
function askedDetails(event: RecordedEvent): TimelineEntry['details'] {
  if (!('asked' in event) || event.asked === undefined) return {}
  const { who, from, whileRunning } = event.asked
  return {
    asked_by: from === '' ? who : `${who}: ${shorten(from)}`,
    ...(whileRunning && { while_an_attempt_ran: true }),
  }
}
