import { SKIP_WORDS } from '../vocabulary/heartbeat.ts'
import { sayLimit } from './budget.ts'
import type { EventOf } from './events.ts'
import { pausingLimit } from './fold-budget.ts'
import { type EntryBody, momentWords, noteOf, sentences } from './timeline-words.ts'

/* Entries for heartbeats that don't run, or should have run and didn't. */

export function pauseOf(event: EventOf<'paused'>): EntryBody {
  const text = event.until === null ? 'Until it is resumed.' : `Until ${momentWords(event.until)}.`
  const limit = pausingLimit(event)
  if (limit === null) return { kind: 'pause', type: 'paused', title: 'Paused', text: [text] }
  return {
    kind: 'pause',
    type: 'budget-reached',
    title: "Paused: the day's budget is spent",
    severity: 'warning',
    text: [`${sayLimit(limit)}.`, text],
  }
}

export function limitOf(event: EventOf<'limit-near'>): EntryBody {
  return {
    kind: 'pause',
    type: 'limit-near',
    title: event.limit.used < event.limit.limit ? "The day's limit is near" : "The day's limit is passed",
    severity: 'warning',
    text: [`${sayLimit(event.limit)}.`],
  }
}

export function suspensionOf(event: EventOf<'suspended'>): EntryBody {
  const title = 'Suspended for manual review'
  return {
    kind: 'pause',
    type: 'suspended',
    title,
    severity: 'critical',
    text: sentences([event.reason]),
  }
}

export function suspensionLiftedOf(event: EventOf<'suspension-lifted'>): EntryBody {
  return {
    kind: 'pause',
    type: 'suspension-lifted',
    title: 'Resumed after suspension',
    note: noteOf(event.reason),
  }
}

export function missedOf(event: EventOf<'heartbeats-missed'>): EntryBody {
  const title = event.count === 1 ? 'A heartbeat missed' : `${event.count} heartbeats missed`
  const text = [
    `Pulseward or the machine was down from ${momentWords(event.from)} to ${momentWords(event.to, event.from)}.`,
  ]
  return { kind: 'gap', type: 'missed', title, severity: 'warning', text }
}

export function skippedOf(event: EventOf<'heartbeat-skipped'>): EntryBody {
  return {
    kind: 'gap',
    type: 'skipped',
    title: 'Heartbeat skipped',
    text: [SKIP_WORDS[event.reason].sentence, ...(event.why === undefined ? [] : [event.why])],
  }
}

export function endingOf(event: EventOf<'cycle-finished'>): EntryBody | null {
  if (event.ending !== 'interrupted' && event.ending !== 'stopped') return null
  const { cycle, ending: type } = event
  const title = type === 'stopped' ? 'Heartbeat stopped' : 'Heartbeat cut off'
  if (event.byOperator === true) {
    const text = ['You stopped it. What ran was neither judged nor scored.']
    return { kind: 'gap', type, title, cycle, severity: 'info', text }
  }
  const text = type === 'stopped' ? 'Pulseward was stopped.' : 'Pulseward was interrupted while it ran.'
  return { kind: 'gap', type, title, cycle, severity: 'warning', text: [text] }
}
