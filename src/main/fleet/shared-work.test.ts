import { randomInt } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'
import { hostProcesses } from './testing/host-processes.ts'
import { loggingWorkspace, overlaps } from './testing/logging-agent.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { pseudoRandom } from './testing/pseudo-random.ts'
import { recordedLines } from './testing/recorded-lines.ts'
import { temporaryHub } from './testing/temporary-hub.ts'

const seed = Number(process.env.PULSEWARD_TEST_SEED ?? randomInt(2 ** 31))
const HOSTS = ['one', 'two', 'three']
const BLOWS = Number(process.env.PULSEWARD_TEST_KILLS ?? 3)

describe.skipIf(natsServer === null)(
  `work that three hosts share (${NATS}, PULSEWARD_TEST_SEED=${seed})`,
  () => {
    test("no agent of one host runs while another host's does, no matter what is killed or stopped", async () => {
      const random = pseudoRandom(seed)
      const root = await temporaryFolder()
      const log = join(root, 'log')
      const processes = hostProcesses(root)
      const { end } = processes
      const start = (name: string): Promise<void> => processes.start(name, '')
      const hub = await temporaryHub()
      const lines = async (): Promise<string[]> =>
        (await readFile(log, 'utf8').catch(() => '')).trimEnd().split('\n').filter(Boolean)
      const more = async (count: number): Promise<void> => {
        const before = (await lines()).length
        await vi.waitFor(async () => expect((await lines()).length).toBeGreaterThanOrEqual(before + count), {
          timeout: 180_000,
          interval: 50,
        })
      }
      try {
        await writeFile(log, '')
        for (const name of HOSTS) {
          await hub.prepare(name)
          await seedHost(join(root, name), name, log)
          await hub.joinFolder(name, join(root, name, 'data'))
          await start(name)
        }
        await more(4)
        for (let each = 0; each < BLOWS; each += 1) {
          const name = [...HOSTS, 'hub'][Math.floor(random() * 4)] ?? 'hub'
          if (name === 'hub') {
            await hub.server.kill()
            await hub.restart()
          } else {
            await end(name, random() < 0.5 ? 'SIGKILL' : 'SIGTERM')
            await start(name)
          }
          await more(2)
        }
        // Stop the current holder for good: another host continues.
        const last = (await lines()).at(-1)?.split(' ')[1] ?? ''
        await end(last, 'SIGTERM')
        await vi.waitFor(async () => expect((await lines()).at(-1)).not.toContain(last), {
          timeout: 180_000,
          interval: 50,
        })
        for (const name of HOSTS) await end(name, 'SIGTERM')
        expect(overlaps(await lines())).toEqual([])
        await expectEpochs(HOSTS.map((name) => join(root, name, 'data')))
      } finally {
        await processes.killAll()
        await hub.remove()
        await rm(root, { recursive: true, force: true })
      }
    }, 900_000)
  },
)

async function seedHost(root: string, name: string, log: string): Promise<void> {
  const work = loggingWorkspace({ log, host: name, intervalMinutes: 0.005 }, [
    'lease = "org/repository"',
    'lease_seconds = 3',
  ])
  const host = await temporaryHost({ work }, { root })
  await host.stop()
}

/** Checks that each epoch belongs to one host, and each attempt has one. */
async function expectEpochs(dataDirectories: readonly string[]): Promise<void> {
  const holders = new Map<number, string>()
  for (const data of dataDirectories) {
    for (const event of await eventsOf(data)) {
      if (event.type === 'attempt-started') expect(event.epoch).toBeGreaterThan(0)
      if (event.epoch === undefined) continue
      expect(holders.get(event.epoch) ?? data).toBe(data)
      holders.set(event.epoch, data)
    }
  }
  expect(new Set(holders.values()).size).toBeGreaterThan(1)
}

async function eventsOf(data: string): Promise<readonly { type: string; epoch?: number }[]> {
  return [...(await recordedLines(data)).values()].flat().map((line) => JSON.parse(line))
}
