import { join } from 'node:path'
import { BrowserWindow, nativeImage, nativeTheme, type Rectangle, screen } from 'electron'
import { offerContextMenu } from './context-menu.ts'
import { createGlanceWindow } from './glance-window.ts'
import { recoverPage } from './page-recovery.ts'
import { ownTitleBar } from './title-bar.ts'
import {
  goTo,
  hashOf,
  renewRefused,
  type ShownPage,
  servePages,
  showOnceDrawn,
  withAddress,
} from './window-page.ts'
import { MIN_SIZE, openingBounds, type WindowStateStore } from './window-state.ts'

export interface WindowsOptions {
  readonly preload: string
  readonly iconsDirectory: string
  /** True once the app is quitting: then the last window really closes. */
  readonly isQuitting: () => boolean
  readonly nowMs: () => number
  /** Called when the last window is closed for the first time ever, while the app keeps running. */
  readonly onFirstHide: () => void
  readonly state: Pick<WindowStateStore, 'read' | 'write'>
}

/** All windows, which are of the same kind except the one at the tray. Closing the last one only hides it: the app stays in the tray. */
export interface Windows {
  /** Sets the page to show, with what it needs. */
  connect(page: ShownPage): void
  /** Opens the first window, shown once it has something to show, or not at all if `hidden`. */
  open(address: string | null, hidden: boolean): BrowserWindow
  openAnother(): void
  /** Shows the window used last, at an address if one is given. */
  show(address?: string): void
  /** Opens the small window at the shield, or closes it. */
  toggleGlance(tray: Rectangle): void
  /** Returns the window used last, other than the one at the tray. */
  current(): BrowserWindow | null
  setZoom(percent: number): void
  /** Reloads the page in all windows, each at its address, after its source has changed. */
  reload(): void
  /** Saves the positions of windows that were just moved, and hides them all. */
  hideAll(): void
}

/** How far from the current window a new one opens, in pixels. */
const OFFSET = 28
const SAVE_AFTER_MS = 300

/** What all windows show. */
interface Shown {
  page: ShownPage | null
  /** Percent. */
  zoom: number
  /** Functions that save the position of a window that was just moved. */
  readonly unsaved: Set<() => void>
}

export function createWindows(options: WindowsOptions): Windows {
  const { state } = options
  /** The window used last is at the end. */
  const windows: BrowserWindow[] = []
  const shown: Shown = { page: null, zoom: state.read().zoom, unsaved: new Set() }
  // While windows are being closed, events still arrive for those that are gone.
  const current = (): BrowserWindow | null => windows.findLast((window) => isThere(window)) ?? null

  const create = (bounds: Partial<Rectangle>): BrowserWindow => createWindow(options, windows, shown, bounds)
  const show = (address?: string): void => {
    const window = current()
    if (window === null) return
    if (address !== undefined) goTo(window, shown.page?.url ?? '', address)
    bringUp(window)
  }
  const glance = createGlanceWindow({
    ...options,
    webPreferences: webPreferences(options.preload),
    page: () => shown.page,
    zoom: () => shown.zoom,
    show,
  })
  return {
    connect: (next) => {
      shown.page = next
    },
    open: (address, hidden) => {
      const { bounds, maximized } = state.read()
      const window = create(openingBounds(bounds, screen.getAllDisplays()))
      if (maximized && !hidden) window.maximize()
      if (!hidden) showOnceDrawn(window)
      void window.loadURL(withAddress(shown.page?.url ?? '', address))
      return window
    },
    openAnother: () => {
      const from = current()
      const { x = 0, y = 0, ...size } = from?.getNormalBounds() ?? {}
      const window = create({ ...size, x: x + OFFSET, y: y + OFFSET })
      showOnceDrawn(window)
      const address = from === null ? '' : hashOf(from.webContents.getURL())
      void window.loadURL(withAddress(shown.page?.url ?? '', address))
    },
    show,
    toggleGlance: glance.toggle,
    current,
    setZoom: (percent) => {
      shown.zoom = percent
      state.write({ zoom: percent })
      for (const window of windows) window.webContents.setZoomFactor(percent / 100)
    },
    reload: () => {
      for (const { webContents } of windows) {
        void webContents.loadURL(withAddress(shown.page?.url ?? '', hashOf(webContents.getURL())))
      }
      glance.reload()
    },
    hideAll: () => {
      glance.hide()
      for (const save of [...shown.unsaved]) save()
      for (const window of windows) window.hide()
    },
  }
}

function createWindow(
  options: WindowsOptions,
  windows: BrowserWindow[],
  shown: Shown,
  bounds: Partial<Rectangle>,
): BrowserWindow {
  const window = newWindow(options, bounds)
  servePages(window, () => shown.page?.serve)
  rememberBounds(window, options.state, shown.unsaved)
  recoverPage(window, options)
  renewRefused(window, () => shown.page)
  offerContextMenu(window)
  ownTitleBar.follow(window)
  window.webContents.on('did-finish-load', () => window.webContents.setZoomFactor(shown.zoom / 100))
  keepAmong(windows, window, options)
  return window
}

/** Keeps the window used last at the end of the list, and hides the last window instead of closing it. */
function keepAmong(windows: BrowserWindow[], window: BrowserWindow, options: WindowsOptions): void {
  windows.push(window)
  window.on('focus', () => {
    windows.push(...windows.splice(windows.indexOf(window), 1))
  })
  window.on('close', (event) => {
    if (options.isQuitting() || windows.length > 1) return
    event.preventDefault()
    hideLast(window, options)
  })
  window.on('closed', () => {
    const index = windows.indexOf(window)
    if (index !== -1) windows.splice(index, 1)
  })
}

function bringUp(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** Hides the last window; the first time, says that the app stays in the tray. */
function hideLast(window: BrowserWindow, { state, onFirstHide }: WindowsOptions): void {
  window.hide()
  if (state.read().notifiedOfTray) return
  state.write({ notifiedOfTray: true })
  onFirstHide()
}

/** Returns whether the window and its page still exist. */
function isThere(window: BrowserWindow): boolean {
  // When a window closes, its page is destroyed first.
  const contents: Electron.WebContents | null = window.isDestroyed() ? null : window.webContents
  return contents?.isDestroyed() === false
}

function newWindow({ preload, iconsDirectory }: WindowsOptions, bounds: Partial<Rectangle>) {
  return new BrowserWindow({
    ...bounds,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    title: 'Pulseward',
    autoHideMenuBar: true,
    ...ownTitleBar.options(),
    icon: nativeImage.createFromPath(join(iconsDirectory, 'icon.png')),
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#131519' : '#fdfdfc',
    webPreferences: webPreferences(preload),
  })
}

/** Returns what every window's page is allowed to do: draw itself and use its port, nothing else. */
function webPreferences(preload: string): Electron.WebPreferences {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    spellcheck: false,
  }
}

function rememberBounds(
  window: BrowserWindow,
  state: WindowsOptions['state'],
  unsaved: Shown['unsaved'],
): void {
  let timer: NodeJS.Timeout | null = null
  const save = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    unsaved.delete(save)
    if (window.isDestroyed()) return
    state.write({ bounds: window.getNormalBounds(), maximized: window.isMaximized() })
  }
  const saveSoon = (): void => {
    unsaved.add(save)
    timer ??= setTimeout(save, SAVE_AFTER_MS)
  }
  window.on('resize', saveSoon)
  window.on('move', saveSoon)
  window.on('maximize', saveSoon)
  window.on('unmaximize', saveSoon)
  window.on('close', save)
}
