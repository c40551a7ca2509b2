import { join } from 'node:path'
import { app, nativeTheme, powerMonitor, session } from 'electron'
import type { Workspace } from '../../core/read-model/workspace.ts'
import type { PermissionAnswer } from '../../core/vocabulary/permission.ts'
import type { Clock } from '../ports/clock.ts'
import { UPDATES, workspaceOfAddress } from './address.ts'
import { createAppMenu } from './app-menu.ts'
import { showBadge } from './badge.ts'
import { askBeforeQuitting, sayWhereItWent } from './farewell.ts'
import { EMPTY_VIEW, type HostView } from './follow-host.ts'
import { hardenWebContents, refusePermissions } from './hardening.ts'
import { createHostRequests, type HostRequests } from './host-requests.ts'
import { type Connection, ShownHost } from './shown-host.ts'
import { createTray } from './tray.ts'
import { trayState } from './tray-state.ts'
import { onceOnScreen } from './window-page.ts'
import { openWindowState } from './window-state.ts'
import { createWindows, type Windows } from './windows.ts'

export interface DesktopOptions {
  /** Our own page, shown until a host provides another. */
  readonly pageUrl: string
  readonly preload: string
  readonly resourcesDirectory: string
  /** The folder in which the state of windows is saved. */
  readonly stateDirectory: string
  readonly startHidden: boolean
  /** The screen to open first. */
  readonly address: string | null
  readonly isDevelopment: boolean
  readonly clock: Clock
  /** Starts the host, or connects to one; called once, after the window has been drawn. */
  readonly connect: () => Promise<Connection>
  /** Copies the information for a bug report to the clipboard. */
  readonly copyDiagnostics: () => void
  /** Called with the reason if there is no host. */
  readonly onFailure: (error: unknown) => void
}

export interface Desktop {
  /** Shows the window, at an address if one is given. */
  show(address?: string): void
  /** Answers an agent's permission request. */
  answer(permissionId: string, answer: PermissionAnswer): void
}

const SAME_WISH_MS = 1_000
/** An app that cannot be quit is worse than one that is cut off, which the next start repairs. */
const LATEST_END_MS = 30_000

/**
 * Creates tray, menu and window at once: the page draws its outline while the host opens its ledgers. The app quits only through `quit`,
 * never by closing the window.
 */
export function startDesktop(options: DesktopOptions): Desktop {
  const { clock, resourcesDirectory } = options
  const state = openWindowState(options.stateDirectory)
  let quitting = false
  let view: HostView = EMPTY_VIEW
  nativeTheme.themeSource = state.read().theme
  const host = new ShownHost({
    ownPageUrl: options.pageUrl,
    windows: () => windows,
    connect: () => drawn.then(options.connect),
    follower: {
      onView: (next) => {
        view = next
        tray.update(view)
        showBadge(trayState(view).attention, resourcesDirectory)
        menu.refresh()
      },
      onSettings: ({ theme, zoom }) => {
        nativeTheme.themeSource = theme
        state.write({ theme })
        windows.setZoom(zoom)
      },
      onLost: () => tray.lost(),
    },
    onFailure: options.onFailure,
    clock,
  })
  hardenWebContents(() => host.pageUrl)
  refusePermissions(session.defaultSession, () => host.pageUrl)

  const windows = createWindows({
    preload: options.preload,
    iconsDirectory: resourcesDirectory,
    isQuitting: () => quitting,
    nowMs: clock.monotonicMs,
    onFirstHide: () => void sayWhereItWent(),
    state,
  })
  host.showOwnPage()
  const firstWindow = windows.open(options.address, options.startHidden)
  const drawn = options.startHidden ? Promise.resolve() : onceOnScreen(firstWindow, clock)
  host.connect()

  const quit = askBeforeQuitting(
    () => view,
    () => app.quit(),
  )
  const requests = createHostRequests(() => host.connection)
  const tray = createTray(resourcesDirectory, {
    ...requests,
    show: windows.show,
    toggleGlance: windows.toggleGlance,
    nowMs: clock.nowMs,
    quit,
  })
  const menu = putUpMenu(windows, { ...requests, quit }, () => view, options)
  firstWindow.webContents.on('did-navigate-in-page', menu.refresh)
  app.on('activate', () => windows.show())
  quitWhenTold(clock)
  quitInOrder(async () => {
    quitting = true
    host.leave()
    tray.destroy()
    windows.hideAll()
    await Promise.all([host.quit(), state.written()])
  })
  return { show: windows.show, answer: requests.answer }
}

