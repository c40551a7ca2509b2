import { type BrowserWindow, MessageChannelMain, type MessagePortMain } from 'electron'
import type { Clock } from '../ports/clock.ts'

/* The page in a window: how it is loaded, served, shown and navigated. */

export interface ShownPage {
  readonly url: string
  /** Serves the API to a freshly loaded page; returns the function that ends that. */
  readonly serve: (port: MessagePortMain) => () => void
  /**
   * Returns another address of the same page, for when its host refused this one, because a code in an address works once. `null`: the host
   * gives none now.
   */
  readonly renew?: () => Promise<string | null>
}

const UNAUTHORIZED = 401
/** Delays before each attempt to renew an address; the last one repeats, because a host gives no code while an attempt runs. */
const RENEWAL_MS = [0, 1_000, 2_000, 5_000, 10_000]

/** Shows a new window once it has something to show. */
export function showOnceDrawn(window: BrowserWindow): void {
  void onceDrawn(window).then(() => {
    if (!window.isDestroyed()) window.show()
  })
}

/** A window that has drawn nothing by then may never do so; stop waiting. */
const LATEST_DRAWN_MS = 1_000

/**
 * Resolves when a new window's first drawing is on the screen, or when it takes too long. Loading the host waits for this: it is most of
 * the program, and while it loads, no file of the page can be served and nothing drawn.
 */
export function onceOnScreen({ webContents }: BrowserWindow, clock: Clock): Promise<void> {
  const drawn = new Promise<void>((resolve) => webContents.ipc.once('pulseward-drawn', () => resolve()))
  return Promise.race([drawn, clock.sleep(LATEST_DRAWN_MS)])
}

/**
 * Doesn't rely on `ready-to-show` alone, which comes with the first paint: on a busy machine a hidden window sometimes never paints,
 * and would then never be shown.
 */
function onceDrawn(window: BrowserWindow): Promise<void> {
  return new Promise((resolve) => {
    window.once('ready-to-show', () => resolve())
    window.webContents.once('did-finish-load', () => resolve())
  })
}

/** Gives each loaded page a port, and closes the previous page's. */
export function servePages(
  window: BrowserWindow,
  serve: () => ((port: MessagePortMain) => () => void) | undefined,
): void {
  let end = (): void => {}
  window.webContents.on('did-finish-load', () => {
    end()
    const { port1, port2 } = new MessageChannelMain()
    end = serve()?.(port1) ?? (() => {})
    window.webContents.postMessage('pulseward-port', null, [port2])
  })
  window.on('closed', () => end())
}

/** Opens a page that its host refuses at a new address, as soon as the host gives one. */
export function renewRefused(window: BrowserWindow, shown: () => ShownPage | null): void {
  let tries = 0
  let timer: NodeJS.Timeout | undefined
  const renewLater = (): void => {
    const page = shown()
    if (page?.renew === undefined) return
    const { renew } = page
    const isStill = () => !window.isDestroyed() && shown() === page
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!isStill()) return
      // No answer means that the host is gone; its follower handles that.
      renew().then(
        (url) => {
          if (!isStill()) return
          if (url === null) renewLater()
          else void window.webContents.loadURL(withAddress(url, hashOf(window.webContents.getURL())))
        },
        () => undefined,
      )
    }, RENEWAL_MS[tries] ?? RENEWAL_MS.at(-1))
    tries += 1
  }
  window.webContents.on('did-navigate', (_event, _url, status) => {
    clearTimeout(timer)
    if (status === UNAUTHORIZED) renewLater()
    else tries = 0
  })
  window.on('closed', () => clearTimeout(timer))
}

/** Changes only the part after `#`, so the page stays loaded and follows. */
export function goTo({ webContents }: BrowserWindow, pageUrl: string, address: string): void {
  const before = webContents.getURL()
  const after = withAddress(before === '' ? pageUrl : before, address)
  // Loading the same address again would reload the page.
  if (after !== before) void webContents.loadURL(after)
}

export function withAddress(url: string, address: string | null): string {
  if (address === null || address === '') return url
  return `${url.split('#')[0]}${address}`
}

export function hashOf(url: string): string {
  const at = url.indexOf('#')
  return at < 0 ? '' : url.slice(at)
}
