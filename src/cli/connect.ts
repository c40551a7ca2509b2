import { setTimeout as delay } from 'node:timers/promises'
import { ORPCError } from '@orpc/client'
import type { ApiClient } from '../api/client.ts'
import { RequestProblem } from '../api/request-problem.ts'
import { CliError } from './cli-error.ts'
import { createLoopbackClient } from './loopback-link.ts'
import type { Machine, OwnHost } from './machine.ts'

export interface ConnectOptions {
  readonly machine: Machine
  readonly dataDirectory: string
  /** The command that asks; reported to the host. */
  readonly command?: string | undefined
  /** Aborting ends the wait for a running host, and stops our own host and what it runs. */
  readonly signal: AbortSignal
  readonly onNotification: (title: string, body: string) => void
}

/** How long a host may take to start or stop before a command gives up on it. */
const PATIENCE_MS = 10_000
const RETRY_MS = 100
/** How long a host may take for the simplest request. A suspended process accepts connections, but never answers. */
const ANSWER_MS = PATIENCE_MS / 2

/**
 * Does `work` with the running host of the data folder or, if none runs, with a temporary host that is stopped afterwards. Rejects with a
 * `CliError` (3) if the folder is owned by a process that does not answer.
 */
export async function withHost<T>(
  options: ConnectOptions,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    const running = await findRunningHost(options)
    if (running !== null) return untilInterrupted(work(running), options.signal)
    const own = await startOwnHost(options, performance.now() - startedAt > PATIENCE_MS)
    if (own !== null) return withOwnHost(own, options, work)
    // Another process owns the folder and does not answer yet, or is about to release it.
    await delay(RETRY_MS, undefined, { signal: options.signal }).catch(() => {
      throw interruption(NOTHING_ASKED)
    })
  }
}

type AskOptions = Pick<ConnectOptions, 'machine' | 'dataDirectory' | 'signal' | 'command'>

/** Returns a client of the host that `server.json` names, if it answers; null if none does. Rejects if interrupted. */
export async function findRunningHost(options: AskOptions): Promise<ApiClient | null> {
  const answer = await askHost(options)
  return answer === 'refused' ? null : answer
}

/** Returns a client of the host that answers; `refused` if it answers but won't serve this process; null if none does. */
export async function askHost({
  machine,
  dataDirectory,
  signal,
  command,
}: AskOptions): Promise<ApiClient | 'refused' | null> {
  const address = await machine.findHost(dataDirectory)
  if (address === null) return null
  const client = createLoopbackClient(`http://127.0.0.1:${address.port}`, address.token, command)
  try {
    // The cheapest request: a status would list every workspace.
    await withinLimit(signal, (limit) => client.settings.get(undefined, { signal: limit }))
    return client
  } catch (error) {
    if (signal.aborted) throw interruption(NOTHING_ASKED)
    // Otherwise it is just starting or stopping, or another program now has its port.
    return error instanceof ORPCError && error.status === 403 ? 'refused' : null
  }
}

/** Does `work` with a signal that aborts with the given one, or when the answer takes too long. */
export async function withinLimit<T>(
  signal: AbortSignal,
  ask: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const timer = setTimeout(abort, ANSWER_MS)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await ask(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

async function startOwnHost(options: ConnectOptions, isLastTry: boolean): Promise<OwnHost | null> {
  const { machine, dataDirectory, onNotification } = options
  try {
    return await machine.startHost({
      dataDirectory,
      port: 0,
      scheduled: false,
      withPage: false,
      onNotification,
    })
  } catch (error) {
    if (!isConflict(error)) throw error
    if (isLastTry)
      throw new CliError(3, 'UNAVAILABLE', `${error.message} It does not answer.`, { cause: error })
    return null
  }
}

/** True if another process owns the data folder. */
export function isConflict(error: unknown): error is Error {
  return error instanceof RequestProblem && error.kind === 'conflict'
}

async function withOwnHost<T>(
  host: OwnHost,
  options: ConnectOptions,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const { signal } = options
  // The host records the end of what it was running, then answers the pending request.
  const onAbort = (): void => void host.stop()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(host.client)
  } catch (error) {
    if (!signal.aborted) throw error
    throw interruption('What was running was ended and recorded.')
  } finally {
    await endOwnHost(host, options).finally(() => signal.removeEventListener('abort', onAbort))
  }
}

/**
 * Stops the host. If it still runs a heartbeat that another command asked for, resolves first, so that this command's answer is printed;
 * the process ends with that heartbeat, or at Ctrl-C.
 */
function endOwnHost(host: OwnHost, { signal, onNotification }: ConnectOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onWaiting = (): void => {
      onNotification('Not over yet', 'another command asked this one for a heartbeat, and it ends with that.')
      resolve()
    }
    host
      .finish(signal, onWaiting)
      .finally(() => host.stop())
      .then(resolve, reject)
  })
}

function untilInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void =>
      reject(interruption('The running host continues with what it was asked to do.'))
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

const NOTHING_ASKED = 'No host was asked for anything.'

function interruption(consequence: string): CliError {
  return new CliError(3, 'INTERRUPTED', `Interrupted. ${consequence}`)
}
