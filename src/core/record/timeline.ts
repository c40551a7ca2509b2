import { sayItem } from '../contract/proposal-items.ts'
import type { RaisedIntervention } from '../intervention/types.ts'
import { DIAGNOSTIC_WORDS } from '../vocabulary/diagnostic.ts'
import { SKIP_WORDS } from '../vocabulary/heartbeat.ts'
import { INTERVENTION_ROWS } from '../vocabulary/intervention.ts'
import { SHIELD_ROWS, type StandingLevel } from '../vocabulary/standing.ts'
import { shownVerdict, VERDICT_WORDS, verdictInWords } from '../vocabulary/verdict.ts'
import { shorten } from './attempt-summary.ts'
import { boundedDetails } from './bounded-details.ts'
import { sayDollars } from './budget.ts'
import type { AttemptResult, EventBody, EventOf, RecordedEvent } from './events.ts'
import { NOTHING_SAID, type TimelineEntry } from './timeline-entry.ts'

/*
 * The timeline is derived from the events alone, one by one, so that any piece of a ledger of any length can be shown without the
 * rest of it. Everything is bounded here: a page of entries must stay small whatever an agent wrote.
 */
const MAX_INTERVENTIONS = 30
const MAX_SENTENCES = 30
const MAX_FILES = 50
const MAX_COMPARISONS = 20
const MAX_SENTENCE_LENGTH = 500
const MAX_NOTE_LENGTH = 2000

type EntryBody = Partial<TimelineEntry> & Pick<TimelineEntry, 'kind' | 'type' | 'title'>

/** Events that come to no entry, so that whoever looks for entries need not read them. */
export const SILENT_EVENTS: ReadonlySet<EventBody['type']> = new Set([
  'supervisor-started',
  'supervisor-stopped',
  'day-rolled',
  'cycle-started',
  'attempt-started',
  'blocked-swept',
] as const)

/**
 * The entries of one event, in the order of the ledger: an attempt's interventions, then its verdict. Empty for events that
 * nobody looks back on. Total: odd contents give odd words, never an error.
 */
export function timelineEntries(event: RecordedEvent): readonly TimelineEntry[] {
  if (event.type === 'attempt-finished') return attemptEntries(event)
  if (event.type === 'intervention-raised') {
    const { cycle, taskId } = event
    return [{ ...entry(event, raised(event.intervention, { cycle, taskId })), id: `${event.seq}-0` }]
  }
  const body = bodyOf(event)
  return body === null ? [] : [entry(event, body)]
}

function attemptEntries(event: EventOf<'attempt-finished'>): readonly TimelineEntry[] {
  const { cycle, taskId, attemptId } = event.result
  const interventions = event.result.interventions.slice(0, MAX_INTERVENTIONS).map((each, index) => ({
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

/** Whose word it was, of what changes score or trust. */
function askedDetails(event: RecordedEvent): TimelineEntry['details'] {
  if (!('asked' in event) || event.asked === undefined) return {}
  const { who, from, whileRunning } = event.asked
  return {
    asked_by: from === '' ? who : `${who}: ${shorten(from)}`,
    ...(whileRunning && { while_an_attempt_ran: true }),
  }
}

function raised(
  { event_type: type, severity, details }: RaisedIntervention,
  origin: Pick<EntryBody, 'cycle' | 'taskId' | 'attemptId'>,
): EntryBody {
  const { title } = INTERVENTION_ROWS[type]
  return { kind: 'intervention', type, severity, title, details: boundedDetails(details), ...origin }
}

function verdictOf(result: AttemptResult): EntryBody {
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
        subject: shorten(subject, MAX_SENTENCE_LENGTH),
        claimed: claimed === null ? null : shorten(claimed, MAX_SENTENCE_LENGTH),
        measured: measured === null ? null : shorten(measured, MAX_SENTENCE_LENGTH),
        agrees,
      })),
    files: result.filesChanged.slice(0, MAX_FILES).map((path) => shorten(path, MAX_SENTENCE_LENGTH)),
    filesCount: result.filesChangedCount,
  }
}

type SingleEvent = Exclude<RecordedEvent, { type: 'attempt-finished' } | { type: 'intervention-raised' }>

