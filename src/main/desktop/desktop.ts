import { app, type MessagePortMain, powerMonitor, session } from 'electron'
import type { Workspace } from '../../api/schemas/workspace.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { DesktopClient } from './desktop-client.ts'
import { followWorkspaces } from './follow-workspaces.ts'
import { hardenWebContents, refusePermissions } from './hardening.ts'
import { createTray } from './tray.ts'
import { createMainWindow } from './window.ts'

export interface DesktopOptions {
  readonly client: DesktopClient
  /** The page: our own origin for an own host, the address of the host that another process runs otherwise. */
  readonly pageUrl: string
  readonly preload: string
  readonly resourcesDirectory: string
  /** Serves the API to the page over a MessagePort; does nothing where the page speaks HTTP with its host. */
  readonly servePage: (port: MessagePortMain) => void
  readonly startHidden: boolean
  readonly clock: Clock
  readonly log: Log
  /** Called once when the app quits, before it exits. */
  readonly onQuit: () => Promise<void>
}

export interface Desktop {
  show(): void
}

/** Puts up the tray and the window over a running host. The app quits only through `quit`, never by closing the window. */
export function startDesktop(options: DesktopOptions): Desktop {
  const { client, log } = options
  const ended = new AbortController()
  let quitting = false
  hardenWebContents(new URL(options.pageUrl).origin)
  refusePermissions(session.defaultSession)

  const window = createMainWindow({
    url: options.pageUrl,
    preload: options.preload,
    iconsDirectory: options.resourcesDirectory,
    startHidden: options.startHidden,
    serve: (port) => {
      options.servePage(port)
      return () => port.close()
    },
    isQuitting: () => quitting,
  })
  const told = (work: Promise<unknown>, what: string): void => {
    work.catch((error: unknown) => log.error(`${what} from the tray failed`, { error: String(error) }))
  }
  const tray = createTray(options.resourcesDirectory, {
    show: window.show,
    run: (workspace) => told(client.heartbeat.run({ workspace, wait: false }), 'Run now'),
    pause: (workspace) => told(client.heartbeat.pause({ workspace, until: null }), 'Pause'),
    resume: (workspace) => told(client.heartbeat.resume({ workspace }), 'Resume'),
    quit: () => app.quit(),
  })
  void followWorkspaces(client, (workspaces: Workspace[]) => tray.update(workspaces), {
    clock: options.clock,
    log,
    signal: ended.signal,
  })

  app.on('activate', window.show)
  // The operating system ends the session: running attempts are ended and recorded as on any quit.
  powerMonitor.on('shutdown', () => app.quit())
  app.on('before-quit', (event) => {
    if (quitting) return
    event.preventDefault()
    quitting = true
    ended.abort()
    tray.destroy()
    window.browserWindow.hide()
    void options.onQuit().finally(() => app.exit(0))
  })
  return { show: window.show }
}
