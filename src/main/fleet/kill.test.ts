import { randomInt } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'
import { hostProcesses } from './testing/host-processes.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { pseudoRandom } from './testing/pseudo-random.ts'
import { recordedLines } from './testing/recorded-lines.ts'
import { temporaryHub } from './testing/temporary-hub.ts'

const seed = Number(process.env.PULSEWARD_TEST_SEED ?? randomInt(2 ** 31))
const HOSTS = ['one', 'two', 'three']
const KILLS = Number(
  process.env.PULSEWARD_TEST_KILLS ?? (process.env.PULSEWARD_TEST_THOROUGH === undefined ? 2 : 6),
)

describe.skipIf(natsServer === null)(
  `killed at random under load (${NATS}, PULSEWARD_TEST_SEED=${seed})`,
  () => {
    test('the center of three hosts and a hub has all records, with nothing lost or duplicated', async () => {
      const random = pseudoRandom(seed)
      const root = await temporaryFolder()
      const hub = await temporaryHub()
      const processes = hostProcesses(root)
      const data = processes.dataOf
      const start = (name: string): Promise<void> =>
        processes.start(name, ...(name === 'centre' ? ['', hub.directory] : [join(root, name, name)]))
      try {
        await mkdir(join(root, 'centre'))
        await start('centre')
        for (const name of HOSTS) {
          await mkdir(join(root, name, name), { recursive: true })
          await mkdir(data(name), { recursive: true })
          await writeFile(
            join(root, name, name, 'HEARTBEAT.md'),
            '## Tasks\n- [ ] a | A | required | verify: exists("a")\n',
          )
          await hub.joinFolder(name, data(name))
          await start(name)
        }
        for (let each = 0; each < KILLS; each += 1) {
          const names = [...HOSTS, 'centre', 'hub']
          const name = names[Math.floor(random() * names.length)] ?? 'hub'
          if (name === 'hub') {
            await hub.server.kill()
            await hub.restart()
          } else {
            await processes.end(name, 'SIGKILL')
            await start(name)
          }
        }
        // Nothing new is recorded after this: each host is opened once more, sends the rest, and is compared.
        await processes.killAll()
        const centre = await temporaryHost({}, { hubDirectory: hub.directory })
        for (const name of HOSTS) {
          const host = await temporaryHost({}, { root: join(root, name), scheduled: true })
          try {
            await vi.waitFor(
              async () => {
                const { member } = await host.client.fleet.status()
                expect(member?.workspaces.map(({ state }) => state)).toEqual(['shipped'])
              },
              { timeout: 180_000, interval: 100 },
            )
            const [workspace] = member(await host.client.fleet.status())
            const own = await linesOf(data(name), workspace ?? '')
            expect(own.length).toBeGreaterThan(20)
            expect(await hub.lines(name, workspace ?? '')).toEqual(own)
            await vi.waitFor(
              async () => {
                const seen = (await centre.client.fleet.hosts()).find((each) => each.host === name)
                expect(seen).toMatchObject({ events: own.length, refused: [], halted: [] })
              },
              { timeout: 180_000, interval: 100 },
            )
          } finally {
            await host.stop()
          }
        }
        await centre.remove()
      } finally {
        await processes.killAll()
        await hub.remove()
        await rm(root, { recursive: true, force: true })
      }
    }, 900_000)
  },
)

function member({
  member: one,
}: {
  readonly member: { readonly workspaces: readonly { readonly workspace: string }[] } | null
}): string[] {
  return one?.workspaces.map(({ workspace }) => workspace) ?? []
}

async function linesOf(dataDirectory: string, workspace: string): Promise<readonly string[]> {
  return (await recordedLines(dataDirectory)).get(workspace) ?? []
}
