import { type BrowserWindow, type BrowserWindowConstructorOptions, Menu, nativeTheme } from 'electron'

/** Height at 100 % zoom; the page draws what is between the window's edge and its buttons (`title-bar.tsx`). */
const HEIGHT = 32

/** The same colors as the page's tokens `--sidebar` and `--text-quiet`. */
const COLOURS = {
  light: { color: '#f5f5f3', symbolColor: '#4b5565' },
  dark: { color: '#0d0f12', symbolColor: '#a9b1bd' },
}

/**
 * macOS and Windows draw title bars in the app's theme. On Linux, those of the window manager have one theme, whatever the app's is, so we
 * draw our own.
 */
const isOwn = process.platform === 'linux'

const overlay = () => ({ ...COLOURS[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'], height: HEIGHT })

/** The title bar in the app's theme, where the system does not provide one. */
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

/** Opens the menu below the title when Alt is pressed alone, because a window without the system's title bar has no menu bar. */
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
