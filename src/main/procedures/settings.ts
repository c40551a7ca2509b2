import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import type { OpenTarget } from '../../api/schemas/desktop.ts'
import type { HostParts } from '../host/host-parts.ts'
import { LOG_FILE } from '../host/log.ts'
import { openInEditor } from '../host/open-in-editor.ts'
import type { DesktopIntegration } from '../ports/desktop-integration.ts'
import { os, workspaceOf } from './implementer.ts'

export const settings = {
  get: os.settings.get.handler(({ context }) => context.host.settings.read()),
  put: os.settings.put.handler(async ({ input, context }) => {
    const { desktop, settings: app } = context.host
    const { startAtLogin } = input.changes
    if (startAtLogin !== undefined && desktop !== null && desktop.startsAtLogin() !== startAtLogin) {
      // First, because a setting must not differ from what the system does.
      await desktop
        .setStartAtLogin(startAtLogin)
        .catch((error: unknown) => refuse('The system did not take "start at login"', error))
    }
    return app.change(input.changes, input.hash)
  }),
}

export const desktop = {
  capabilities: os.desktop.capabilities.handler(({ context: { host } }) => ({
    chooseFolder: host.desktop !== null,
    openPath: host.desktop !== null,
    startAtLogin: host.desktop?.startsAtLogin() ?? null,
    zoom: host.desktop !== null,
  })),
  chooseFolder: os.desktop.chooseFolder.handler(async ({ context: { host } }) => ({
    path: await needed(host.desktop, 'A dialog to choose a folder').chooseFolder(),
  })),
  openPath: os.desktop.openPath.handler(async ({ input, context: { host } }) => {
    const path = await pathOf(input.target, host)
    await needed(host.desktop, 'Opening a folder', path)
      .openPath(path)
      .catch((error: unknown) => refuse(`${path} could not be opened`, error))
    return { opened: path }
  }),
  edit: os.desktop.edit.handler(async ({ input, context }) => {
    const { directory, id } = workspaceOf(input, context)
    await context.host.workspaces.whenOpen(id)
    const { editor } = (await context.host.settings.read()).settings
    return { opened: await openInEditor(directory, input, editor) }
  }),
}

async function pathOf(target: OpenTarget, host: HostParts): Promise<string> {
  if (target.kind === 'workspace') return host.workspaces.get(target.workspace).directory
  const { dataDirectory } = await host.settings.read()
  return target.kind === 'log' ? join(dataDirectory, LOG_FILE) : dataDirectory
}

function needed(desktop: DesktopIntegration | null, what: string, path?: string): DesktopIntegration {
  if (desktop !== null) return desktop
  const remedy = path === undefined ? 'Type the path instead.' : `It is ${path}.`
  throw new RequestProblem(
    'unprocessable',
    `${what} is not available here: it needs the desktop app. ${remedy}`,
  )
}

function refuse(what: string, error: unknown): never {
  const why = error instanceof Error ? error.message : String(error)
  throw new RequestProblem('unprocessable', `${what}: ${why}`, { cause: error })
}
