import type { Notification } from '../../ports/notifier.ts'
import { SEEDED } from '../../testing/seeded-workspaces.ts'
import { type TemporaryHost, temporaryHost } from '../../testing/temporary-host.ts'
import { type TemporaryHub, temporaryHub } from './temporary-hub.ts'

/** A hub with a real server, and hosts in this process; `remove` removes everything. */
export interface TemporaryFleet {
  readonly hub: TemporaryHub
  /** The center's notifications. */
  readonly told: Notification[]
  start(...given: Parameters<typeof temporaryHost>): Promise<TemporaryHost>
  /** Starts a center; with a folder, over what another center left there. */
  startCentre(root?: string): Promise<TemporaryHost>
  /** Starts a host that has joined, with a workspace named after it; the center creates its stream when it asks. */
  join(name: string, group?: string | null): Promise<TemporaryHost>
  remove(): Promise<void>
}

export async function temporaryFleet(): Promise<TemporaryFleet> {
  const hub = await temporaryHub()
  const running: TemporaryHost[] = []
  const told: Notification[] = []
  const start: TemporaryFleet['start'] = async (...given) => {
    const host = await temporaryHost(...given)
    running.push(host)
    return host
  }
  return {
    hub,
    told,
    start,
    startCentre: (root) =>
      start(
        {},
        {
          hubDirectory: hub.directory,
          notifier: { notify: (notification) => void told.push(notification) },
          ...(root !== undefined && { root }),
        },
      ),
    join: async (name, group = null) => {
      const host = await start({ [name]: SEEDED.one }, { scheduled: true })
      const { url, token } = await hub.add(name)
      await host.client.fleet.join({ url, token, group })
      return host
    },
    remove: async () => {
      // Newest first, because a host may use the folder of one that was stopped before it.
      for (const host of running.toReversed()) await host.remove()
      await hub.remove()
    },
  }
}
