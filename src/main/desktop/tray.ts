import { app, Menu, type MenuItemConstructorOptions, nativeTheme, Tray } from 'electron'
import { EMPTY_VIEW, type HostView } from './follow-host.ts'
import { menuImage, trayImage } from './tray-images.ts'
import { type TrayActions, trayMenu } from './tray-menu.ts'
import { trayState } from './tray-state.ts'

export interface DesktopTray {
  update(view: HostView): void
  /** The host does not answer: what is shown may be old. */
  lost(): void
  destroy(): void
}

/** The shield in the tray. Each change is also told as the app's event `pulseward-tray`, which tests listen to. */
export function createTray(iconsDirectory: string, actions: TrayActions): DesktopTray {
  let { shield } = trayState(EMPTY_VIEW)
  const tray = new Tray(trayImage(iconsDirectory, shield))
  const drawAgain = (): void => tray.setImage(trayImage(iconsDirectory, shield))
  let shownMenu = ''
  const update = (view: HostView): void => {
    const state = trayState(view)
    if (state.shield !== shield) {
      shield = state.shield
      drawAgain()
    }
    tray.setToolTip(state.tooltip)
    if (process.platform === 'darwin') tray.setTitle(state.title, { fontType: 'monospacedDigit' })
    const template = trayMenu(view, actions)
    const words = JSON.stringify(template)
    // A menu that is open closes when it is replaced: only where it says something else.
    if (words !== shownMenu) {
      shownMenu = words
      const menu = Menu.buildFromTemplate(withShields(template, view, iconsDirectory))
      tray.setContextMenu(menu)
      app.emit('pulseward-tray-menu', menu)
    }
    app.emit('pulseward-tray', state)
  }
  tray.on('click', () => actions.show())
  nativeTheme.on('updated', drawAgain)
  update(EMPTY_VIEW)
  return {
    update,
    lost: () => tray.setToolTip('Pulseward: the process that owns the data folder does not answer'),
    destroy: () => {
      nativeTheme.off('updated', drawAgain)
      tray.destroy()
    },
  }
}

/** Each workspace's shield beside its name. */
function withShields(
  template: readonly MenuItemConstructorOptions[],
  { workspaces }: HostView,
  iconsDirectory: string,
): MenuItemConstructorOptions[] {
  const shields = new Map(workspaces.map(({ id, shield }) => [`workspace:${id}`, shield]))
  return template.map((item) => {
    const shield = shields.get(item.id ?? '')
    return shield === undefined ? item : { ...item, icon: menuImage(iconsDirectory, shield) }
  })
}
