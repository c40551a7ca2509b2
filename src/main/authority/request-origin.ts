import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventBody } from '../../core/record/events.ts'
import type { Ledger } from '../ports/ledger.ts'

/** Whose word a request is. */
export interface RequestOrigin {
  /** `agent`: a process that this data folder's supervisor started, or that descends from one. */
  readonly who: 'app' | 'page' | 'terminal' | 'program' | 'host' | 'agent'
  /** The program with its process id, in words; empty where it is not known. */
  readonly from: string
  /** Of the process that asks, where it is known. */
  readonly pid: number | null
}

const asking = new AsyncLocalStorage<RequestOrigin>()

/** Does the work in the name of whoever asked for it: what it records is marked with that. */
export function asAskedBy<T>(origin: RequestOrigin, work: () => T): T {
  return asking.run(origin, work)
}

/** What changes score or trust is marked with who asked for it. */
const MARKED: ReadonlySet<EventBody['type']> = new Set([
  'feedback-given',
  'verdict-overruled',
  'configuration-approved',
  'task-unblocked',
  'proposal-answered',
  'suspension-lifted',
  'interventions-reset',
])

/** The ledger, with who asked beside each event that changes score or trust. */
export function markAsked(ledger: Ledger): Ledger {
  const mark = (event: EventBody): EventBody => {
    const origin = asking.getStore()
    if (origin === undefined || origin.who === 'agent' || !MARKED.has(event.type)) return event
    const { who, from } = origin
    const whileRunning = ledger.state.running?.attempt != null
    return { ...event, asked: { who, from, whileRunning } } as EventBody
  }
  return {
    get state() {
      return ledger.state
    },
    append: (...events) => ledger.append(...events.map(mark)),
    read: (fromSeq, limit) => ledger.read(fromSeq, limit),
    attempt: (attemptId) => ledger.attempt(attemptId),
    close: () => ledger.close(),
  }
}
