import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { passOf } from '../src/core/fleet/join-token.ts'
import type { EventBody } from '../src/core/record/events.ts'
import { type RunningCentre, startCentre } from '../src/main/fleet/centre.ts'
import { connectHub } from '../src/main/fleet/connect-hub.ts'
import { addKey, createHub } from '../src/main/fleet/hub.ts'
import { HubStream } from '../src/main/fleet/hub-stream.ts'
import { readCentreFile } from '../src/main/fleet/pass-file.ts'
import type { OutgoingLine } from '../src/main/fleet/read-lines.ts'
import { systemClock } from '../src/main/host/system-clock.ts'
import { encodeBody, encodeLine, GENESIS_HASH, hashLine } from '../src/main/ledger/line.ts'
import { type Benchmark, markdownTable } from './benchmark.ts'

/** How many events are followed one by one. */
const LAGS = 200
const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

/** What a hub and its centre take, with a real server and a real connection for each host. */
export const fleet: Benchmark = {
  question:
    'How many events a second does the centre of a fleet take, how late are they, and what does it weigh?',
  options: '[--hosts 10] [--workspaces 10] [--events 100]',
  async run(args) {
    const hosts = numberOf(args, '--hosts', 10)
    const workspaces = numberOf(args, '--workspaces', 10)
    const events = numberOf(args, '--events', 100)
    const root = await mkdtemp(join(tmpdir(), 'pulseward-bench-fleet-'))
    const hub = join(root, 'hub')
    await createHub(hub, `127.0.0.1:${await freePort()}`, Date.now())
    const keys = []
    for (let each = 0; each < hosts; each += 1) keys.push(await addKey(hub, `host-${each}`, Date.now()))
    const server = await startServer(hub)
    let centre: RunningCentre | null = null
    try {
      centre = await start(root, hub)
      const streams = await Promise.all(
        keys.map(async ({ name, url, token }) => {
          const pass = passOf(token, (text) => Buffer.from(text, 'base64url').toString('utf8'))
          if ('problem' in pass) throw new Error(pass.problem)
          const connection = await connectHub({ ...pass, url })
          await until(
            async () =>
              (
                await connection.request(`pw.hello.${name}`, '', { timeout: 10_000 }).catch(() => null)
              )?.string() === 'ok',
          )
          return { name, connection, stream: new HubStream(connection, name) }
        }),
      )
      const lines = chain(events)
      const total = hosts * workspaces * events
      const bareMs = await publishBare(hub, total, lines[0]?.bytes)
      const takenMs = await timed(async () => {
        await Promise.all(
          streams.map(async ({ stream }) => {
            for (let each = 0; each < workspaces; each += 1) {
              let place = 0
              for (const line of lines) place = await stream.send(`job-${each}`, line, place, () => undefined)
            }
            await stream.settle()
          }),
        )
        await until(async () => taken(centre) >= total)
      })
      const lags = await measureLags(streams, lines[0], () => taken(centre))
      const rebuiltMs = await timed(async () => {
        await centre?.stop()
        await rm(join(root, 'fleet.sqlite'))
        centre = await start(root, hub)
        await until(async () => taken(centre) >= total + lags.length)
      })
      const rate = (ms: number) => Math.round((total / ms) * 1000).toLocaleString('en')
      console.log(
        `${hosts} hosts with ${workspaces} workspaces each, ${events} events a workspace: ${total.toLocaleString('en')} events.\n`,
      )
      console.log(
        markdownTable(
          ['what', 'events a second'],
          [
            ['published bare by one connection, 500 at once', rate(bareMs)],
            ['sent by all hosts, checked, folded and stored at the centre', rate(takenMs)],
            ['made anew from the streams', rate(rebuiltMs)],
          ],
        ),
      )
      const late = (share: number) => Math.round(lags[Math.floor(lags.length * share)] ?? 0)
      console.log(
        `\nFrom a host to the centre, one event after the other: ${late(0.5)} ms in the middle, ${late(0.99)} ms for 99 of 100.`,
      )
      console.log(
        `\nMemory of hosts and centre together: ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MiB.`,
      )
      for (const { connection } of streams) await connection.close()
    } finally {
      await centre?.stop()
      server.kill('SIGTERM')
      await once(server, 'exit')
      await rm(root, { recursive: true, force: true })
    }
  },
}

/** How long each of some events takes from its host until it counts at the centre, in ms, the shortest first. */
async function measureLags(
  streams: readonly { readonly stream: HubStream }[],
  first: OutgoingLine | undefined,
  count: () => number,
): Promise<readonly number[]> {
  const lags: number[] = []
  for (let each = 0; first !== undefined && each < LAGS; each += 1) {
    const before = count()
    const { stream } = streams[each % streams.length] as (typeof streams)[number]
    lags.push(
      await timed(async () => {
        // The first line of a record that nobody has seen before.
        await stream.send(`lag-${each}`, first, 0, () => undefined)
        await until(async () => count() > before, 1)
      }),
    )
  }
  return lags.toSorted((one, other) => one - other)
}

/** As fast as the server takes it, in ms: one connection, one subject, nothing expected of the last message. */
async function publishBare(hub: string, total: number, bytes: Uint8Array | undefined): Promise<number> {
  const connection = await connectHub(await readCentreFile(hub))
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: 'BARE', subjects: ['bare'] })
  const client = jetstream(connection)
  const publish = () => client.publish('bare', bytes)
  const ms = await timed(async () => {
    for (let sent = 0; sent < total; sent += 500)
      await Promise.all(Array.from({ length: Math.min(500, total - sent) }, publish))
  })
  await connection.close()
  return ms
}

function start(dataDirectory: string, hubDirectory: string): Promise<RunningCentre> {
  const timestamp = (ms: number): string => new Date(ms).toISOString()
  return startCentre({
    dataDirectory,
    hubDirectory,
    clock: systemClock,
    log: SILENT,
    notifier: { notify: () => {} },
    timestamp,
  })
}

function taken(centre: RunningCentre | null): number {
  return centre?.hosts().reduce((sum, { events }) => sum + events, 0) ?? 0
}

/** A record of so many lines; every workspace has the same one. */
function chain(length: number) {
  let prev = GENESIS_HASH
  return Array.from({ length }, (_, index) => {
    const body: EventBody = {
      type: 'operator-noted',
      text: `Note ${index} of a record that is long enough to look like one`,
      taskId: null,
    }
    const bytes = encodeLine(
      { seq: index + 1, at: '2026-03-01T10:00:00.000+01:00', day: '2026-03-01' },
      prev,
      encodeBody(body),
    )
    const line = { seq: index + 1, prev, hash: hashLine(bytes), bytes }
    prev = line.hash
    return line
  })
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function until(check: () => Promise<boolean>, everyMs = 20): Promise<void> {
  while (!(await check())) await systemClock.sleep(everyMs)
}

async function startServer(hub: string): Promise<ChildProcess> {
  const child = spawn('nats-server', ['-c', join(hub, 'nats-server.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of createInterface({ input: child.stderr }))
    if (line.includes('Server is ready')) break
  child.stderr.resume()
  return child
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  server.close()
  return at !== null && typeof at === 'object' ? at.port : 0
}

function numberOf(args: readonly string[], name: string, otherwise: number): number {
  const index = args.indexOf(name)
  const value = index < 0 ? otherwise : Number(args[index + 1])
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} is a whole number from 1 on`)
  return value
}
