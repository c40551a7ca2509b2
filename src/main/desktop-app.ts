import { access, constants, mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, clipboard, dialog } from 'electron'
import { linkAddress, linkAmong } from './desktop/address.ts'
import { type Desktop, startDesktop, windowStateDirectory } from './desktop/desktop.ts'
import { createDesktopNotifier, type NotificationActions } from './desktop/notifications.ts'
import { PAGE_URL, servePage } from './desktop/page-protocol.ts'
import { dropOldCrashReports } from './host/crash-reports.ts'
import { catchMistakes, lateLog } from './host/mistakes.ts'
import { systemClock } from './host/system-clock.ts'

/*
 * Composes the desktop app. `--hidden` starts it in the tray; a `pulseward://` link opens its screen.
 */
interface Directories {
  /** The folder with the user's data. */
  readonly data: string
  /** The build's folder, with `main`, `preload` and `renderer`. */
  readonly built: string
  /** The command's folder, which has real files (the build may be in an archive): scripts to start, icons, the sample. */
  readonly command: string
}

/** By then the app is usually on the screen. */
const CLEAN_UP_MS = 30_000

/** Runs the app over a data folder; a second instance only shows the window of the first. */
export function runDesktopApp(directories: Directories): void {
  if (!app.requestSingleInstanceLock()) {
    void quitUnlessObstructed(directories.data)
    return
  }
  catchMistakes({
    log: lateLog(directories.data),
    show: createMistakeBox(),
    // The window shows the state of the host; a failing menu must not stop a running agent.
    end: () => {},
  })
  let desktop: Desktop | null = null
  // If a link arrives before the window exists, the window opens at it.
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
    // The app stays in the tray.
  })
  // A checkout does not register itself with the system.
  if (app.isPackaged) app.setAsDefaultProtocolClient('pulseward')
  app
    .whenReady()
    .then(() => {
      setTimeout(() => void dropOldCrashReports(directories.data), CLEAN_UP_MS).unref()
      desktop = start(directories, address, {
        show,
        answer: (id, answer) => desktop?.answer(id, answer),
      })
    })
    .catch(fail)
}

function start(
  { data, built, command }: Directories,
  address: string | null,
  actions: NotificationActions,
): Desktop {
  const pageDirectory = join(built, 'renderer')
  const resources = join(command, 'resources')
  servePage(pageDirectory)
  app.setAboutPanelOptions({
    applicationName: 'Pulseward',
    applicationVersion: app.getVersion(),
    copyright: 'The Pulseward developers. MIT license.',
    iconPath: join(resources, 'icon.png'),
  })
  const developmentUrl = process.env.ELECTRON_RENDERER_URL
  return startDesktop({
    pageUrl: developmentUrl ?? PAGE_URL,
    preload: join(built, 'preload/index.cjs'),
    resourcesDirectory: resources,
    stateDirectory: windowStateDirectory(data),
    startHidden: app.commandLine.hasSwitch('hidden'),
    address,
    isDevelopment: developmentUrl !== undefined,
    clock: systemClock,
    connect: async () => {
      const { connectHost } = await import('./connect-host.ts')
      const places = {
        data,
        pageDirectory,
        sampleDirectory: join(resources, 'sample'),
        reportServer: join(command, 'out/main/report-server.js'),
      }
      return connectHost(places, app.getVersion(), createDesktopNotifier(actions))
    },
    copyDiagnostics: () => {
      const request = { version: app.getVersion(), command, dataDirectory: data, home: homedir() }
      void import('./host/diagnostics.ts')
        .then(({ diagnostics }) => diagnostics(request))
        .then((text) => clipboard.writeText(text))
    },
    onFailure: fail,
  })
}

/**
 * Returns a function that shows errors in a box that does not block. An error box would stop the whole process, with every heartbeat, until
 * someone closes it. Shows one at a time, and none once the app is quitting.
 */
function createMistakeBox(): (message: string) => void {
  let isSilent = false
  app.on('before-quit', () => {
    isSilent = true
  })
  return (message) => {
    console.error(`pulseward: ${message}`)
    if (isSilent || !app.isReady()) return
    isSilent = true
    const box = { type: 'error', title: 'Pulseward', message } as const
    dialog.showMessageBox(box).then(
      () => {
        isSilent = false
      },
      // The app may be quitting.
      () => undefined,
    )
  }
}

/**
 * Quits a second instance. If the lock's folder can't be used, even a first instance looks like a second one, and would quit without an
 * explanation.
 */
async function quitUnlessObstructed(dataDirectory: string): Promise<void> {
  try {
    const directory = windowStateDirectory(dataDirectory)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await access(directory, constants.W_OK)
    app.quit()
  } catch (error) {
    const { storageError } = await import('./files/storage-error.ts')
    await app.whenReady()
    fail(storageError('use the data folder', dataDirectory, error))
  }
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`pulseward: ${message}`)
  dialog.showErrorBox('Pulseward could not start', message)
  app.exit(3)
}
