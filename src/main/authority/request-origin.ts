import { AsyncLocalStorage } from 'node:async_hooks'
import type { Takes } from '../../api/procedures/base.ts'
import type { EventBody } from '../../core/record/events.ts'
import type { Requester } from '../../core/vocabulary/requester.ts'
import type { Ledger, RecordingStep } from '../ports/ledger.ts'
import { readProcess } from '../process/process-identity.ts'

/** Who sent a request. */
export interface RequestOrigin {
  /**
   * `agent`: a process that this data folder's supervisor started for an agent or a check, or a descendant of one. `unknown`:
   * nothing is known about the process, which may be an agent's.
   */
  readonly who: Requester | 'agent' | 'unknown'
  /** The program and its process id, to show to people; empty if unknown. */
  readonly from: string
  /** The requesting process, if known. */
  readonly pid: number | null
  /** For an agent's request: the folder that the agent was started in; `null` if unknown. */
  readonly directory?: string | null
}

/** What is requested. */
export interface Asked {
  readonly takes: Takes
  /** The id of the workspace that the request names. */
  readonly workspace: string | undefined
}

/** Restrictions on the sender; omitted: none. */
interface Limits {
  /** Returns why a request is refused; `null`: it is allowed. */
  readonly refuse: (asked: Asked) => Promise<string | null>
  /** The id of the only workspace that the sender may ask about; omitted: any. */
  readonly workspace?: string | undefined
}

interface Asking {
  readonly origin: RequestOrigin
  readonly limits: Limits | null
}

const asking = new AsyncLocalStorage<Asking>()

/** Does the work on behalf of the sender: what it records is marked with the origin. */
export function asAskedBy<T>(origin: RequestOrigin, work: () => T, limits: Limits | null = null): T {
  return asking.run({ origin, limits }, work)
}

/** Returns the id of the only workspace that the sender may ask about, for a request that names none. */
export function onlyWorkspace(): string | undefined {
  return asking.getStore()?.limits?.workspace
}

/** Returns why the sender may not request this; `null`: it is allowed, or the supervisor itself is acting. */
export async function refusalOf(asked: Asked): Promise<string | null> {
  return (await asking.getStore()?.limits?.refuse(asked)) ?? null
}

/** Returns why a request is refused if its content shows that only the operator may make it; `null`: it is allowed. */
export function refusalOfOperators(): Promise<string | null> {
  return refusalOf({ takes: 'operator', workspace: undefined })
}

/** Requests within the host's own process come from the app. */
export function asAskedByApp<T>(work: () => T): T {
  if (askedBy() !== null) return work()
  return asAskedBy({ who: 'app', from: '', pid: process.pid }, work)
}

/** Runs requests of a command to the host that was started for it. They come from the host's own process, like a connection to itself. */
export function asAskedByCommand<T>(work: () => T): T {
  const { pid } = process
  const name = readProcess(pid)?.name
  const from = name === undefined ? '' : `${name} (process ${pid})`
  return asAskedBy({ who: 'host', from, pid }, work)
}

/** Returns who sent the current request; `null` if there is none: the supervisor itself is acting. */
export function askedBy(): RequestOrigin | null {
  return asking.getStore()?.origin ?? null
}

/** Events that change score or trust; each is marked with who requested it. */
const MARKED: ReadonlySet<EventBody['type']> = new Set([
  'feedback-given',
  'feedback-undone',
  'verdict-overruled',
  'review-answered',
  'review-undone',
  'contradictions-seen',
  'contradictions-unseen',
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

/** Marks each event that changes score or trust with its requester. */
export function markAsked(ledger: Pick<Ledger, 'state'>): RecordingStep {
  const mark = (event: EventBody): EventBody => {
    const origin = askedBy()
    if (origin === null || origin.who === 'agent' || !MARKED.has(event.type)) return event
    const { from } = origin
    const who = origin.who === 'unknown' ? 'program' : origin.who
    const whileRunning = ledger.state.running?.attempt != null
    return { ...event, asked: { who, from, whileRunning } } as EventBody
  }
  return { mark: (events) => events.map(mark) }
}
