import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jetstream } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { factsSubject, ledgerSubject } from '../../core/fleet/names.ts'
import { encodeBody, encodeLine, GENESIS_HASH, hashLine } from '../ledger/line.ts'
import { noteEvent, thumb } from '../ledger/testing/sample-events.ts'
import type { TemporaryHost } from '../testing/temporary-host.ts'
import { connectHub } from './connect-hub.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { facts } from './testing/sample-messages.ts'
import { type TemporaryFleet, temporaryFleet } from './testing/temporary-fleet.ts'

const PATIENCE_MS = 240_000
const eventually = (check: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: 50 })

describe.skipIf(natsServer === null)(`the center of a fleet (${NATS})`, { timeout: 2 * PATIENCE_MS }, () => {
  let fleet: TemporaryFleet

  beforeEach(async () => {
    fleet = await temporaryFleet()
  })
  afterEach(() => fleet.remove())

  const seqOf = async (host: TemporaryHost | undefined, name: string): Promise<number> => {
    if (host === undefined) throw new Error(`there is no ${name}`)
    const folder = join(host.dataDirectory, 'workspaces', host.id(name), 'ledger')
    const [file = ''] = (await readdir(folder)).filter((each) => each.endsWith('.jsonl'))
    return (await readFile(join(folder, file), 'utf8')).trimEnd().split('\n').length
  }

  test('shows hosts, their workspaces, leaderboard and timeline from their records, by host and group', async () => {
    const centre = await fleet.startCentre()
    const [one, two] = [await fleet.join('build-1', 'ci'), await fleet.join('laptop')]
    await eventually(async () => {
      const hosts = await centre.client.fleet.hosts()
      expect(hosts.map(({ host, events, heard }) => [host, events, heard])).toEqual([
        ['build-1', await seqOf(one, 'build-1'), 'heard'],
        ['laptop', await seqOf(two, 'laptop'), 'heard'],
      ])
    })
    // A host's workspace facts are sent beside the lines.
    await eventually(async () => {
      const own = (await one.client.workspaces.list({}))[0]
      const [seen, ...others] = await centre.client.fleet.workspaces({ group: 'ci' })
      expect(others).toEqual([])
      expect(seen).toMatchObject({
        host: 'build-1',
        view: { name: 'build-1', score: { score: own?.score.score, verified: own?.score.verified } },
      })
      expect(seen?.view.path).toBe('')
    })
    expect(await centre.client.fleet.leaderboard({})).toHaveLength(2)
    await eventually(async () => {
      const entries = await centre.client.fleet.timeline({ host: 'laptop' })
      const own = await two.client.timeline.list({})
      expect(entries.map(({ entry }) => entry.id).toSorted()).toEqual(
        own.entries.map(({ id }) => id).toSorted(),
      )
    })
  })

  test('rebuilds the same view from the streams when its database is gone', async () => {
    const centre = await fleet.startCentre()
    const host = await fleet.join('build-1')
    await eventually(async () => {
      expect((await centre.client.fleet.hosts())[0]?.events).toBe(await seqOf(host, 'build-1'))
    })
    await host.stop()
    const before = await centre.client.fleet.timeline({})
    await centre.stop()
    await rm(join(centre.dataDirectory, 'fleet.sqlite'))
    const again = await fleet.startCentre(centre.root)
    await eventually(async () => expect(await again.client.fleet.timeline({})).toEqual(before))
  })

  test('refuses, counts and notifies lines sent by hand that are altered, replayed, out of order or garbage', async () => {
    const centre = await fleet.startCentre()
    const connection = await connectHub(await fleet.hub.pass('liar'))
    await eventually(async () => {
      expect((await connection.request('pw.hello.liar')).string()).toBe('ok')
    })
    const client = jetstream(connection)
    const envelope = (seq: number) => ({ seq, at: '2026-03-01T10:00:00.000+01:00', day: '2026-03-01' })
    const first = encodeLine(envelope(1), GENESIS_HASH, encodeBody(noteEvent('one')))
    const second = encodeLine(envelope(2), hashLine(first), encodeBody(noteEvent('two')))
    const third = encodeLine(envelope(3), hashLine(second), encodeBody(noteEvent('three')))
    const send = async (bytes: Buffer, hash = hashLine(bytes)): Promise<void> => {
      const given = headers()
      given.set('Pw-Hash', hash)
      await client.publish(ledgerSubject('liar', 'job-1'), bytes, { headers: given })
    }
    await send(first)
    await send(Buffer.from(second.toString('utf8').replace('two', 'owt')), hashLine(second))
    await send(first)
    await send(third)
    await send(Buffer.from('rubbish'))
    await send(second)
    await eventually(async () => {
      const [liar] = await centre.client.fleet.hosts()
      expect(liar?.events).toBe(2)
      expect(liar?.refused.map(({ kind, count }) => [kind, count])).toEqual([
        ['altered', 1],
        ['not-a-line', 1],
        ['out-of-order', 1],
        ['replayed', 1],
      ])
    })
    // More refused lines arrive within the same minute for the same reason: one notification covers them.
    expect(fleet.told.map(({ key }) => key)).toEqual(['fleet-refused:liar:altered'])
    await connection.close()
  })

  test('shows the rest of a host and all others correctly when a host sends impossible numbers', async () => {
    const centre = await fleet.startCentre()
    await fleet.join('build-1')
    const connection = await connectHub(await fleet.hub.pass('liar'))
    await eventually(async () => {
      expect((await connection.request('pw.hello.liar')).string()).toBe('ok')
    })
    const client = jetstream(connection)
    let prev = GENESIS_HASH
    for (const seq of [1, 2, 3]) {
      const body = { ...thumb, points: seq === 3 ? 3 : 1e308 }
      const line = { seq, at: '2026-03-01T10:00:00.000+01:00', day: '2026-03-01', prev, ...body }
      const bytes = Buffer.from(JSON.stringify(line))
      prev = hashLine(bytes)
      const given = headers()
      given.set('Pw-Hash', prev)
      await client.publish(ledgerSubject('liar', 'job-1'), bytes, { headers: given })
    }
    const due = (dueMs: number) => ({ ...facts('job-1', []), next: { dueMs, state: 'due', reason: 'now' } })
    for (const said of [due(1e12), due(1e300)])
      await client.publish(factsSubject('liar', 'job-1'), JSON.stringify(said))
    await eventually(async () => {
      const shown = await centre.client.fleet.workspaces({})
      expect(shown.map(({ host }) => host).toSorted()).toEqual(['build-1', 'liar'])
      const { view } = shown.find(({ host }) => host === 'liar') ?? {}
      expect(view?.score.score).toBe(3)
      expect(view?.next.at).toBe('2001-09-09T01:46:40.000Z')
    })
    expect(await centre.client.fleet.leaderboard({})).toHaveLength(2)
    await connection.close()
  })

  test('takes a host’s record even if the server has no room for its other content', async () => {
    const { hub } = fleet
    const file = join(hub.directory, 'nats-server.conf')
    await hub.server.stop()
    // Leaves room for one bucket, but not for two.
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace('max_file_store: 1PB', 'max_file_store: 3GB'),
    )
    await hub.restart()
    const centre = await fleet.startCentre()
    const hosts = [await fleet.join('build-1'), await fleet.join('build-2')]
    await eventually(async () => {
      const taken = (await centre.client.fleet.hosts()).map(({ events }) => events)
      expect(taken).toEqual([await seqOf(hosts[0], 'build-1'), await seqOf(hosts[1], 'build-2')])
    })
    await eventually(() => {
      expect(fleet.told.map(({ key }) => key)).toContainEqual(
        expect.stringMatching(/^fleet-room:build-[12]$/),
      )
    })
  })

  test('neither the center nor anyone else can delete what was received', async () => {
    const centre = await fleet.startCentre()
    const host = await fleet.join('build-1')
    await eventually(async () =>
      expect((await centre.client.fleet.hosts())[0]?.events).toBe(await seqOf(host, 'build-1')),
    )
    const connection = await fleet.hub.connect()
    const { jetstreamManager } = await import('@nats-io/jetstream')
    const manager = await jetstreamManager(connection)
    await expect(manager.streams.purge('PW_LEDGER_build-1')).rejects.toThrow()
    await expect(manager.streams.deleteMessage('PW_LEDGER_build-1', 1)).rejects.toThrow()
    await expect(manager.streams.delete('PW_LEDGER_build-1')).rejects.toThrow()
    expect((await manager.streams.info('PW_LEDGER_build-1')).state.first_seq).toBe(1)
    await connection.close()
  })

  test('reports that a host is not a center', async () => {
    const host = await fleet.start({})
    await expect(host.client.fleet.hosts()).rejects.toThrow(/not the center of a fleet/)
    await expect(fleet.start({}, { hubDirectory: join(host.root, 'nothing') })).rejects.toThrow(
      /centre\.json/,
    )
  })
})
