import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { app, BrowserWindow, dialog, powerMonitor, shell } from 'electron'
import type { DesktopIntegration } from '../ports/desktop-integration.ts'
import { autostartPath, setAutostart, startsAtLogin } from './autostart.ts'
import { installUpdate } from './install-update.ts'

/** Returns what the system around the app can do for the host: dialogs, the file manager, starting at login. */
export function createDesktopIntegration(): DesktopIntegration {
  const entry = autostartPath(process.env, homedir())
  const [program = process.execPath, ...args] = loginCommand()
  return {
    chooseFolder: async () => {
      const options = { properties: ['openDirectory', 'createDirectory'] as const, title: 'Choose a folder' }
      const window = BrowserWindow.getFocusedWindow()
      const settings = { ...options, properties: [...options.properties] }
      const { canceled, filePaths } = await (window === null
        ? dialog.showOpenDialog(settings)
        : dialog.showOpenDialog(window, settings))
      return canceled ? null : (filePaths[0] ?? null)
    },
    openPath: async (path) => {
      const problem = await shell.openPath(path)
      if (problem !== '') throw new Error(problem)
    },
    installUpdate,
    onBattery: () => powerMonitor.isOnBatteryPower(),
    startsAtLogin: () => {
      if (process.platform === 'linux') return startsAtLogin(entry)
      return app.getLoginItemSettings({ path: program, args }).openAtLogin
    },
    setStartAtLogin: async (enabled) => {
      if (process.platform === 'linux') return setAutostart(entry, [program, ...args], enabled)
      app.setLoginItemSettings({ openAtLogin: enabled, path: program, args })
    },
  }
}

/** Returns the command that starts this app in the tray, with its current data folder. */
function loginCommand(): string[] {
  const dataDirectory = app.commandLine.getSwitchValue('data-dir')
  return [
    // An AppImage runs from a mount that disappears when it ends.
    process.env.APPIMAGE ?? process.execPath,
    ...(app.isPackaged ? [] : [resolve(app.getAppPath())]),
    ...(app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : []),
    ...(dataDirectory === '' ? [] : [`--data-dir=${resolve(dataDirectory)}`]),
    '--hidden',
  ]
}
