import { join } from 'node:path'
import { createRouterClient } from '@orpc/server'
import { app, dialog } from 'electron'
import { createHttpClient } from '../api/client.ts'
import { settingsSchema } from '../api/schemas/settings.ts'
import { servePort } from './api/message-port.ts'
import { createRouter } from './api/router.ts'
import { linkAddress, linkAmong } from './desktop/address.ts'
import { type Connection, type Desktop, startDesktop, windowStateDirectory } from './desktop/desktop.ts'
import type { DesktopClient } from './desktop/desktop-client.ts'
import { createDesktopIntegration } from './desktop/integration.ts'
import { createDesktopNotifier } from './desktop/notifications.ts'
import { PAGE_URL, servePage } from './desktop/page-protocol.ts'
import { createFileLog } from './host/log.ts'
import { createNotificationGate } from './host/notification-gate.ts'
import { systemClock } from './host/system-clock.ts'
import { createHost } from './host.ts'
import { readServerFile } from './ledger/server-file.ts'
import type { Log } from './ports/log.ts'
import type { Notifier } from './ports/notifier.ts'
import { RequestProblem } from './ports/request-problem.ts'

/*
 * The desktop app: composition only. `--hidden` starts in the tray, a `pulseward://` link leads to its screen.
 */
interface Directories {
  /** Of the user's data. */
  readonly data: string
  /** Of the build: `main`, `preload` and `renderer` are in it. */
  readonly built: string
  /** Icons and the sample. */
  readonly resources: string
}

/** Runs the app over a data folder; a second instance only brings up the window of the first. */
export function runDesktopApp(directories: Directories): void {
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  let desktop: Desktop | null = null
  // A link that comes before the window is where the window begins.
  let address = linkAmong(process.argv)
  const show = (to?: string): void => {
    if (desktop === null) address = to ?? address
    else desktop.show(to)
  }
  app.on('second-instance', (_event, args) => show(linkAmong(args) ?? undefined))
  app.on('open-url', (event, link) => {
    event.preventDefault()
    show(linkAddress(link) ?? undefined)
  })
  app.on('window-all-closed', () => {
    // Stays in the tray.
  })
  // A checkout leaves the system as it is.
  if (app.isPackaged) app.setAsDefaultProtocolClient('pulseward')
  app
    .whenReady()
    .then(() => {
      desktop = start(directories, address, show)
    })
    .catch(fail)
}

function start(directories: Directories, address: string | null, show: (address: string) => void): Desktop {
  const log = createFileLog(directories.data, process.env)
  const pageDirectory = join(directories.built, 'renderer')
  servePage(pageDirectory)
  const connection = connect(directories, pageDirectory, log, createDesktopNotifier(show))
  connection.catch(fail)
  const developmentUrl = process.env.ELECTRON_RENDERER_URL
  return startDesktop({
    pageUrl: developmentUrl ?? PAGE_URL,
    preload: join(directories.built, 'preload/index.cjs'),
    resourcesDirectory: directories.resources,
    stateDirectory: windowStateDirectory(directories.data),
    startHidden: app.commandLine.hasSwitch('hidden'),
    address,
    isDevelopment: developmentUrl !== undefined,
    clock: systemClock,
    log,
    connection,
  })
}

/** A host of our own, or the one of the process that owns the data folder. */
async function connect(
  { data, built, resources }: Directories,
  pageDirectory: string,
  log: Log,
  notifier: Notifier,
): Promise<Connection> {
  try {
    const host = await createHost({
      dataDirectory: data,
      version: app.getVersion(),
      clock: systemClock,
      log,
      notifier,
      pageDirectory,
      sampleDirectory: join(resources, 'sample'),
      reportServer: join(built, 'main/report-server.js'),
      scheduled: true,
      desktop: createDesktopIntegration(),
    })
    const client: DesktopClient = createRouterClient(createRouter(host.service, log), { context: {} })
    return {
      client,
      pageUrl: null,
      servePage: (port) => servePort(port, host.service, log),
      // Our own host tells the notifier itself.
      onNotification: () => {},
      onSettings: () => {},
      onQuit: host.stop,
    }
  } catch (error) {
    const running = error instanceof RequestProblem ? await readServerFile(data) : null
    if (running === null) throw error
    // `pulseward serve` owns the data folder: the window looks at that one.
    return remoteConnection(`http://127.0.0.1:${running.port}`, running.token, notifier)
  }
}

/** The host of another process has no desktop: what it tells its clients is shown by ours. */
function remoteConnection(url: string, token: string, notifier: Notifier): Connection {
  let { notifications } = settingsSchema.parse({})
  const gate = createNotificationGate({
    notifier,
    emit: () => {},
    clock: systemClock,
    settings: () => notifications,
  })
  let count = 0
  return {
    client: createHttpClient({ url, token }),
    pageUrl: `${url}/?token=${token}`,
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
      // That each is told once is seen to where it comes from.
      gate.notify({ key: String(count), ...subject })
    },
    onSettings: (settings) => {
      notifications = settings.notifications
      gate.settingsChanged()
    },
    onQuit: gate.stop,
  }
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`pulseward: ${message}`)
  dialog.showErrorBox('Pulseward could not start', message)
  app.exit(3)
}
