import { app, Menu, type MenuItemConstructorOptions, nativeTheme, type Rectangle, Tray } from 'electron'
import { EMPTY_VIEW, type HostView } from './follow-host.ts'
import { hasGlance } from './glance-place.ts'
import { menuImage, trayImage } from './tray-images.ts'
import { type TrayActions, trayMenu } from './tray-menu.ts'
import { trayState } from './tray-state.ts'

export interface DesktopTray {
  update(view: HostView): void
  /** Called when the host does not answer: what is shown may be outdated. */
  lost(): void
  destroy(): void
}

interface ShieldActions extends TrayActions {
  /** Opens the small window at the shield, or closes it. */
  readonly toggleGlance: (bounds: Rectangle) => void
}

/**
 * Creates the shield in the tray. A click opens the small window if the system supports it, otherwise the app's. Each change is also
 * emitted as the app's event `pulseward-tray`, for tests.
 */
export function createTray(iconsDirectory: string, actions: ShieldActions): DesktopTray {
  let shown = trayState(EMPTY_VIEW)
  const tray = new Tray(trayImage(iconsDirectory, shown))
  const drawAgain = (): void => tray.setImage(trayImage(iconsDirectory, shown))
  let shownMenu = ''
  const putUp = menuPlace(tray)
  const update = (view: HostView): void => {
    const state = trayState(view)
    const isSame = state.shield === shown.shield && state.unreviewed > 0 === shown.unreviewed > 0
    shown = state
    if (!isSame) drawAgain()
    tray.setToolTip(state.tooltip)
    if (process.platform === 'darwin') tray.setTitle(state.title, { fontType: 'monospacedDigit' })
    const template = trayMenu(view, actions)
    const words = JSON.stringify(template)
    // Replacing a menu closes it if it is open, so replace it only if its text has changed.
    if (words !== shownMenu) {
      shownMenu = words
      const menu = Menu.buildFromTemplate(withShields(template, view, iconsDirectory))
      putUp(menu)
      app.emit('pulseward-tray-menu', menu)
    }
    app.emit('pulseward-tray', state, tray)
  }
  tray.on('click', (_event, bounds) => (hasGlance() ? actions.toggleGlance(bounds) : actions.show()))
  tray.on('double-click', () => actions.show())
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

/** Returns a function that sets the menu. On macOS a set menu would open on every click, so there it opens only on a right click. */
function menuPlace(tray: Tray): (menu: Menu) => void {
  if (process.platform !== 'darwin') return (menu) => tray.setContextMenu(menu)
  let shown: Menu | undefined
  tray.on('right-click', () => tray.popUpContextMenu(shown))
  return (menu) => {
    shown = menu
  }
}

/** Adds each workspace's shield beside its name. */
function withShields(
  template: readonly MenuItemConstructorOptions[],
  { workspaces }: HostView,
  iconsDirectory: string,
): MenuItemConstructorOptions[] {
  const shields = new Map(workspaces.map((workspace) => [`workspace:${workspace.id}`, workspace]))
  return template.map((item) => {
    const shield = shields.get(item.id ?? '')
    return shield === undefined ? item : { ...item, icon: menuImage(iconsDirectory, shield) }
  })
}
