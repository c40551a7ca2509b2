import { randomInt } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { hashLine } from '../ledger/line.ts'
import { type TemporaryHost, temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'
import { askHost } from './ask-hosts.ts'
import { CentreStore } from './centre-store.ts'
import { HubStream } from './hub-stream.ts'
import { hostProcesses } from './testing/host-processes.ts'
import { loggingWorkspace, overlaps } from './testing/logging-agent.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { pseudoRandom } from './testing/pseudo-random.ts'
import { recordedLines } from './testing/recorded-lines.ts'
import { type TemporaryHub, temporaryHub } from './testing/temporary-hub.ts'

/*
 * Tests the whole fleet: three host processes that constantly run heartbeats, each in its own workspace and in a shared one; a
 * center process; and a real server. Each part is killed at random.
 *
 * 1. The center has all records, line for line: each record's last hash equals the ledger's, and a hash covers everything before
 *    it.
 * 2. No heartbeat waits for the hub: while it is down, each host continues with its own work.
 * 3. No agent of the shared work runs while another host's does.
 */

const seed = Number(process.env.PULSEWARD_TEST_SEED ?? randomInt(2 ** 31))
const BLOWS = Number(
  process.env.PULSEWARD_TEST_KILLS ?? (process.env.PULSEWARD_TEST_THOROUGH === undefined ? 1 : 3),
)
const HOSTS = ['one', 'two', 'three'] as const
const WORKSPACES = ['own', 'shared'] as const
const PATIENCE_MS = 300_000

describe.skipIf(natsServer === null)(
  `three hosts, killed at random under load (${NATS}, PULSEWARD_TEST_SEED=${seed})`,
  () => {
    test('the center has all records, no heartbeat waits for the hub, and only one host runs shared work at a time', async () => {
      const random = pseudoRandom(seed)
      const root = await temporaryFolder()
      const hub = await temporaryHub()
      const processes = hostProcesses(root)
      const { end } = processes
      const start = (name: string): Promise<void> =>
        processes.start(name, '', ...(name === 'centre' ? [hub.directory] : []))
      const said = async (log: string): Promise<string[]> =>
        (await readFile(join(root, log), 'utf8')).split('\n').filter(Boolean)
      /** Waits until two more heartbeats have run, because the first may have started before. */
      const goesOn = async (log: string): Promise<void> => {
        const before = (await said(log)).length
        await eventually(async () => expect((await said(log)).length).toBeGreaterThanOrEqual(before + 4))
      }
      try {
        const pass = await hub.operator('olga')
        await writeFile(join(root, 'shared.log'), '')
        await mkdir(join(root, 'centre'))
        await start('centre')
        for (const name of HOSTS) {
          await writeFile(join(root, `own-${name}.log`), '')
          await seedHost(root, name)
          await hub.joinFolder(name, processes.dataOf(name))
          await start(name)
        }
        await goesOn('shared.log')
        for (let each = 0; each < BLOWS; each += 1) {
          const name = [...HOSTS, 'centre'][Math.floor(random() * 4)] ?? 'centre'
          await end(name, 'SIGKILL')
          await start(name)
          await goesOn('shared.log')
        }
        await hub.server.kill()
        for (const name of HOSTS) await goesOn(`own-${name}.log`)
        await hub.restart()
        await goesOn('shared.log')

        // Pause all workspaces, so that the records don't grow while they are compared.
        for (const host of HOSTS)
          for (const workspace of WORKSPACES)
            await eventually(async () => {
              const wanted = {
                host,
                workspace,
                action: 'pause',
                about: null,
                until: null,
                reason: null,
              } as const
              const answer = await askHost(pass, wanted, Date.now())
              expect(answer.kind === 'done' ? 'paused' : answer.problem).toMatch(/paused/)
            })
        await end('centre', 'SIGKILL')
        for (const name of HOSTS) await end(name, 'SIGTERM')
        expect(overlaps(await said('shared.log'))).toEqual([])
        const heads = await headsAtRest(root, hub)
        expect(await takenByCentre(join(root, 'centre'), hub, heads)).toEqual(heads)
      } finally {
        await processes.killAll()
        await hub.remove()
        await rm(root, { recursive: true, force: true })
      }
    }, 1_800_000)
  },
)

const eventually = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: 100 })

async function seedHost(root: string, host: string): Promise<void> {
  const own = { log: join(root, `own-${host}.log`), host, intervalMinutes: 0.02 }
  const shared = { log: join(root, 'shared.log'), host, intervalMinutes: 0.005 }
  const seeded = await temporaryHost(
    {
      own: loggingWorkspace(own),
      shared: loggingWorkspace(shared, ['lease = "org/repository"', 'lease_seconds = 3']),
    },
    { root: join(root, host) },
  )
  await seeded.stop()
}

/** The last line of each record, by host and workspace. */
type Heads = Readonly<Record<string, { readonly seq: number; readonly hash: string }>>

/** Returns the last line of each record once the hub has all of them and none grows any more. */
async function headsAtRest(root: string, hub: TemporaryHub): Promise<Heads> {
  const connection = await hub.connect()
  const sent = async (recorded: Heads): Promise<Heads> => {
    const ends = Object.keys(recorded).map(async (record) => {
      const [host = '', workspace = ''] = record.split('/')
      const last = await new HubStream(connection, host).last(workspace)
      return [record, { seq: last?.seq ?? 0, hash: last?.hash ?? '' }] as const
    })
    return Object.fromEntries(await Promise.all(ends))
  }
  try {
    for (;;) {
      const opened: TemporaryHost[] = []
      try {
        for (const name of HOSTS)
          opened.push(await temporaryHost({}, { root: join(root, name), scheduled: true }))
        await eventually(async () => {
          const recorded = await headsOnDisk(root)
          expect(await sent(recorded)).toEqual(recorded)
        })
      } finally {
        for (const host of opened) await host.stop()
      }
      // A heartbeat that came due in the meantime is recorded as skipped, which should be sent too.
      const recorded = await headsOnDisk(root)
      if (isDeepStrictEqual(await sent(recorded), recorded)) return recorded
    }
  } finally {
    await connection.close()
  }
}

async function headsOnDisk(root: string): Promise<Heads> {
  const heads: Record<string, Heads[string]> = {}
  for (const host of HOSTS)
    for (const [workspace, lines] of await recordedLines(join(root, host, 'data')))
      heads[`${host}/${workspace}`] = { seq: lines.length, hash: hashLine(Buffer.from(lines.at(-1) ?? '')) }
  expect(Object.keys(heads)).toHaveLength(HOSTS.length * WORKSPACES.length)
  return heads
}

/** Returns the heads in the killed center's database, once a new center has caught up on it. */
async function takenByCentre(root: string, hub: TemporaryHub, heads: Heads): Promise<Heads> {
  const centre = await temporaryHost({}, { root, hubDirectory: hub.directory })
  try {
    const count = Object.values(heads).reduce((sum, { seq }) => sum + seq, 0)
    await eventually(async () => {
      const hosts = await centre.client.fleet.hosts()
      expect(hosts.reduce((sum, { events }) => sum + events, 0)).toBe(count)
      expect(hosts.flatMap(({ refused, halted }) => [...refused, ...halted])).toEqual([])
    })
  } finally {
    await centre.stop()
  }
  const store = new CentreStore(join(root, 'data', 'fleet.sqlite'), Date.now())
  try {
    const found = store.drainChanged().flatMap((key) => store.head(key) ?? [])
    return Object.fromEntries(
      found.map(({ host, workspace, seq, hash }) => [`${host}/${workspace}`, { seq, hash }]),
    )
  } finally {
    store.close()
  }
}
