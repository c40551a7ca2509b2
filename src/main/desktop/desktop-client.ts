import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { SettingsChanges, SettingsDocument } from '../../api/schemas/settings.ts'
import type { PermissionAnswer, PermissionRequest } from '../../core/read-model/permission.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'

/**
 * What the desktop asks of a host, be it the app's own or one that another process runs. A subset of the API's client, so that
 * either kind fits.
 */
export interface DesktopClient {
  readonly workspaces: { readonly list: () => Promise<Workspace[]> }
  readonly tasks: {
    readonly blocked: (input: {
      workspace: string
      suggest: boolean
    }) => Promise<readonly { readonly taskId: string }[]>
  }
  readonly permissions: {
    readonly list: () => Promise<PermissionRequest[]>
    readonly answer: (input: { id: string; answer: PermissionAnswer }) => Promise<unknown>
  }
  readonly heartbeat: {
    readonly run: (input: { workspace: string; wait: boolean }) => Promise<unknown>
    readonly pause: (input: { workspace: string; until: string | null }) => Promise<unknown>
    readonly resume: (input: { workspace: string }) => Promise<unknown>
  }
  readonly settings: {
    readonly get: () => Promise<SettingsDocument>
    readonly put: (input: { changes: SettingsChanges; hash: string }) => Promise<SettingsDocument>
  }
  readonly events: (input: undefined, options: { signal: AbortSignal }) => Promise<AsyncIterable<LiveEvent>>
}