function bodyOf(event: SingleEvent): EntryBody | null {
  switch (event.type) {
    case 'feedback-given':
      return thumbOf(event)
    case 'feedback-undone':
      return {
        kind: 'feedback',
        type: 'thumb-undone',
        title: `Thumbs ${event.feedback} taken back`,
        taskId: event.taskId,
        attemptId: event.attemptId,
        points: -event.points,
      }
    case 'operator-noted':
      return {
        kind: 'feedback',
        type: 'note',
        title: 'Note to the agent',
        taskId: event.taskId,
        note: noteOf(event.text),
      }
    case 'verdict-overruled':
      return overrulingOf(event)
    case 'standing-changed':
      return standingOf(event)
    case 'contract-edited':
      return editOf(event)
    case 'proposal-made':
      return proposalOf(event)
    case 'proposal-answered':
      return answerOf(event)
    case 'contract-read':
      return event.editRecorded === true ? null : readingOf(event)
    case 'task-unblocked':
      return unblockOf(event)
    case 'unblock-undone':
      return { kind: 'unblock', type: 'undone', title: 'Unblock taken back', taskId: event.taskId }
    case 'review-answered':
      return reviewOf(event)
    case 'review-undone':
      return {
        kind: 'feedback',
        type: 'review-undone',
        title: 'Answer taken back: held again',
        taskId: event.taskId,
        attemptId: event.attemptId,
        points: -event.points,
      }
    case 'attempt-undone':
      return undoOf(event)
    case 'base-moved':
      return event.by === 'first' ? null : baseOf(event)
    case 'paused': {
      const text = event.until === null ? 'Until it is resumed.' : `Until ${event.until}.`
      if (event.budget === undefined) return { kind: 'pause', type: 'paused', title: 'Paused', text: [text] }
      const { spentUsd, limitUsd } = event.budget
      return {
        kind: 'pause',
        type: 'budget-reached',
        title: "Paused: the day's budget is spent",
        severity: 'warning',
        text: [`${sayDollars(spentUsd)} of ${sayDollars(limitUsd)}.`, text],
      }
    }
    case 'resumed':
      return { kind: 'pause', type: 'resumed', title: 'Resumed' }
    case 'suspended': {
      const title = 'Suspended for manual review'
      return {
        kind: 'pause',
        type: 'suspended',
        title,
        severity: 'critical',
        text: sentences([event.reason]),
      }
    }
    case 'suspension-lifted':
      return {
        kind: 'pause',
        type: 'suspension-lifted',
        title: 'Suspension lifted',
        note: noteOf(event.reason),
      }
    case 'configuration-approved':
      return {
        kind: 'trust',
        type: 'approved',
        title: 'Configuration approved',
        details: { hash: shorten(event.hash) },
      }
    case 'record-accepted':
      return {
        kind: 'trust',
        type: 'record-accepted',
        title: 'The record counts as it stands',
        severity: 'warning',
        text: sentences(event.problems),
      }
    case 'scoring-changed':
      return {
        kind: 'trust',
        type: 'scoring-changed',
        title: 'Rules of scoring changed',
        text: sentences(event.changes),
      }
    default:
      return gapOf(event) ?? noticeOf(event)
  }
}

function thumbOf(event: EventOf<'feedback-given'>): EntryBody {
  const { feedback, attemptId, taskId = null, points } = event
  const title = feedback === 'up' ? 'Thumbs up' : 'Thumbs down'
  const note = noteOf(event.note)
  return { kind: 'feedback', type: `thumbs-${feedback}`, title, attemptId, taskId, points, note }
}

function overrulingOf(event: EventOf<'verdict-overruled'>): EntryBody {
  const from = event.from === null ? 'no verdict' : verdictInWords(event.from)
  return {
    kind: 'feedback',
    type: 'overruled',
    title: 'Verdict overruled',
    taskId: event.taskId,
    attemptId: event.attemptId,
    text: [
      `From ${from}${event.fromContradiction ? ' (a contradiction)' : ''} to ${verdictInWords(event.to)}.`,
    ],
    points: event.pointsDelta,
    note: noteOf(event.reason),
  }
}

function reviewOf(event: EventOf<'review-answered'>): EntryBody {
  const { answer, rigged, putBack, always, taskId, attemptId, points } = event
  const title =
    answer === 'accept' ? 'Held work accepted' : rigged ? 'Held work refused as rigged' : 'Held work refused'
  return {
    kind: 'feedback',
    type: answer === 'accept' ? 'accepted' : 'refused',
    title,
    taskId,
    attemptId,
    points,
    text: sentences([
      ...(putBack.length === 0 ? [] : [`Put back as in the base: ${putBack.join(', ')}.`]),
      ...(always === null ? [] : [`The task may change ${always} from now on.`]),
    ]),
    note: noteOf(event.reason),
  }
}

