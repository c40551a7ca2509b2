import { join } from 'node:path'
import { fillDataFolder } from '../../bench/full-data-folder.ts'
import { natsServer } from '../../src/main/fleet/testing/nats-server.ts'
import { temporaryHub } from '../../src/main/fleet/testing/temporary-hub.ts'

const HOSTS = [
  { name: 'build-1', group: 'ci', workspaces: 5 },
  { name: 'build-2', group: 'ci', workspaces: 4 },
  { name: 'laptop', group: 'office', workspaces: 3 },
]

/**
 * Starts a hub with a real server, and hosts with a history that have joined it. The host in the pictures is their center.
 * `null`: there is no `nats-server` here. `startHost` starts a host over a data folder.
 */
export async function openFleet(folder, startHost) {
  if (natsServer === null) return null
  const hub = await temporaryHub()
  const members = []
  const close = async () => {
    for (const member of members) await member.stop()
    await hub.remove()
  }
  return {
    options: { hubDirectory: hub.directory },
    close,
    join: () => joinAll(hub, members, folder, startHost),
  }
}

async function joinAll(hub, members, folder, startHost) {
  const ids = new Map()
  for (const { name, group, workspaces } of HOSTS) {
    const data = join(folder, name, 'data')
    const size = { workspaces, tasks: 8, events: 2_000, nowMs: Date.now() }
    ids.set(name, await fillDataFolder(data, join(folder, name, 'folders'), size))
    // Its next heartbeats are due long after the pictures are taken.
    const member = await startHost(data, { scheduled: true })
    members.push(member)
    const { url, token } = await hub.add(name)
    await member.client.fleet.join({ url, token, group, labels: ['linux'] })
  }
  return ids
}

/** Resolves when the center has received everything its hosts recorded. */
export async function untilTaken(centre) {
  const workspaces = HOSTS.reduce((sum, each) => sum + each.workspaces, 0)
  let before = -1
  for (;;) {
    const hosts = await centre.client.fleet.hosts()
    const events = hosts.reduce((sum, each) => sum + each.events, 0)
    const { length } = await centre.client.fleet.workspaces({})
    if (length === workspaces && events === before) return
    before = events
    await new Promise((resolve) => setTimeout(resolve, 3_000))
  }
}