function putUpMenu(
  windows: Windows,
  requests: HostRequests & { readonly quit: () => void },
  view: () => HostView,
  { isDevelopment, copyDiagnostics }: Pick<DesktopOptions, 'isDevelopment' | 'copyDiagnostics'>,
): ReturnType<typeof createAppMenu> {
  const menu = createAppMenu(
    {
      show: windows.show,
      newWindow: windows.openAnother,
      zoom: requests.zoom,
      press: (keyCode, modifiers) => {
        const contents = windows.current()?.webContents
        contents?.sendInputEvent({ type: 'keyDown', keyCode, modifiers: [...modifiers] })
        contents?.sendInputEvent({ type: 'keyUp', keyCode, modifiers: [...modifiers] })
      },
      run: requests.run,
      stop: requests.stop,
      togglePause: ({ id, paused }) => (paused === null ? requests.pause([id], null) : requests.resume([id])),
      shownWorkspace: () => shownWorkspace(view(), windows.current()?.webContents.getURL() ?? ''),
      copyDiagnostics,
      checkForUpdates: () => void requests.checkForUpdates().then(() => windows.show(UPDATES)),
      quit: requests.quit,
    },
    isDevelopment,
  )
  menu.refresh()
  app.on('browser-window-focus', menu.refresh)
  app.on('web-contents-created', (_event, contents) => contents.on('did-navigate-in-page', menu.refresh))
  return menu
}

/**
 * Quits once everything that must end first has ended, or after `LATEST_END_MS` (the ledger is always consistent). A second request before
 * that quits at once.
 */
function quitInOrder(end: () => Promise<void>): void {
  let isEnding = false
  app.on('before-quit', (event) => {
    if (isEnding) return
    isEnding = true
    event.preventDefault()
    const orderly = Promise.resolve()
      .then(end)
      .catch((error: unknown) => console.error(`pulseward: could not end in order: ${String(error)}`))
    const late = new Promise((resolve) => setTimeout(resolve, LATEST_END_MS))
    void Promise.race([orderly, late]).finally(() => {
      // Flush the scores that the next start shows first: pages save them when they are hidden, but the browser writes them whenever it
      // likes.
      session.defaultSession.flushStorageData()
      app.exit(0)
    })
  })
}

/**
 * Quits cleanly on a signal, and at once on a later one. electron-store's handlers send the same signal again to end the process
 * immediately, so signals that arrive together count as one.
 */
function quitWhenTold(clock: Clock): void {
  // The operating system ends the session: running attempts are stopped and recorded as on any quit.
  powerMonitor.on('shutdown', () => app.quit())
  let askedAtMs = Number.NEGATIVE_INFINITY
  const quit = (): void => {
    if (clock.monotonicMs() - askedAtMs < SAME_WISH_MS) return
    askedAtMs = clock.monotonicMs()
    app.quit()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, quit)
}

/** Returns the workspace that a window at this address shows; the start screen shows the only one. */
function shownWorkspace({ workspaces }: HostView, url: string): Workspace | null {
  const id = workspaceOfAddress(url)
  const isStart = !url.includes('#') || url.endsWith('#') || url.endsWith('#/')
  if (id === null) return isStart && workspaces.length === 1 ? (workspaces[0] ?? null) : null
  return workspaces.find((workspace) => workspace.id === id) ?? null
}

/** Returns the folder in which the state of windows is saved for this data folder. */
export function windowStateDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'desktop')
}