function undoOf({
  again,
  files,
  count,
  leftAlone,
  taskId,
  attemptId,
  reason,
}: EventOf<'attempt-undone'>): EntryBody {
  const stayed = leftAlone === 0 ? [] : [`${leftAlone} stayed as they are.`]
  return {
    kind: 'feedback',
    type: again ? 'undo-taken-back' : 'undone',
    title: again ? 'Changes made again' : 'Changes put back',
    taskId,
    attemptId,
    text: [`${count} ${count === 1 ? 'file' : 'files'}.`, ...stayed],
    files: files.slice(0, MAX_FILES).map((path) => shorten(path, MAX_SENTENCE_LENGTH)),
    filesCount: count,
    note: noteOf(reason),
  }
}

const BASE_MOVED = {
  first: 'The base was taken',
  operator: 'Files that steer checks were changed while no agent ran',
  accepted: 'Files of held work are the base now',
  'may-change': 'Files that a task may change are the base now',
  approved: 'What checks execute was approved',
} as const

function baseOf({ by, files, count }: EventOf<'base-moved'>): EntryBody {
  return {
    kind: 'trust',
    type: 'base-moved',
    title: BASE_MOVED[by],
    files: files.slice(0, MAX_FILES).map((path) => shorten(path, MAX_SENTENCE_LENGTH)),
    filesCount: count,
  }
}

function standingOf(event: EventOf<'standing-changed'>): EntryBody {
  const { from, to, score, target, intervalMinutes } = event
  const words = (level: StandingLevel) => SHIELD_ROWS[level].title.toLowerCase()
  return {
    kind: 'standing',
    type: to,
    title: from === null ? `Standing: ${words(to)}` : `Standing: ${words(from)} to ${words(to)}`,
    severity: SHIELD_ROWS[to].severity,
    cycle: event.cycle,
    text: sentences(event.message === '' ? [] : [event.message]),
    details: { score, target, interval_minutes: intervalMinutes },
  }
}

const EDITED = {
  operator: { type: 'edited-by-operator', title: 'Contract edited by you', severity: 'info' },
  agent: { type: 'edited-by-agent', title: 'Contract edited while the agent ran', severity: 'warning' },
  outside: { type: 'edited-outside', title: 'Contract edited outside Pulseward', severity: 'info' },
} as const

const CONFIGURED = {
  operator: 'Configuration edited by you',
  agent: 'Configuration edited while an agent ran',
  outside: 'Configuration edited outside Pulseward',
} as const

function editOf(event: EventOf<'contract-edited'>): EntryBody {
  const isFirst = event.previousHash === null
  return {
    kind: 'contract',
    ...(isFirst ? { type: 'first-read', title: 'Contract read for the first time' } : EDITED[event.by]),
    ...(event.file === 'pulseward.toml' ? { title: CONFIGURED[event.by] } : {}),
    cycle: event.cycle,
    text: sentences(event.changes),
    patch: event.patch,
    details: { hash: event.hash },
  }
}

function proposalOf(event: EventOf<'proposal-made'>): EntryBody {
  return {
    kind: 'contract',
    type: 'proposed',
    title: `${event.file}: changed while ${event.during}; waits for you`,
    severity: event.asksLess ? 'critical' : 'info',
    cycle: event.cycle,
    attemptId: event.attemptIds[0] ?? null,
    text: sentences(event.items.map(sayItem)),
    patch: event.diff,
    details: { proposal: event.id },
  }
}

const ANSWERED = { accepted: 'accepted', reverted: 'put back', settled: 'settled by a later edit' } as const

function answerOf(event: EventOf<'proposal-answered'>): EntryBody {
  return {
    kind: 'contract',
    type: `proposal-${event.answer}`,
    title: `Proposal ${ANSWERED[event.answer]}`,
    text: sentences(event.items.map(sayItem)),
    details: { proposal: event.id },
  }
}

function readingOf({ tasks, hash }: EventOf<'contract-read'>): EntryBody {
  const count = `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`
  const text = [`It has ${count} now. What changed was not recorded then.`]
  return { kind: 'contract', type: 'read', title: 'Contract changed', text, details: { hash } }
}

