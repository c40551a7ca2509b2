import { BrowserWindow, nativeTheme, type Rectangle, screen } from 'electron'
import { GLANCE } from './address.ts'
import { offerContextMenu } from './context-menu.ts'
import { glanceAnchor, glancePlace } from './glance-place.ts'
import { hashOf, renewRefused, type ShownPage, servePages, withAddress } from './window-page.ts'

/** At 100 % zoom. */
const SIZE = { width: 380, height: 520 }

/** The click on the shield that closes the window takes the focus from it first: it is not the one that opens it again. */
const SAME_CLICK_MS = 300

interface GlanceOptions {
  readonly webPreferences: Electron.WebPreferences
  readonly page: () => ShownPage | null
  /** Percent. */
  readonly zoom: () => number
  readonly isQuitting: () => boolean
  readonly nowMs: () => number
  /** Brings up the app's window at an address. */
  readonly show: (address: string) => void
}

/** The small window at the tray. It comes with the first click, and is hidden as soon as one looks elsewhere. */
export interface GlanceWindow {
  /** Opens it at the shield, whose bounds are empty where the system does not tell them; closes it where it is open. */
  toggle(tray: Rectangle): void
  hide(): void
  /** The page comes from elsewhere now. */
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
    // Linux knows no `skipTaskbar`: this kind of window is in no list of windows there.
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
  // The next click creates a new window; nothing in it can be lost.
  const end = (): void => void setImmediate(() => window.destroy())
  window.webContents.on('render-process-gone', end)
  window.on('unresponsive', end)
}

/** Its links lead to the app's window; it shows what it showed. */
function leadElsewhere(window: BrowserWindow, go: (address: string) => void): void {
  window.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
    const address = hashOf(url)
    if (!isMainFrame || address === GLANCE) return
    go(address)
    void window.loadURL(withAddress(url, GLANCE))
  })
}
