import { join } from 'node:path'
import { nativeImage, nativeTheme } from 'electron'
import type { ShieldLevel } from '../../core/vocabulary/standing.ts'

/**
 * The shield for this system's panel; the @2x beside each file is found by its name. macOS wants 16 px in black with an alpha
 * channel ("template") and colours them itself, Windows 16 px, the panels of Linux 22 px.
 */
export function trayImage(iconsDirectory: string, shield: ShieldLevel): Electron.NativeImage {
  return nativeImage.createFromPath(join(iconsDirectory, 'tray', trayImageName(shield)))
}

/** The shield beside a line of a menu. */
export function menuImage(iconsDirectory: string, shield: ShieldLevel): Electron.NativeImage {
  const theme = nativeTheme.shouldUseDarkColors ? 'dark' : 'light'
  return nativeImage.createFromPath(join(iconsDirectory, 'tray', `${shield}-16-${theme}.png`))
}

function trayImageName(shield: ShieldLevel): string {
  if (process.platform === 'darwin') return `${shield}Template.png`
  const size = process.platform === 'win32' ? '16' : '22'
  return `${shield}-${size}-${nativeTheme.shouldUseDarkColors ? 'dark' : 'light'}.png`
}