function unblockOf(event: EventOf<'task-unblocked'>): EntryBody {
  const { taskId, by, reason, timeoutSeconds, attemptLimit } = event
  return {
    kind: 'unblock',
    type: by === 'operator' ? 'by-operator' : 'automatic',
    title: 'Task unblocked',
    taskId,
    text: [
      ...(timeoutSeconds === null ? [] : [`Its next attempt may take ${timeoutSeconds} s.`]),
      ...(attemptLimit === null ? [] : [`It is blocked again after ${attemptLimit} attempts.`]),
    ],
    note: noteOf(reason),
  }
}

/** Where heartbeats should have been and were not. */
function gapOf(event: SingleEvent): EntryBody | null {
  switch (event.type) {
    case 'heartbeats-missed': {
      const title = event.count === 1 ? 'A heartbeat missed' : `${event.count} heartbeats missed`
      const text = [`Pulseward or the machine was down from ${event.from} to ${event.to}.`]
      return { kind: 'gap', type: 'missed', title, severity: 'warning', text }
    }
    case 'heartbeat-skipped':
      return {
        kind: 'gap',
        type: 'skipped',
        title: 'Heartbeat skipped',
        text: [SKIP_WORDS[event.reason].sentence, ...(event.why === undefined ? [] : [event.why])],
      }
    case 'cycle-finished': {
      if (event.ending !== 'interrupted' && event.ending !== 'stopped') return null
      const { cycle, ending: type } = event
      const title = type === 'stopped' ? 'Heartbeat stopped' : 'Heartbeat cut off'
      if (event.byOperator === true) {
        const text = ['You stopped it. What ran was not judged, and nobody was scored.']
        return { kind: 'gap', type, title, cycle, severity: 'info', text }
      }
      const text = type === 'stopped' ? 'Pulseward was stopped.' : 'Pulseward was cut off while it ran.'
      return { kind: 'gap', type, title, cycle, severity: 'warning', text: [text] }
    }
    default:
      return null
  }
}

const BREAKER = {
  closed: { title: 'Circuit breaker closed', severity: 'info' },
  open: { title: 'Circuit breaker open', severity: 'warning' },
  tripped: { title: 'Circuit breaker tripped', severity: 'critical' },
} as const

function parkedEntry({ reason, until }: Extract<SingleEvent, { type: 'backed-off' }>): EntryBody {
  const at = until.slice(0, 16).replace('T', ' ')
  return {
    kind: 'notice',
    type: 'environment',
    title: 'Parked',
    text: sentences([reason, `Waits for the reset that was stated, until ${at}.`]),
  }
}

function noticeOf(event: SingleEvent): EntryBody | null {
  switch (event.type) {
    case 'backed-off':
      if (event.resetsAt !== null) return parkedEntry(event)
      return {
        kind: 'notice',
        type: 'environment',
        title: 'The agent could not run',
        severity: 'warning',
        text: sentences([event.reason, event.remedy, `Tried again after ${event.minutes} min.`]),
      }
    case 'environment-recovered':
      return { kind: 'notice', type: 'environment-recovered', title: 'The agent can run again' }
    case 'diagnostic-raised': {
      const { code, taskId, message } = event
      const kind = code === 'configuration-changed' ? 'trust' : 'notice'
      return {
        kind,
        type: code,
        title: DIAGNOSTIC_WORDS[code],
        severity: 'warning',
        taskId,
        text: sentences([message]),
      }
    }
    case 'breaker-changed': {
      const { state, agentId, reason } = event
      const text = sentences(reason === '' ? [] : [reason])
      return {
        kind: 'notice',
        type: `breaker-${state}`,
        ...BREAKER[state],
        text,
        details: { agent: agentId },
      }
    }
    case 'interventions-reset':
      return {
        kind: 'notice',
        type: 'interventions-reset',
        title: 'Interventions put aside: profile, circuit breaker and feedback start at zero',
      }
    case 'interventions-restored':
      return { kind: 'notice', type: 'interventions-restored', title: 'Interventions taken back' }
    default:
      return null
  }
}

function sentences(texts: readonly string[]): string[] {
  return texts.slice(0, MAX_SENTENCES).map((text) => shorten(text, MAX_SENTENCE_LENGTH))
}

function noteOf(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : shorten(text, MAX_NOTE_LENGTH)
}
