// Import this before all others, because they create schemas.
import './interpreted-schemas.ts'
import './no-forms.ts'
import { type ApiClient, createHttpClient } from '../api/client.ts'
import { RequestProblem } from '../api/request-problem.ts'
import { settingsSchema } from '../api/schemas/settings.ts'
import { createDesktopIntegration } from './desktop/integration.ts'
import type { Connection } from './desktop/shown-host.ts'
import { createFileLog } from './host/log.ts'
import { createNotificationGate } from './host/notification-gate.ts'
import { offerOwnNode } from './host/offer-own-node.ts'
import { systemClock } from './host/system-clock.ts'
import { createHost } from './host.ts'
import { readServerFile } from './ledger/server-file.ts'
import type { Log } from './ports/log.ts'
import type { Notifier } from './ports/notifier.ts'

/*
 * The host behind the desktop app. Loaded by `import()` once the window is opening: it is most of the program, and the window does not wait
 * for it.
 */
export interface HostPlaces {
  readonly data: string
  readonly pageDirectory: string
  readonly sampleDirectory: string
  readonly reportServer: string
}

/** How often, and at what interval, to try a data folder whose owner does not say how to reach it. */
const MAX_TRIES = 10
const TRY_AGAIN_MS = 500

/** Starts a host in this process, or connects to the one in the process that owns the data folder. */
export async function connectHost(
  places: HostPlaces,
  version: string,
  notifier: Notifier,
): Promise<Connection> {
  offerOwnNode(process.env)
  const log = createFileLog(places.data, process.env)
  for (let tries = 1; ; tries += 1) {
    try {
      return await ownConnection(places, version, notifier, log)
    } catch (error) {
      if (!(error instanceof RequestProblem)) throw error
      const running = await readServerFile(places.data)
      if (running !== null) return foreignConnection(running, places, version, notifier, log)
      if (tries === MAX_TRIES) throw error
      // The owner has just started, or is about to exit.
      await systemClock.sleep(TRY_AGAIN_MS)
    }
  }
}

/** Connects the window to the host that owns the data folder: `pulseward serve`, or briefly another command. */
async function foreignConnection(
  { port, token }: { readonly port: number; readonly token: string },
  places: HostPlaces,
  version: string,
  notifier: Notifier,
  log: Log,
): Promise<Connection> {
  const url = `http://127.0.0.1:${port}`
  const pageUrl = async () => {
    const code = await oneTimeCode(url, token, log)
    return code === null ? null : `${url}/?code=${code}`
  }
  return {
    log,
    ...remoteConnection(url, token, notifier),
    pageUrl: (await pageUrl()) ?? `${url}/`,
    renewPageUrl: pageUrl,
    takeOver: async () => {
      try {
        return await ownConnection(places, version, notifier, log)
      } catch (error) {
        if (error instanceof RequestProblem) return null
        throw error
      }
    },
  }
}
async function ownConnection(
  { data, pageDirectory, sampleDirectory, reportServer }: HostPlaces,
  version: string,
  notifier: Notifier,
  log: Log,
): Promise<Connection> {
  const host = await createHost({
    dataDirectory: data,
    version,
    clock: systemClock,
    log,
    notifier,
    pageDirectory,
    sampleDirectory,
    reportServer,
    scheduled: true,
    desktop: createDesktopIntegration(),
  })
  return {
    log,
    client: host.client,
    pageUrl: null,
    servePage: host.servePort,
    // Our own host calls the notifier itself.
    onNotification: () => {},
    onSettings: () => {},
    onQuit: host.stop,
  }
}

/** Returns `null` if no code is available now: during an attempt, a program not started from a terminal doesn't get one. */
async function oneTimeCode(url: string, token: string, log: Log): Promise<string | null> {
  try {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/session/code`, { method: 'POST', headers })
    const body = (await answer.json()) as { code?: unknown }
    if (answer.ok && typeof body.code === 'string') return body.code
    log.warn('The host gave no code for its page', { status: answer.status, body })
  } catch (error) {
    log.warn('The host gave no code for its page', { error: String(error) })
  }
  return null
}

/** Connects to the host of another process. It has no desktop, so ours shows what it reports to its clients. */
function remoteConnection(
  url: string,
  token: string,
  notifier: Notifier,
): Omit<Connection, 'log' | 'pageUrl'> {
  let { notifications } = settingsSchema.parse({})
  const gate = createNotificationGate({
    notifier,
    emit: () => {},
    clock: systemClock,
    settings: () => notifications,
  })
  let count = 0
  return {
    client: createHttpClient<ApiClient>({ url, token }),
    servePage: () => {},
    onNotification: ({ about, workspace, task, title, body }) => {
      count += 1
      const subject = {
        about,
        workspaceId: workspace,
        title,
        body,
        ...(task === null ? {} : { taskId: task }),
      }
      // The other host already sends each notification only once.
      gate.notify({ key: String(count), ...subject })
    },
    onSettings: (settings) => {
      notifications = settings.notifications
      gate.settingsChanged()
    },
    onQuit: gate.stop,
  }
}
