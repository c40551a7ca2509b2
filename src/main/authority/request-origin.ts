import { AsyncLocalStorage } from 'node:async_hooks'
import type { Takes } from '../../api/procedures/base.ts'
import type { EventBody } from '../../core/record/events.ts'
import type { Requester } from '../../core/vocabulary/requester.ts'
import type { Ledger, RecordingStep } from '../ports/ledger.ts'
import { readProcess } from '../process/process-identity.ts'

/** Who sent a request. */
export interface RequestOrigin {
  /**
   * `agent`: a process that this data folder's supervisor started for an agent or a check, or that descends from one. `unknown`: nothing at
   * all is known of it, and it may be one.
   */
  readonly who: Requester | 'agent' | 'unknown'
  /** The program with its process id, in words; empty where it is not known. */
  readonly from: string
  /** Of the process that asks, where it is known. */
  readonly pid: number | null
  /** Of an agent's: where it was started to work; `null`: unknown. */
  readonly directory?: string | null
}

/** What is asked for. */
export interface Asked {
  readonly takes: Takes
  /** The id of the workspace that it names. */
  readonly workspace: string | undefined
}

/** What whoever asks is kept to; left out: they may ask for everything. */
interface Limits {
  /** Why a request goes no further; `null`: it may. */
  readonly refuse: (asked: Asked) => Promise<string | null>
  /** The id of the only workspace that they may ask about; left out: any. */
  readonly workspace?: string | undefined
}

interface Asking {
  readonly origin: RequestOrigin
  readonly limits: Limits | null
}

const asking = new AsyncLocalStorage<Asking>()

/** Does the work in the name of whoever asked for it: what it records is marked with that. */
export function asAskedBy<T>(origin: RequestOrigin, work: () => T, limits: Limits | null = null): T {
  return asking.run({ origin, limits }, work)
}

/** The id of the workspace that is meant where whoever is asking names none, for they may ask about no other. */
export function onlyWorkspace(): string | undefined {
  return asking.getStore()?.limits?.workspace
}

/** Why whoever is asking may not ask for this; `null`: they may, or nobody asked: the supervisor itself. */
export async function refusalOf(asked: Asked): Promise<string | null> {
  return (await asking.getStore()?.limits?.refuse(asked)) ?? null
}

/** For what is found to be the operator's alone only by looking at it: why it goes no further, or `null`. */
export function refusalOfOperators(): Promise<string | null> {
  return refusalOf({ takes: 'operator', workspace: undefined })
}

/** What is asked within the host's own process is the app's. */
export function asAskedByApp<T>(work: () => T): T {
  if (askedBy() !== null) return work()
  return asAskedBy({ who: 'app', from: '', pid: process.pid }, work)
}

/** What a command asks of a host that was started for it is the host's own process that asks, as over a connection to itself. */
export function asAskedByCommand<T>(work: () => T): T {
  const { pid } = process
  const name = readProcess(pid)?.name
  const from = name === undefined ? '' : `${name} (process ${pid})`
  return asAskedBy({ who: 'host', from, pid }, work)
}

/** Who sent the present request; `null` where nobody asked: the supervisor itself. */
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

/** Marks each event that changes score or trust with who asked for it. */
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
