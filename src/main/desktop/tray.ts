import { join } from 'node:path'
import { app, Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { Workspace } from '../../api/schemas/workspace.ts'
import { formatSignedPoints } from '../../core/scoring/format.ts'
import { type Shield, type TrayState, trayState } from './tray-state.ts'

export interface TrayActions {
  readonly show: () => void
  readonly run: (workspace: string) => void
  readonly pause: (workspace: string) => void
  readonly resume: (workspace: string) => void
  readonly quit: () => void
}

export interface DesktopTray {
  readonly state: TrayState
  update(workspaces: readonly Workspace[]): void
  destroy(): void
}

/** The shield in the tray. Each change is also told as the app's event `pulseward-tray`, which tests listen to. */
export function createTray(iconsDirectory: string, actions: TrayActions): DesktopTray {
  let state = trayState([])
  const tray = new Tray(shieldImage(iconsDirectory, state.shield))
  tray.on('click', actions.show)
  const update = (workspaces: readonly Workspace[]): void => {
    const next = trayState(workspaces)
    if (next.shield !== state.shield) tray.setImage(shieldImage(iconsDirectory, next.shield))
    state = next
    tray.setToolTip(state.tooltip)
    tray.setContextMenu(Menu.buildFromTemplate(menuTemplate(workspaces, actions)))
    app.emit('pulseward-tray', state)
  }
  update([])
  return {
    get state() {
      return state
    },
    update,
    destroy: () => tray.destroy(),
  }
}

/** 22 px, with its @2x beside it, which Electron finds by name. */
function shieldImage(iconsDirectory: string, shield: Shield): Electron.NativeImage {
  return nativeImage.createFromPath(join(iconsDirectory, 'tray', `${shield}.png`))
}

function menuTemplate(workspaces: readonly Workspace[], actions: TrayActions): MenuItemConstructorOptions[] {
  return [
    { label: 'Show Pulseward', click: actions.show },
    { type: 'separator' },
    ...workspaces.map((workspace) => workspaceMenu(workspace, actions)),
    ...(workspaces.length > 0 ? [{ type: 'separator' as const }] : []),
    { label: 'Quit Pulseward', click: actions.quit },
  ]
}

function workspaceMenu(workspace: Workspace, actions: TrayActions): MenuItemConstructorOptions {
  return {
    label: `${workspace.name}  ${formatSignedPoints(workspace.score.score)} of ${workspace.score.target}`,
    submenu: [
      {
        label: workspace.running === null ? 'Run now' : 'Running…',
        enabled:
          workspace.running === null &&
          workspace.suspended === null &&
          workspace.trust !== 'unapproved' &&
          workspace.trust !== 'missing',
        click: () => actions.run(workspace.id),
      },
      workspace.paused === null
        ? { label: 'Pause', click: () => actions.pause(workspace.id) }
        : { label: 'Resume', click: () => actions.resume(workspace.id) },
    ],
  }
}
