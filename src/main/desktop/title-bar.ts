import { type BrowserWindow, type BrowserWindowConstructorOptions, Menu, nativeTheme } from 'electron'

/** At 100 % zoom; the page draws what is between the window's edge and its buttons (`title-bar.tsx`). */
const HEIGHT = 32

/** As `--sidebar` and `--text-quiet` of the page's tokens. */
const COLOURS = {
  light: { color: '#f5f5f3', symbolColor: '#4b5565' },
  dark: { color: '#0d0f12', symbolColor: '#a9b1bd' },
}

/** macOS and Windows draw their own in the app's theme. On Linux the window manager's keeps one theme, whatever the app's is. */
const isOwn = process.platform === 'linux'

const overlay = () => ({ ...COLOURS[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'], height: HEIGHT })

/** The title bar in the theme of the app, where the system does not bring one. */
export const ownTitleBar = {
  options: (): BrowserWindowConstructorOptions =>
    isOwn ? { titleBarStyle: 'hidden', titleBarOverlay: overlay() } : {},
  follow: (window: BrowserWindow): void => {
    if (!isOwn) return
    const recolour = (): void => window.setTitleBarOverlay(overlay())
    nativeTheme.on('updated', recolour)
    window.on('closed', () => nativeTheme.off('updated', recolour))
    openMenuByAlt(window)
  },
}

/** A window without the system's title bar has no menu bar either: Alt, pressed alone, opens the same menu below the title. */
function openMenuByAlt(window: BrowserWindow): void {
  let isAlone = false
  window.webContents.on('before-input-event', (_event, { type, key, isAutoRepeat }) => {
    if (key !== 'Alt') isAlone = false
    else if (type === 'keyDown') isAlone ||= !isAutoRepeat
    else if (isAlone) {
      isAlone = false
      Menu.getApplicationMenu()?.popup({ window, x: 0, y: HEIGHT })
    }
  })
  const isNotAlone = (): void => {
    isAlone = false
  }
  window.webContents.on('before-mouse-event', isNotAlone)
  window.on('blur', isNotAlone)
}
