import { homedir } from 'node:os'
import { join } from 'node:path'
import { createRouterClient } from '@orpc/server'
import { app, dialog } from 'electron'
import { createHttpClient } from '../api/client.ts'
import { servePort } from './api/message-port.ts'
import { createRouter } from './api/router.ts'
import { startDesktop } from './desktop/desktop.ts'
import type { DesktopClient } from './desktop/desktop-client.ts'
import { createDesktopNotifier } from './desktop/notifications.ts'
import { PAGE_URL, registerPageScheme, servePage } from './desktop/page-protocol.ts'
import { createFileLog } from './host/log.ts'
import { systemClock } from './host/system-clock.ts'
import { createHost, defaultDataDirectory } from './host.ts'
import { readServerFile } from './ledger/server-file.ts'
import { RequestProblem } from './ports.ts'

/*
 * The Electron entry: composition only. `--hidden` starts in the tray; `--data-dir=DIR` names another data folder.
 */
const dataDirectory =
  app.commandLine.getSwitchValue('data-dir') || defaultDataDirectory(process.env, homedir())
const resourcesDirectory = app.isPackaged
  ? join(process.resourcesPath, 'resources')
  : join(import.meta.dirname, '../../resources')
const pageDirectory = join(import.meta.dirname, '../renderer')
// Its own browser data per data folder, so that two data folders do not share a lock or a window state.
app.setPath('userData', join(dataDirectory, 'desktop'))

let show = (): void => {}
registerPageScheme()
if (app.requestSingleInstanceLock()) {
  app.on('second-instance', () => show())
  app.on('window-all-closed', () => {
    // Stays in the tray.
  })
  app.whenReady().then(start).catch(fail)
} else {
  app.quit()
}

async function start(): Promise<void> {
  const log = createFileLog(dataDirectory)
  const shared = {
    preload: join(import.meta.dirname, '../preload/index.cjs'),
    resourcesDirectory,
    startHidden: app.commandLine.hasSwitch('hidden'),
    clock: systemClock,
    log,
  }
  try {
    const host = await createHost({
      dataDirectory,
      version: app.getVersion(),
      clock: systemClock,
      log,
      notifier: createDesktopNotifier(() => show()),
      pageDirectory,
      sampleDirectory: join(resourcesDirectory, 'sample'),
      scheduled: true,
    })
    servePage(pageDirectory)
    const client: DesktopClient = createRouterClient(createRouter(host.service, log), { context: {} })
    const desktop = startDesktop({
      ...shared,
      client,
      pageUrl: process.env.ELECTRON_RENDERER_URL ?? PAGE_URL,
      servePage: (port) => servePort(port, host.service, log),
      onQuit: host.stop,
    })
    show = desktop.show
  } catch (error) {
    const running = error instanceof RequestProblem ? await readServerFile(dataDirectory) : null
    if (running === null) throw error
    // `pulseward serve` owns the data folder: the window looks at that one.
    const url = `http://127.0.0.1:${running.port}`
    const desktop = startDesktop({
      ...shared,
      client: createHttpClient({ url, token: running.token }),
      pageUrl: `${url}/?token=${running.token}`,
      servePage: () => {},
      onQuit: async () => {},
    })
    show = desktop.show
  }
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`pulseward: ${message}`)
  dialog.showErrorBox('Pulseward could not start', message)
  app.exit(3)
}
