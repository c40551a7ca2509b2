import { DIAGNOSTIC_WORDS } from '../vocabulary/diagnostic.ts'
import { ASK_WORDS, type AskOutcome } from '../vocabulary/fleet.ts'
import { SHIELD_ROWS, type ShieldLevel } from '../vocabulary/standing.ts'
import { shorten } from './attempt-summary.ts'
import type { EventOf } from './events.ts'
import { type EntryBody, filesOf, sentence, sentences } from './timeline-words.ts'

const BASE_MOVED = {
  operator: 'Files that steer checks were changed while no agent ran',
  accepted: 'Files of held work are the base now',
  'may-change': 'Files that a task may change are the base now',
  approved: 'What checks execute was approved',
} as const

export function baseOf({ by, files, count }: EventOf<'base-moved'>): EntryBody | null {
  if (by === 'first') return null
  return {
    kind: 'trust',
    type: 'base-moved',
    title: BASE_MOVED[by],
    ...filesOf(files, count),
  }
}

export function standingOf(event: EventOf<'standing-changed'>): EntryBody {
  const { score, target, intervalMinutes } = event
  const { from, to } = event.shown ?? event
  const words = (level: ShieldLevel) => SHIELD_ROWS[level].title.toLowerCase()
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

const BREAKER = {
  closed: { title: 'Circuit breaker: OK', severity: 'info' },
  open: { title: 'Circuit breaker: warning', severity: 'warning' },
  tripped: { title: 'Circuit breaker: tripped', severity: 'critical' },
} as const

export function breakerOf(event: EventOf<'breaker-changed'>): EntryBody {
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

function parkedEntry({ reason, until }: EventOf<'backed-off'>): EntryBody {
  const at = until.slice(0, 16).replace('T', ' ')
  return {
    kind: 'notice',
    type: 'environment',
    title: 'Parked',
    text: sentences([reason, `Waits for the reset that was stated, until ${at}.`]),
  }
}

export function backOffOf(event: EventOf<'backed-off'>): EntryBody {
  if (event.resetsAt !== null) return parkedEntry(event)
  return {
    kind: 'notice',
    type: 'environment',
    title: event.byGate ? 'A gate could not run' : 'The agent could not run',
    severity: 'warning',
    text: sentences([event.reason, event.remedy, `Tried again after ${event.minutes} min.`]),
  }
}

export function diagnosticOf(event: EventOf<'diagnostic-raised'>): EntryBody {
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

export function approvalOf(event: EventOf<'configuration-approved'>): EntryBody {
  return {
    kind: 'trust',
    type: 'approved',
    title: 'Configuration approved',
    details: { hash: shorten(event.hash) },
  }
}

export function acceptedRecordOf(event: EventOf<'record-accepted'>): EntryBody {
  return {
    kind: 'trust',
    type: 'record-accepted',
    title: 'The record was accepted in its current state',
    severity: 'warning',
    text: sentences(event.problems),
  }
}

export function rulesOf(event: EventOf<'scoring-changed'>): EntryBody {
  return {
    kind: 'trust',
    type: 'scoring-changed',
    title: 'Rules of scoring changed',
    text: sentences(event.changes),
  }
}

export function importOf(event: EventOf<'history-imported'>): EntryBody {
  return {
    kind: 'notice',
    type: 'history-imported',
    title: 'History imported',
    text: [
      `${event.history.days.length} days from ${event.history.days.at(-1)?.date ?? ''} to ${event.history.days[0]?.date ?? ''}, as another program kept them.`,
    ],
  }
}

const OUTCOME_TITLES: Readonly<Record<AskOutcome, string>> = {
  done: 'Done',
  failed: 'Refused',
  interrupted: 'Interrupted',
}

export function answeredOf({ operator, action, outcome, effect }: EventOf<'answered-from-afar'>): EntryBody {
  return {
    kind: 'trust',
    type: 'answered-from-afar',
    title: `${OUTCOME_TITLES[outcome]}: ${ASK_WORDS[action]}, as ${operator} asked from afar`,
    ...(outcome !== 'done' && { severity: 'warning' as const }),
    text: sentences([effect]),
  }
}

export function askedOf({ operator, action, about, reason }: EventOf<'asked-from-afar'>): EntryBody {
  return {
    kind: 'trust',
    type: 'asked-from-afar',
    title: `${operator} asked from afar to ${ASK_WORDS[action]}`,
    text: [about, reason].flatMap((each) => (each === null ? [] : [sentence(each)])),
  }
}
