import type { AgentEventOf } from '../../activity/types.ts'
import type { ServiceFailure } from '../failure-words.ts'
import { statedFailure } from '../service-failure.ts'
import { shortText } from './stream-parser.ts'

type FinalStatus = AgentEventOf<'final'>['status']

const STATUSES: Readonly<Record<ServiceFailure, FinalStatus>> = {
  login: 'unauthenticated',
  access: 'unauthenticated',
  quota: 'rate-limited',
  service: 'service-error',
  'model-server': 'service-error',
  network: 'service-error',
  disk: 'service-error',
  machine: 'service-error',
}

/** Failures that a program blames on its service, but that are the machine's. */
const OF_ITS_MACHINE: ReadonlySet<ServiceFailure> = new Set(['network', 'model-server', 'disk', 'machine'])

const LIMIT =
  /\bmax(?:imum)?[ _-]?(?:number of )?(?:turns|steps|session turns)\b|\bturn limit\b|\bcontext[ _](?:window|length|limit)|\bprompt is too long\b|\boutput length\b|\bmaximum budget\b/i

/** Returns the status of a run from its program's own report of a failure. Its service's status code, if given, outranks words. */
export function failureStatus(message: string, httpStatus: number | null): FinalStatus {
  const failure = statedFailure(message, httpStatus)
  if (failure !== null) return STATUSES[failure]
  return LIMIT.test(message) ? 'limit' : 'error'
}

/**
 * Returns the failure behind the status of a last event, by its words if they say more; `null` if the failure is the agent's
 * own.
 */
export function failureOfStatus(status: FinalStatus, words: string): ServiceFailure | null {
  const stated = statedFailure(words, null)
  switch (status) {
    case 'unauthenticated':
      return stated === 'access' ? stated : 'login'
    case 'rate-limited':
      return 'quota'
    case 'service-error':
      return stated !== null && OF_ITS_MACHINE.has(stated) ? stated : 'service'
    default:
      return null
  }
}

/** Returns the final event of a run that its program reports as failed. */
export function failed(message: string, httpStatus: number | null = null): AgentEventOf<'final'> {
  const reason = shortText(message)
  return {
    kind: 'final',
    status: failureStatus(message, httpStatus),
    reason: reason === '' ? 'it failed without a reason' : reason,
  }
}
