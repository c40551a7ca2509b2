import { SESSION_AGENT_NAMES } from '../vocabulary/session.ts'
import { VERDICT_WORDS } from '../vocabulary/verdict.ts'
import type { EventOf } from './events.ts'
import { type EntryBody, filesOf, sentences } from './timeline-words.ts'

export function sessionStartedOf({ agent, sessionId, directory }: EventOf<'session-started'>): EntryBody {
  return {
    kind: 'session',
    type: 'session-started',
    title: `Session of ${SESSION_AGENT_NAMES[agent]} started`,
    details: { agent, session: sessionId, directory },
  }
}

export function sessionTaskOf(event: EventOf<'session-task-named'>): EntryBody {
  const { taskId, sessionId, by } = event
  return {
    kind: 'session',
    type: 'session-task-named',
    title: taskId === null ? 'The session is for no task any more' : `The session is for ${taskId}`,
    taskId,
    details: { session: sessionId, by },
  }
}

/** Returns a turn's entry; a turn that was not judged has none. */
export function turnOf(event: EventOf<'turn-judged'>): EntryBody | null {
  const { verdict, deferred, reasons, comparisons, said, points } = event
  if (verdict === null && deferred) return null
  return {
    kind: 'session',
    type: typeOfTurn(event),
    title: titleOfTurn(event),
    severity: event.stopped || event.contradiction ? 'critical' : event.wouldBlock ? 'warning' : 'info',
    taskId: event.taskId,
    text: sentences([...reasons, ...(said === null ? [] : [`Said to the agent: ${said}`])]),
    points: points === 0 ? null : points,
    comparisons: comparisons.slice(0, 30),
    ...filesOf(event.filesChanged, event.filesChangedCount),
    details: {
      agent: event.agent,
      session: event.sessionId,
      mode: event.mode,
      blocked: event.blocked,
      would_block: event.wouldBlock,
      ...(event.tree !== null && { tree: event.tree }),
    },
  }
}

function typeOfTurn({ stopped, blocked, wouldBlock, verdict }: EventOf<'turn-judged'>): string {
  if (stopped) return 'stopped-not-verified'
  if (blocked) return 'blocked'
  return wouldBlock ? 'would-block' : (verdict ?? 'not-judged')
}

function titleOfTurn(event: EventOf<'turn-judged'>): string {
  const { agent, verdict, stopped, blocked, wouldBlock, contradiction } = event
  const who = SESSION_AGENT_NAMES[agent]
  if (stopped) return `${who} stopped, not verified`
  if (blocked) return `${who} was sent back`
  if (wouldBlock) return `Would have sent ${who} back`
  if (verdict === null) return `Turn of ${who}: nothing was measured`
  return `Turn of ${who}: ${(contradiction ? 'Contradiction' : VERDICT_WORDS[verdict].title).toLowerCase()}`
}

export function silentOf({ agent, sessionId, reason }: EventOf<'session-silent'>): EntryBody {
  return {
    kind: 'session',
    type: 'session-silent',
    title: `The hook of ${SESSION_AGENT_NAMES[agent]} was not called`,
    severity: 'warning',
    text: sentences([reason]),
    details: { agent, session: sessionId },
  }
}

const HOOK_TITLES = {
  removed: (name: string) => `The hook of ${name} was removed or switched off`,
  uninstalled: (name: string) => `The hook of ${name} was uninstalled`,
  weakened: (name: string) => `${name} is no longer sent back`,
}

export function hookRemovedOf(event: EventOf<'hook-removed'>): EntryBody {
  const { agent, sessionId, path, reason, prevented, what } = event
  const name = SESSION_AGENT_NAMES[agent]
  return {
    kind: 'session',
    type: prevented ? 'hook-removal-prevented' : 'hook-removed',
    title: prevented ? `${name} was kept from removing its hook` : HOOK_TITLES[what](name),
    severity: what === 'uninstalled' ? 'info' : 'warning',
    text: sentences([reason]),
    details: { agent, path, ...(sessionId !== null && { session: sessionId }) },
  }
}

export function sessionSeenOf({ sessionId }: EventOf<'session-seen'>): EntryBody {
  return { kind: 'session', type: 'session-seen', title: 'Session seen', details: { session: sessionId } }
}
