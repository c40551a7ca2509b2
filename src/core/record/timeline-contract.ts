import { sayItem } from '../contract/proposal-items.ts'
import type { EventOf } from './events.ts'
import { type EntryBody, sentences } from './timeline-words.ts'

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

export function editOf(event: EventOf<'contract-edited'>): EntryBody {
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

export function proposalOf(event: EventOf<'proposal-made'>): EntryBody {
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

const ANSWERED = { accepted: 'accepted', reverted: 'reverted', settled: 'settled by a later edit' } as const

export function answerOf(event: EventOf<'proposal-answered'>): EntryBody {
  return {
    kind: 'contract',
    type: `proposal-${event.answer}`,
    title: `Proposal ${ANSWERED[event.answer]}`,
    text: sentences(event.items.map(sayItem)),
    details: { proposal: event.id },
  }
}

export function answerUndoneOf(event: EventOf<'proposal-answer-undone'>): EntryBody {
  return {
    kind: 'contract',
    type: 'proposal-answer-undone',
    title: 'Answer to a proposal taken back: it waits again',
    text: sentences(event.items.map(sayItem)),
    details: { proposal: event.id },
  }
}

export function readingOf({ tasks, hash, editRecorded }: EventOf<'contract-read'>): EntryBody | null {
  if (editRecorded === true) return null
  const count = `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`
  const text = [`It has ${count} now. What changed was not recorded then.`]
  return { kind: 'contract', type: 'read', title: 'Contract changed', text, details: { hash } }
}
