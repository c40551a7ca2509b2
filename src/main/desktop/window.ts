import { join } from 'node:path'
import { BrowserWindow, MessageChannelMain, type MessagePortMain, nativeImage, nativeTheme } from 'electron'

export interface MainWindowOptions {
  readonly url: string
  readonly preload: string
  readonly iconsDirectory: string
  /** Serves the API to a freshly loaded page over this port; answers with the function that ends it. */
  readonly serve: (port: MessagePortMain) => () => void
  /** Started at login: the window waits in the tray. */
  readonly startHidden: boolean
  /** True once the app is quitting: then the window really closes. */
  readonly isQuitting: () => boolean
}

/** The one window. Closing it hides it: the app lives on in the tray. */
export interface MainWindow {
  show(): void
  readonly browserWindow: BrowserWindow
}

export function createMainWindow(options: MainWindowOptions): MainWindow {
  const window = new BrowserWindow({
    width: 1180,
    height: 800,
    minWidth: 380,
    minHeight: 480,
    show: false,
    title: 'Pulseward',
    autoHideMenuBar: true,
    icon: nativeImage.createFromPath(join(options.iconsDirectory, 'icon.png')),
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#0f1115' : '#fbfbfa',
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  let endServing = (): void => {}
  window.webContents.on('did-finish-load', () => {
    endServing()
    const { port1, port2 } = new MessageChannelMain()
    endServing = options.serve(port1)
    window.webContents.postMessage('pulseward-port', null, [port2])
  })
  if (!options.startHidden) window.once('ready-to-show', () => window.show())
  window.on('close', (event) => {
    if (options.isQuitting()) return
    event.preventDefault()
    window.hide()
  })
  window.on('closed', () => endServing())
  void window.loadURL(options.url)
  return {
    browserWindow: window,
    show: () => {
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
  }
}
