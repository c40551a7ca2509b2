import type { ApiClient } from '../../api/client.ts'
import type { PermissionAnswer } from '../../core/vocabulary/permission.ts'
import type { Log } from '../ports/log.ts'
import { nextZoom } from './zoom.ts'

/** What tray and menu ask of the host. Nothing rejects: a refusal is logged, and without a host the app ends and says why. */
export interface HostRequests {
  run(workspace: string): void
  stop(workspace: string): void
  /** Gives a blocked task its attempts back, with the timeout that is planned. */
  unblock(workspace: string, task: string): void
  /** Until resumed where `until` is `null`. */
  pause(workspaces: readonly string[], until: string | null): void
  resume(workspaces: readonly string[]): void
  answer(permissionId: string, answer: PermissionAnswer): void
  zoom(step: 1 | -1 | 0): void
  /** Resolves once what came of it is known to the host. */
  checkForUpdates(): Promise<void>
}

/** Requests of the host that is shown when they are made. */
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
