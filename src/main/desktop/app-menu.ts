import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { HELP, OVERVIEW, SETTINGS, SETUP, workspaceAddress } from './address.ts'
import { canRun } from './tray-menu.ts'

export interface MenuActions {
  readonly show: (address: string) => void
  readonly newWindow: () => void
  /** Zooms by one step, or back to 100 %. */
  readonly zoom: (step: 1 | -1 | 0) => void
  /** Presses a key that the page itself handles, such as for the palette or the list of keys. */
  readonly press: (key: string, modifiers: readonly ('control' | 'meta')[]) => void
  readonly run: (workspace: string) => void
  /** Ends what is running; nothing is scored. */
  readonly stop: (workspace: string) => void
  /** Pauses until resumed, or resumes if paused. */
  readonly togglePause: (workspace: Workspace) => void
  /** Returns the workspace on the screen. */
  readonly shownWorkspace: () => Workspace | null
  readonly copyDiagnostics: () => void
  /** Reads the signed feed, and shows the result. */
  readonly checkForUpdates: () => void
  readonly quit: () => void
}

type Item = MenuItemConstructorOptions

const isMac = process.platform === 'darwin'
const TABS = ['Today', 'Contract', 'Timeline', 'Blocked', 'Agent', 'Setup'] as const

/** Sets the application menu; `refresh` updates which of its items are enabled. */
export function createAppMenu(actions: MenuActions, isDevelopment: boolean): { refresh(): void } {
  const menu = Menu.buildFromTemplate(template(actions, isDevelopment))
  Menu.setApplicationMenu(menu)
  const enable = (id: string, enabled: boolean): void => {
    const item = menu.getMenuItemById(id)
    if (item !== null) item.enabled = enabled
  }
  return {
    refresh: () => {
      const shown = actions.shownWorkspace()
      for (const tab of TABS) enable(`go:${tab.toLowerCase()}`, shown !== null)
      enable('run', shown !== null && canRun(shown))
      enable('stop', shown !== null && shown.running !== null)
      enable('pause', shown !== null && shown.paused === null)
      enable('resume', shown !== null && shown.paused !== null)
    },
  }
}

function template(actions: MenuActions, isDevelopment: boolean): Item[] {
  return [
    ...(isMac ? [{ role: 'appMenu' } satisfies Item] : []),
    fileMenu(actions),
    { role: 'editMenu' },
    viewMenu(actions, isDevelopment),
    goMenu(actions),
    workspaceMenu(actions),
    ...(isMac ? [{ role: 'windowMenu' } satisfies Item] : []),
    helpMenu(actions),
  ]
}

function fileMenu(actions: MenuActions): Item {
  return {
    label: '&File',
    submenu: [
      { id: 'new-window', label: 'New window', accelerator: 'CmdOrCtrl+Shift+N', click: actions.newWindow },
      {
        id: 'setup',
        label: 'Set up a folder…',
        accelerator: 'CmdOrCtrl+N',
        click: () => actions.show(SETUP),
      },
      { type: 'separator' },
      { role: 'close', accelerator: 'CmdOrCtrl+W' },
      ...(isMac
        ? []
        : [{ id: 'quit', label: 'Quit', accelerator: 'CmdOrCtrl+Q', click: actions.quit } satisfies Item]),
    ],
  }
}

function viewMenu(actions: MenuActions, isDevelopment: boolean): Item {
  return {
    label: '&View',
    submenu: [
      { id: 'zoom-in', label: 'Zoom in', accelerator: 'CmdOrCtrl+Plus', click: () => actions.zoom(1) },
      // The same key without Shift, on keyboards where `+` and `=` share a key.
      {
        id: 'zoom-in-too',
        label: 'Zoom in',
        accelerator: 'CmdOrCtrl+=',
        visible: false,
        acceleratorWorksWhenHidden: true,
        click: () => actions.zoom(1),
      },
      { id: 'zoom-out', label: 'Zoom out', accelerator: 'CmdOrCtrl+-', click: () => actions.zoom(-1) },
      { id: 'zoom-reset', label: 'Actual size', accelerator: 'CmdOrCtrl+0', click: () => actions.zoom(0) },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...(isDevelopment
        ? ([
            { role: 'reload', accelerator: 'CmdOrCtrl+Shift+R' },
            { role: 'toggleDevTools' },
          ] satisfies Item[])
        : []),
    ],
  }
}

function goMenu(actions: MenuActions): Item {
  const goToTab = (tab: string): void => {
    const workspace = actions.shownWorkspace()
    if (workspace !== null) actions.show(workspaceAddress(workspace.id, tab))
  }
  return {
    label: '&Go',
    submenu: [
      {
        id: 'palette',
        label: 'Find anything…',
        accelerator: 'CmdOrCtrl+K',
        // The page handles the key itself, so that it works the same in a browser.
        registerAccelerator: false,
        click: () => actions.press('K', [isMac ? 'meta' : 'control']),
      },
      { type: 'separator' },
      {
        id: 'go:overview',
        label: 'Overview',
        accelerator: 'CmdOrCtrl+Shift+O',
        click: () => actions.show(OVERVIEW),
      },
      ...TABS.map(
        (label, index): Item => ({
          id: `go:${label.toLowerCase()}`,
          label,
          accelerator: `CmdOrCtrl+${index + 1}`,
          click: () => goToTab(label.toLowerCase()),
        }),
      ),
      {
        id: 'go:settings',
        label: 'Settings',
        accelerator: 'CmdOrCtrl+,',
        click: () => actions.show(SETTINGS),
      },
    ],
  }
}

function workspaceMenu(actions: MenuActions): Item {
  const withShown = (act: (workspace: Workspace) => void) => (): void => {
    const workspace = actions.shownWorkspace()
    if (workspace !== null) act(workspace)
  }
  return {
    label: 'Work&space',
    submenu: [
      {
        id: 'run',
        label: 'Run now',
        accelerator: 'CmdOrCtrl+R',
        click: withShown(({ id }) => actions.run(id)),
      },
      {
        id: 'stop',
        label: 'Stop now',
        accelerator: 'CmdOrCtrl+Shift+S',
        click: withShown(({ id }) => actions.stop(id)),
      },
      {
        id: 'pause',
        label: 'Pause',
        accelerator: 'CmdOrCtrl+Shift+P',
        click: withShown(actions.togglePause),
      },
      {
        id: 'resume',
        label: 'Resume',
        accelerator: 'CmdOrCtrl+Shift+U',
        click: withShown(actions.togglePause),
      },
    ],
  }
}

function helpMenu(actions: MenuActions): Item {
  return {
    role: 'help',
    submenu: [
      { id: 'help', label: 'Documentation', accelerator: 'F1', click: () => actions.show(HELP) },
      {
        id: 'keys',
        label: 'Keyboard shortcuts',
        accelerator: 'CmdOrCtrl+/',
        registerAccelerator: false,
        click: () => actions.press('/', [isMac ? 'meta' : 'control']),
      },
      { id: 'updates', label: 'Check for updates', click: actions.checkForUpdates },
      { id: 'diagnostics', label: 'Copy diagnostics', click: actions.copyDiagnostics },
      { id: 'about', label: `About ${app.name}`, role: 'about', visible: !isMac },
    ],
  }
}
