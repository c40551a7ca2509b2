import { BrowserWindow, nativeTheme, type Rectangle, screen } from 'electron'
import { GLANCE } from './address.ts'
import { offerContextMenu } from './context-menu.ts'
import { glanceAnchor, glancePlace } from './glance-place.ts'
import { hashOf, renewRefused, type ShownPage, servePages, withAddress } from './window-page.ts'

/** Size at 100 % zoom. */
const SIZE = { width: 380, height: 520 }

/**
 * The click on the shield that closes the window first takes its focus, which hides it; within this time, that click must not reopen it.
 */
const SAME_CLICK_MS = 300

interface GlanceOptions {
  readonly webPreferences: Electron.WebPreferences
  readonly page: () => ShownPage | null
  /** Percent. */
  readonly zoom: () => number
  readonly isQuitting: () => boolean
  readonly nowMs: () => number
  /** Shows the app's window at an address. */
  readonly show: (address: string) => void
}

/** The small window at the tray. Created at the first click, and hidden as soon as it loses focus. */
export interface GlanceWindow {
  /** Opens it at the shield, with empty bounds if the system does not report them; closes it if it is open. */
  toggle(tray: Rectangle): void
  hide(): void
  /** Loads the page again, because its source has changed. */
  reload(): void
}

export function createGlanceWindow(options: GlanceOptions): GlanceWindow {
  const { page, zoom, nowMs } = options
  let window: BrowserWindow | null = null
  let hiddenAtMs = Number.NEGATIVE_INFINITY
  const hide = (): void => {
    if (window?.isVisible() !== true) return
    window.hide()
    hiddenAtMs = nowMs()
  }
  const load = (): void => void window?.loadURL(withAddress(page()?.url ?? '', GLANCE))
  const create = (): BrowserWindow => {
    const created = newWindow(options.webPreferences)
    servePages(created, () => page()?.serve)
    renewRefused(created, page)
    offerContextMenu(created)
    hideOnLeaving(created, hide, options.isQuitting)
    leadElsewhere(created, (address) => {
      hide()
      options.show(address)
    })
    created.webContents.on('did-finish-load', () => created.webContents.setZoomFactor(zoom() / 100))
    created.on('closed', () => {
      if (window === created) window = null
    })
    return created
  }
  return {
    toggle: (tray) => {
      if (window?.isVisible() === true) return hide()
      if (nowMs() - hiddenAtMs < SAME_CLICK_MS) return
      const isNew = window === null
      window ??= create()
      if (isNew) load()
      window.setBounds(placeAt(tray, zoom() / 100))
      window.show()
      window.focus()
    },
    hide,
    reload: load,
  }
}

function placeAt(tray: Rectangle, factor: number): Rectangle {
  const anchor = glanceAnchor(tray, screen.getCursorScreenPoint())
  const { workArea } = screen.getDisplayMatching(anchor)
  return glancePlace({ width: SIZE.width * factor, height: SIZE.height * factor }, anchor, workArea)
}

function newWindow(webPreferences: Electron.WebPreferences): BrowserWindow {
  return new BrowserWindow({
    ...SIZE,
    show: false,
    frame: false,
    resizable: false,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    skipTaskbar: true,
    // Linux has no `skipTaskbar`; there, this kind of window does not appear in window lists.
    ...(process.platform === 'linux' && { type: 'toolbar' }),
    alwaysOnTop: true,
    title: 'Pulseward',
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#131519' : '#fdfdfc',
    webPreferences,
  })
}

function hideOnLeaving(window: BrowserWindow, hide: () => void, isQuitting: () => boolean): void {
  window.on('blur', hide)
  window.webContents.on('before-input-event', (event, { type, key }) => {
    if (type !== 'keyDown' || key !== 'Escape') return
    event.preventDefault()
    hide()
  })
  window.on('close', (event) => {
    if (isQuitting()) return
    event.preventDefault()
    hide()
  })
  // The next click creates a new window; nothing can be lost.
  const end = (): void => void setImmediate(() => window.destroy())
  window.webContents.on('render-process-gone', end)
  window.on('unresponsive', end)
}

/** Opens links of the small window in the app's window; the small one keeps its content. */
function leadElsewhere(window: BrowserWindow, go: (address: string) => void): void {
  window.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
    const address = hashOf(url)
    if (!isMainFrame || address === GLANCE) return
    go(address)
    void window.loadURL(withAddress(url, GLANCE))
  })
}
