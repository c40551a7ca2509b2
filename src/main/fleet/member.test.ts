import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Notification } from '../ports/notifier.ts'
import { SEEDED } from '../testing/seeded-workspaces.ts'
import { type TemporaryHost, temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'
import { revokeKey } from './hub.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { type TemporaryHub, temporaryHub } from './testing/temporary-hub.ts'

const PATIENCE_MS = 240_000
/** Waits for other hosts and the hub. */
const eventually = (check: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: 20 })

describe.skipIf(natsServer === null)(`a host in a fleet (${NATS})`, { timeout: 2 * PATIENCE_MS }, () => {
  let hub: TemporaryHub
  let hosts: TemporaryHost[] = []
  let told: Notification[] = []

  beforeEach(async () => {
    hub = await temporaryHub()
    hosts = []
    told = []
  })
  afterEach(async () => {
    // Newest first: several hosts use one folder in turn, and only the last still runs.
    for (const host of hosts.toReversed()) await host.remove()
    await hub.remove()
  })

  const startHost = async (root?: string): Promise<TemporaryHost> => {
    const host = await temporaryHost(
      { held: SEEDED.held },
      {
        scheduled: true,
        notifier: { notify: (notification) => void told.push(notification) },
        ...(root !== undefined && { root }),
      },
    )
    hosts.push(host)
    return host
  }
  const joined = async (name: string): Promise<TemporaryHost> => {
    const [host, { url, token }] = [await startHost(), await hub.add(name)]
    await hub.prepare(name)
    await host.client.fleet.join({ url, token })
    return host
  }
  const ledgerOf = async (host: TemporaryHost): Promise<string[]> => {
    const folder = join(host.dataDirectory, 'workspaces', host.id('held'), 'ledger')
    const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).toSorted()
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    return texts.join('').trimEnd().split('\n')
  }
  const shipped = async (host: TemporaryHost): Promise<void> =>
    eventually(async () => {
      const { member } = await host.client.fleet.status()
      expect(member?.workspaces.map(({ state }) => state)).toEqual(['shipped'])
    })

  test('every line of the record arrives exactly once and byte for byte, including later ones', async () => {
    const host = await joined('build-1')
    await shipped(host)
    await host.client.notes.add({ text: 'From the operator' })
    await eventually(async () => {
      expect(await hub.lines('build-1', host.id('held'))).toEqual(await ledgerOf(host))
    })
  })

  test('what was recorded while the hub was down arrives afterwards, without duplicates', async () => {
    const host = await joined('build-1')
    await shipped(host)
    await hub.server.kill()
    for (let each = 0; each < 50; each += 1) await host.client.notes.add({ text: `Note ${each}` })
    await hub.restart()
    await eventually(async () => {
      expect(await hub.lines('build-1', host.id('held'))).toEqual(await ledgerOf(host))
    })
  })

  test('a record that was restored from an old copy counts as a fork: nothing more is sent, and everyone is notified', async () => {
    const host = await joined('build-1')
    await shipped(host)
    const id = host.id('held')
    await host.stop()
    const before = await hub.lines('build-1', id)
    // Like a forger: change the last line so that it still matches the one before.
    const folder = join(host.dataDirectory, 'workspaces', id, 'ledger')
    const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.jsonl'))
    // Leave out the events that the host's shutdown added, which were not sent.
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, before.length)
    const last = JSON.parse(lines.at(-1) ?? '')
    lines.splice(-1, 1, JSON.stringify({ ...last, at: '2026-01-01T00:00:00.000+00:00' }))
    await writeFile(join(folder, name), `${lines.join('\n')}\n`)
    const again = await temporaryHost(
      {},
      { scheduled: true, root: host.root, notifier: { notify: (one) => void told.push(one) } },
    )
    hosts.push(again)
    await eventually(async () => {
      const { member } = await again.client.fleet.status()
      expect(member?.workspaces[0]).toMatchObject({ state: 'fork' })
    })
    expect(told.find(({ key }) => key === `fleet:${id}:fork`)?.body).toMatch(
      /differ: .*differs from the one here/,
    )
    const { workspaces } = await again.client.status()
    expect(
      workspaces[0]?.needs.find(({ reason }) => reason.includes("the hub's copy of it differ")),
    ).toMatchObject({ kind: 'record-not-whole' })
    await again.client.notes.add({ text: 'Still recorded here' })
    expect(await hub.lines('build-1', id)).toEqual(before)
  })

  test('a revoked key is refused, and the host keeps working', async () => {
    const host = await joined('build-1')
    await shipped(host)
    expect(await revokeKey(hub.directory, 'build-1', Date.now())).toEqual({
      name: 'build-1',
      notYet: null,
      hosts: null,
    })
    await eventually(async () => {
      expect((await host.client.fleet.status()).member).toMatchObject({
        state: 'refused',
        problem: expect.stringMatching(/revoked/),
      })
    })
    await host.client.notes.add({ text: 'Recorded all the same' })
    expect((await ledgerOf(host)).join()).toContain('Recorded all the same')
    // With a new token it has access again, and sends what it recorded in between.
    const { url, token } = await hub.add('build-1')
    await host.client.fleet.join({ url, token })
    await eventually(async () => {
      expect(await hub.lines('build-1', host.id('held'))).toEqual(await ledgerOf(host))
    })
  })

  test("another host's subject is refused by the hub", async () => {
    const host = await startHost()
    const [{ url }, other] = [await hub.add('build-1'), await hub.add('build-2')]
    await hub.prepare('build-1')
    // Use one host's key under another's name.
    const pass = JSON.parse(Buffer.from(other.token.slice(5), 'base64url').toString('utf8'))
    const forged = `pwf1.${Buffer.from(JSON.stringify({ ...pass, name: 'build-1' })).toString('base64url')}`
    await host.client.fleet.join({ url, token: forged })
    await eventually(async () => {
      const { member } = await host.client.fleet.status()
      expect(`${member?.problem} ${member?.workspaces[0]?.problem}`).toMatch(/another host/)
    })
    expect(await hub.lines('build-1', host.id('held'))).toEqual([])
  })

  test.each([
    ['an invalid token', async () => ({ token: 'pwf1.x' }), /not a hub token/],
    [
      'another hub’s key',
      async () => {
        const elsewhere = await temporaryHub()
        const { token } = await elsewhere.add('build-1')
        await elsewhere.remove()
        return { token }
      },
      /not the hub of this token|refuses this key/,
    ],
    ['a hub that does not exist', async () => ({ url: 'tls://127.0.0.1:1' }), /No hub can be reached/],
    ['an unencrypted address', async () => ({ url: 'nats://hub.example.org:4222' }), /unencrypted/],
  ])('refuses %s with an explanation, and changes nothing', async (_what, given, words) => {
    const host = await startHost()
    const { url, token } = await hub.add('build-1')
    await expect(host.client.fleet.join({ url, token, ...(await given()) })).rejects.toThrow(words)
    expect(await host.client.fleet.status()).toMatchObject({ member: null })
    expect(await readdir(host.dataDirectory)).not.toContain('fleet.json')
  })

  test('does not use a credentials file that others may read, and runs anyway', async () => {
    const root = await temporaryFolder()
    const host = await startHost(root)
    const { url, token } = await hub.add('build-1')
    await host.client.fleet.join({ url, token })
    await host.stop()
    const { chmod } = await import('node:fs/promises')
    await chmod(join(host.dataDirectory, 'fleet.json'), 0o644)
    const again = await startHost(root)
    expect(await again.client.fleet.status()).toMatchObject({ member: null })
    expect(told.find(({ key }) => key === 'fleet-file')?.body).toMatch(/chmod 600/)
  })
})
