import { randomBytes } from 'node:crypto'
import { createRouterClient } from '@orpc/server'
import type { ApiClient, ApiPort } from '../api/client.ts'
import { RequestProblem } from '../api/request-problem.ts'
import {
  type HttpServer,
  type HttpServerOptions,
  PortUnavailable,
  startHttpServer,
} from './api/http-server.ts'
import { servePort } from './api/message-port.ts'
import { createAuthority } from './authority/authority.ts'
import { asAskedByCommand } from './authority/request-origin.ts'
import { markFormat } from './config/data-format.ts'
import { knownIds } from './config/registry.ts'
import { openSettings } from './config/settings.ts'
import { createAdmission } from './host/admission.ts'
import type { Closers, HostOptions } from './host/host-options.ts'
import { notifyOfLostFolder, notifyOfSettings } from './host/notify-troubles.ts'
import { openParts } from './host/open-parts.ts'
import { claimDataFolder, type DataFolderOwner } from './ledger/data-folder.ts'
import { keepPort, keptPort } from './ledger/kept-port.ts'
import { removeServerFile, writeServerFile } from './ledger/server-file.ts'
import { sessionSecret } from './ledger/session-secret.ts'
import { answerElsewhere } from './procedures/answer-elsewhere.ts'
import { endpointsOf } from './procedures/endpoints.ts'
import { fromAfar } from './procedures/from-afar.ts'
import type { RequestContext } from './procedures/implementer.ts'
import { READING } from './procedures/reading.ts'
import { router } from './procedures/router.ts'
import { superviseFor } from './process/supervisor-tag.ts'

/** The one owner of a data folder: supervises its workspaces and serves its clients. */
export interface Host {
  /** A client within this process, acting as its app. */
  readonly client: ApiClient
  /** A client within this process, acting as the command that the host was started for. */
  readonly commandClient: ApiClient
  /** Serves the API over `port`. */
  servePort(port: ApiPort): void
  readonly server: {
    readonly url: string
    readonly port: number
    readonly token: string
    readonly pageAddress: () => string
  }
  /**
   * Resolves once no heartbeat runs and requests are answered, or early if `signal` aborts: other commands may be using this command's host
   * when it is done. Calls `onWaiting` before it waits for a heartbeat.
   */
  finish(signal: AbortSignal, onWaiting: () => void): Promise<void>
  /** Stops running attempts and records their end, answers pending requests, and releases the data folder. */
  stop(): Promise<void>
}

/**
 * Claims the data folder, opens its workspaces and serves loopback HTTP. Rejects with a `RequestProblem` of kind `conflict` if another host
 * owns the folder, and with a plain error (what, where, the remedy) if the folder cannot be used.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const claim = await claimDataFolder(options.dataDirectory, (reason) => notifyOfLostFolder(options, reason))
  if (claim.kind === 'owned') {
    throw new RequestProblem(
      'conflict',
      `Another Pulseward${claim.pid === null ? '' : ` (process ${claim.pid})`} owns ${options.dataDirectory}. Use that one, or name another folder with --data-dir.`,
    )
  }
  const closers: (() => Promise<unknown>)[] = [claim.release]
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) {
      await close().catch((error: unknown) =>
        options.log.error('A part did not stop cleanly', { error: String(error) }),
      )
    }
  }
  try {
    return await openHost(options, claim, closers, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function openHost(
  options: HostOptions,
  { lost }: DataFolderOwner,
  closers: Closers,
  stop: () => Promise<void>,
): Promise<Host> {
  const { dataDirectory, log } = options
  superviseFor(dataDirectory)
  // Refuse a data folder whose workspaces cannot be listed.
  await knownIds(dataDirectory)
  await markFormat(dataDirectory, options.version)
  const settings = await openSettings(dataDirectory, log, (reason) =>
    notifyOfSettings(options.notifier, reason),
  )
  const parts = await openParts({ ...options, lost }, settings, closers)
  const context: RequestContext = { host: parts }
  parts.fleet.answerBy(fromAfar(parts))
  const audience = { workspaces: () => parts.workspaces.all(), notifier: parts.notifier, log }
  const token = randomBytes(32).toString('base64url')
  const server = await startOnItsPort(options, settings.current.port, {
    served: {
      router,
      context: (arrival) => ({ ...context, ...arrival }),
      endpoints: endpointsOf(parts),
      reading: READING,
    },
    token,
    pageSecret: await sessionSecret(dataDirectory),
    staticDirectory: options.pageDirectory,
    admit: createAdmission({
      authority: createAuthority(dataDirectory),
      operator: parts.permissions,
      ...audience,
    }),
    answer: answerElsewhere(context),
    log,
  })
  // Stop workspaces before the server, so that callers waiting for the end of a heartbeat are still answered.
  closers.splice(1, 0, server.stop)
  // Other commands may be using this command's host when it is done; let it finish what they began.
  if (!options.scheduled) closers.push(server.settled)
  await writeServerFile(dataDirectory, { port: server.port, token, pid: process.pid })
  closers.push(() => removeServerFile(dataDirectory))
  parts.workspaces.begin()
  parts.beginSessions()
  return {
    client: createRouterClient(router, { context }),
    commandClient: createRouterClient(router, {
      context,
      interceptors: [({ next }) => asAskedByCommand(next)],
    }),
    servePort: (port) => servePort(port, router, context),
    server: { url: server.url, port: server.port, token, pageAddress: server.pageAddress },
    finish: async (signal, onWaiting) => {
      const isBusy = (): boolean => parts.workspaces.all().some(({ loop }) => loop.isBusy)
      for (;;) {
        // A heartbeat that was asked for may be about to begin.
        await server.settled()
        if (!isBusy() || signal.aborted) return
        onWaiting()
        while (isBusy() && !signal.aborted) await options.clock.sleep(LOOK_AGAIN_MS)
      }
    },
    stop,
  }
}

/** How soon the end of a heartbeat is noticed. */
const LOOK_AGAIN_MS = 100

/** Starts the server on the requested port. If any port will do, it prefers the previous one if that is free. */
async function startOnItsPort<Context extends object>(
  { dataDirectory, port: asked, log }: HostOptions,
  setting: number,
  server: Omit<HttpServerOptions<Context>, 'port'>,
): Promise<HttpServer> {
  const wanted = asked ?? setting
  const kept = asked === undefined && wanted === 0 ? await keptPort(dataDirectory) : 0
  const started = await startHttpServer({ ...server, port: wanted || kept }).catch((error: unknown) => {
    if (kept === 0 || !(error instanceof PortUnavailable)) throw error
    log.warn('The previous port is taken; reopen any open page', { port: kept })
    return startHttpServer({ ...server, port: 0 })
  })
  // A server that a single command starts for itself need not keep its port.
  if (asked !== 0) await keepPort(dataDirectory, started.port)
  return started
}
