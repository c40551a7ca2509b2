import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventBody } from '../../core/record/events.ts'
import type { Requester } from '../../core/vocabulary/requester.ts'
import { type Ledger, withAppend } from '../ports/ledger.ts'
import { readProcess } from '../process/process-identity.ts'

/** Whose word a request is. */
export interface RequestOrigin {
  /** `agent`: a process that this data folder's supervisor started, or that descends from one. */
  readonly who: Requester | 'agent'
  /** The program with its process id, in words; empty where it is not known. */
  readonly from: string
  /** Of the process that asks, where it is known. */
  readonly pid: number | null
}

interface Asking {
  readonly origin: RequestOrigin
  /** Why it goes no further without the operator's word; `null`: it may. */
  readonly confirm: () => Promise<string | null>
}

const asking = new AsyncLocalStorage<Asking>()

/** Does the work in the name of whoever asked for it: what it records is marked with that. */
export function asAskedBy<T>(origin: RequestOrigin, confirm: Asking['confirm'], work: () => T): T {
  return asking.run({ origin, confirm }, work)
}

/** For what is found to change score or trust only by looking at it: why it goes no further, or `null`. */
export async function withoutWord(): Promise<string | null> {
  return (await asking.getStore()?.confirm()) ?? null
}

/** What is asked within the host's own process is the app's. */
export function asAskedByApp<T>(work: () => T): T {
  if (askedBy() !== null) return work()
  return asAskedBy({ who: 'app', from: '', pid: process.pid }, async () => null, work)
}

/** What a command asks of a host that was started for it is the host's own process that asks, as over a connection to itself. */
export function asAskedByCommand<T>(work: () => T): T {
  const { pid } = process
  const name = readProcess(pid)?.name
  const from = name === undefined ? '' : `${name} (process ${pid})`
  return asAskedBy({ who: 'host', from, pid }, async () => null, work)
}

/** Whose word the present request is; `null` where nobody asked: the supervisor itself. */
export function askedBy(): RequestOrigin | null {
  return asking.getStore()?.origin ?? null
}

/** What changes score or trust is marked with who asked for it. */
const MARKED: ReadonlySet<EventBody['type']> = new Set([
  'feedback-given',
  'feedback-undone',
  'verdict-overruled',
  'review-answered',
  'review-undone',
  'attempt-undone',
  'configuration-approved',
  'task-unblocked',
  'unblock-undone',
  'proposal-answered',
  'proposal-answer-undone',
  'suspension-lifted',
  'interventions-reset',
  'interventions-restored',
  'record-accepted',
  'supervision-ended',
  'history-imported',
])

/** The ledger, with who asked beside each event that changes score or trust. */
export function markAsked(ledger: Ledger): Ledger {
  const mark = (event: EventBody): EventBody => {
    const origin = askedBy()
    if (origin === null || origin.who === 'agent' || !MARKED.has(event.type)) return event
    const { who, from } = origin
    const whileRunning = ledger.state.running?.attempt != null
    return { ...event, asked: { who, from, whileRunning } } as EventBody
  }
  return withAppend(ledger, (...events) => ledger.append(...events.map(mark)))
}
