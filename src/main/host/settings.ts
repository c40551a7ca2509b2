import { RequestProblem } from '../../api/request-problem.ts'
import type { OpenTarget } from '../../api/schemas/desktop.ts'
import type { SettingsDocument } from '../../api/schemas/settings.ts'
import type { SettingsStore } from '../config/settings.ts'
import type { DesktopIntegration } from '../ports/desktop-integration.ts'
import type { SettingsService } from '../ports/settings-service.ts'

export interface SettingsServiceOptions {
  readonly store: SettingsStore
  /** `null`: the host runs without a desktop. */
  readonly desktop: DesktopIntegration | null
  /** The folder of a workspace; throws a `RequestProblem` where there is none of this id. */
  readonly folderOf: (id: string) => string
  /** Told of every change, whoever made it. */
  readonly onChange: (document: SettingsDocument) => void
}

export function createSettingsService(options: SettingsServiceOptions): SettingsService {
  const { store, desktop } = options
  let knownHash: string | null = null
  /** Tells of what is new, be it changed here or by hand in the file. */
  const told = (document: SettingsDocument): SettingsDocument => {
    if (document.hash !== knownHash) options.onChange(document)
    knownHash = document.hash
    return document
  }
  const openFolder = async (path: string): Promise<string> => {
    await needed(desktop, 'Opening a folder', path)
      .openPath(path)
      .catch((error: unknown) => refuse(`${path} could not be opened`, error))
    return path
  }
  return {
    settings: async () => told(await store.read()),
    changeSettings: async (changes, hash) => {
      const { startAtLogin } = changes
      if (startAtLogin !== undefined && desktop !== null && desktop.startsAtLogin() !== startAtLogin) {
        // First: a setting that says otherwise than the system does would be a lie.
        await desktop
          .setStartAtLogin(startAtLogin)
          .catch((error: unknown) => refuse('The system did not take "start at login"', error))
      }
      return told(await store.change(changes, hash))
    },
    desktopCapabilities: () => ({
      chooseFolder: desktop !== null,
      openPath: desktop !== null,
      startAtLogin: desktop?.startsAtLogin() ?? null,
      zoom: desktop !== null,
    }),
    chooseFolder: () => needed(desktop, 'A dialog to choose a folder').chooseFolder(),
    openTarget: async (target) => openFolder(await folderOf(target)),
  }

  async function folderOf(target: OpenTarget): Promise<string> {
    return target.kind === 'workspace'
      ? options.folderOf(target.workspace)
      : (await store.read()).dataDirectory
  }
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
