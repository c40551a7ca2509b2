import type { ApiClient } from '../../api/client.ts'
import type { PermissionAnswer } from '../../core/vocabulary/permission.ts'
import type { Log } from '../ports/log.ts'
import { nextZoom } from './zoom.ts'

/** What tray and menu request from the host. Nothing rejects: a refusal is logged, and without a host the app ends with the reason. */
export interface HostRequests {
  run(workspace: string): void
  stop(workspace: string): void
  /** Gives a blocked task its attempts back, with the planned timeout. */
  unblock(workspace: string, task: string): void
  /** Pauses until `until`, or until resumed if it is `null`. */
  pause(workspaces: readonly string[], until: string | null): void
  resume(workspaces: readonly string[]): void
  answer(permissionId: string, answer: PermissionAnswer): void
  zoom(step: 1 | -1 | 0): void
  /** Resolves once the host knows the result. */
  checkForUpdates(): Promise<void>
}

/** Sends requests to the host that is shown at that moment. */
export function createHostRequests(
  connection: () => Promise<{ readonly client: ApiClient; readonly log: Log }>,
): HostRequests {
  const asked = (what: string, work: (client: ApiClient) => Promise<unknown>): Promise<void> =>
    connection()
      .then(({ client, log }) =>
        work(client).then(
          () => undefined,
          (error: unknown) => log.error(`${what} failed`, { error: String(error) }),
        ),
      )
      .catch(() => undefined)
  const ask = (what: string, work: (client: ApiClient) => Promise<unknown>): void => void asked(what, work)
  return {
    run: (workspace) => ask('Run now', ({ heartbeat }) => heartbeat.run({ workspace, wait: false })),
    stop: (workspace) => ask('Stop now', ({ heartbeat }) => heartbeat.stop({ workspace })),
    unblock: (workspace, id) => ask('Unblock', ({ tasks }) => tasks.unblock({ workspace, id })),
    pause: (ids, until) =>
      ask('Pause', ({ heartbeat }) =>
        Promise.all(ids.map((workspace) => heartbeat.pause({ workspace, until }))),
      ),
    resume: (ids) =>
      ask('Resume', ({ heartbeat }) => Promise.all(ids.map((workspace) => heartbeat.resume({ workspace })))),
    answer: (id, answer) =>
      ask('An answer to a permission request', ({ permissions }) => permissions.answer({ id, answer })),
    zoom: (step) =>
      ask('Zoom', async ({ settings }) => {
        const { settings: now, hash } = await settings.get()
        await settings.put({ changes: { zoom: nextZoom(now.zoom, step) }, hash })
      }),
    checkForUpdates: () => asked('Check for updates', ({ updates }) => updates.check()),
  }
}
