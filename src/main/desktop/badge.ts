import { join } from 'node:path'
import { app, BrowserWindow, nativeImage } from 'electron'
import { needsInWords } from '../../core/vocabulary/need.ts'

/** Numbers that are drawn for the taskbar; more is `9+`. */
const LARGEST_DRAWN = 9

/** Shows how many things wait for the operator, where the system has a place for that: dock, launcher or taskbar. */
export function showBadge(count: number, iconsDirectory: string): void {
  if (process.platform !== 'win32') {
    app.setBadgeCount(count)
    return
  }
  const name = count > LARGEST_DRAWN ? 'more' : String(count)
  const image = count === 0 ? null : nativeImage.createFromPath(join(iconsDirectory, 'badge', `${name}.png`))
  for (const window of BrowserWindow.getAllWindows()) window.setOverlayIcon(image, needsInWords(count))
}
