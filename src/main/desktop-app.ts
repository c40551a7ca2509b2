import { join } from 'node:path'
import { createRouterClient } from '@orpc/server'
import { app, dialog } from 'electron'
import { createHttpClient } from '../api/client.ts'
import { servePort } from './api/message-port.ts'
import { createRouter } from './api/router.ts'
import { type Desktop, startDesktop } from './desktop/desktop.ts'
import type { DesktopClient } from './desktop/desktop-client.ts'
import { createDesktopNotifier } from './desktop/notifications.ts'
import { PAGE_URL, servePage } from './desktop/page-protocol.ts'
import { createFileLog } from './host/log.ts'
import { systemClock } from './host/system-clock.ts'
import { createHost } from './host.ts'
import { readServerFile } from './ledger/server-file.ts'
import { RequestProblem } from './ports/request-problem.ts'

/*
 * The desktop app: composition only. `--hidden` starts in the tray.
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
  let show = (): void => {}
  app.on('second-instance', () => show())
  app.on('window-all-closed', () => {
    // Stays in the tray.
  })
  app
    .whenReady()
    .then(() => start(directories, () => show()))
    .then((desktop) => {
      show = desktop.show
    })
    .catch(fail)
}

async function start({ data, built, resources }: Directories, show: () => void): Promise<Desktop> {
  const pageDirectory = join(built, 'renderer')
  const log = createFileLog(data, process.env)
  const shared = {
    preload: join(built, 'preload/index.cjs'),
    resourcesDirectory: resources,
    startHidden: app.commandLine.hasSwitch('hidden'),
    clock: systemClock,
    log,
  }
  try {
    const host = await createHost({
      dataDirectory: data,
      version: app.getVersion(),
      clock: systemClock,
      log,
      notifier: createDesktopNotifier(show),
      pageDirectory,
      sampleDirectory: join(resources, 'sample'),
      scheduled: true,
    })
    servePage(pageDirectory)
    const client: DesktopClient = createRouterClient(createRouter(host.service, log), { context: {} })
    return startDesktop({
      ...shared,
      client,
      pageUrl: process.env.ELECTRON_RENDERER_URL ?? PAGE_URL,
      servePage: (port) => servePort(port, host.service, log),
      onQuit: host.stop,
    })
  } catch (error) {
    const running = error instanceof RequestProblem ? await readServerFile(data) : null
    if (running === null) throw error
    // `pulseward serve` owns the data folder: the window looks at that one.
    const url = `http://127.0.0.1:${running.port}`
    return startDesktop({
      ...shared,
      client: createHttpClient({ url, token: running.token }),
      pageUrl: `${url}/?token=${running.token}`,
      servePage: () => {},
      onQuit: async () => {},
    })
  }
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`pulseward: ${message}`)
  dialog.showErrorBox('Pulseward could not start', message)
  app.exit(3)
}
