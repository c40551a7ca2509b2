import { join } from 'node:path'
import { nativeImage, nativeTheme } from 'electron'
import type { ShieldLevel } from '../../core/vocabulary/standing.ts'
import { shieldDrawn } from '../../core/vocabulary/unreviewed.ts'

/** What a shield shows: a standing, and the number of unreviewed contradictions. */
interface Shown {
  readonly shield: ShieldLevel
  readonly unreviewed: number
}

/**
 * Returns the shield for this system's panel; Electron finds the @2x file beside it by name. macOS wants 16 px in black with an alpha
 * channel ("template") and colors it itself, Windows 16 px, Linux panels 22 px.
 */
export function trayImage(iconsDirectory: string, { shield, unreviewed }: Shown): Electron.NativeImage {
  return nativeImage.createFromPath(join(iconsDirectory, 'tray', trayImageName(fileName(shield, unreviewed))))
}

/** Returns the shield for a line of a menu. */
export function menuImage(iconsDirectory: string, { shield, unreviewed }: Shown): Electron.NativeImage {
  const theme = nativeTheme.shouldUseDarkColors ? 'dark' : 'light'
  return nativeImage.createFromPath(
    join(iconsDirectory, 'tray', `${fileName(shield, unreviewed)}-16-${theme}.png`),
  )
}

/** Returns the file name that `npm run icons` uses. */
function fileName(shield: ShieldLevel, unreviewed: number): string {
  return unreviewed === 0 ? shield : `${shieldDrawn(shield, unreviewed)}-unreviewed`
}

function trayImageName(name: string): string {
  if (process.platform === 'darwin') return `${name}Template.png`
  const size = process.platform === 'win32' ? '16' : '22'
  return `${name}-${size}-${nativeTheme.shouldUseDarkColors ? 'dark' : 'light'}.png`
}
