import { join } from 'node:path'
import { app, BrowserWindow, nativeImage } from 'electron'
import { needsInWords } from '../../core/vocabulary/need.ts'

/** The largest number that is drawn for the taskbar; above it the badge shows `9+`. */
const LARGEST_DRAWN = 9

/** Shows how many things need the operator on the dock, launcher or taskbar, if the system supports that. */
export function showBadge(count: number, iconsDirectory: string): void {
  if (process.platform !== 'win32') {
    app.setBadgeCount(count)
    return
  }
  const name = count > LARGEST_DRAWN ? 'more' : String(count)
  const image = count === 0 ? null : nativeImage.createFromPath(join(iconsDirectory, 'badge', `${name}.png`))
  for (const window of BrowserWindow.getAllWindows()) window.setOverlayIcon(image, needsInWords(count))
}
