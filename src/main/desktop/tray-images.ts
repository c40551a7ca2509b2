import { join } from 'node:path'
import { nativeImage, nativeTheme } from 'electron'
import type { ShieldLevel } from '../../core/vocabulary/standing.ts'
import { shieldDrawn } from '../../core/vocabulary/unreviewed.ts'

/** What a shield shows: a standing, and how many contradictions have not been reviewed. */
interface Shown {
  readonly shield: ShieldLevel
  readonly unreviewed: number
}

/**
 * The shield for this system's panel; the @2x beside each file is found by its name. macOS wants 16 px in black with an alpha
 * channel ("template") and colors it itself, Windows 16 px, Linux panels 22 px.
 */
export function trayImage(iconsDirectory: string, { shield, unreviewed }: Shown): Electron.NativeImage {
  return nativeImage.createFromPath(join(iconsDirectory, 'tray', trayImageName(fileName(shield, unreviewed))))
}

/** The shield beside a line of a menu. */
export function menuImage(iconsDirectory: string, { shield, unreviewed }: Shown): Electron.NativeImage {
  const theme = nativeTheme.shouldUseDarkColors ? 'dark' : 'light'
  return nativeImage.createFromPath(
    join(iconsDirectory, 'tray', `${fileName(shield, unreviewed)}-16-${theme}.png`),
  )
}

/** As `npm run icons` names the drawings. */
function fileName(shield: ShieldLevel, unreviewed: number): string {
  return unreviewed === 0 ? shield : `${shieldDrawn(shield, unreviewed)}-unreviewed`
}

function trayImageName(name: string): string {
  if (process.platform === 'darwin') return `${name}Template.png`
  const size = process.platform === 'win32' ? '16' : '22'
  return `${name}-${size}-${nativeTheme.shouldUseDarkColors ? 'dark' : 'light'}.png`
}
