import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { type RunningCentre, startCentre } from '../../src/main/fleet/centre.ts'
import { connectHub } from '../../src/main/fleet/connect-hub.ts'
import { addKey, createHub } from '../../src/main/fleet/hub.ts'
import { readCentreFile } from '../../src/main/fleet/pass-file.ts'
import { systemClock } from '../../src/main/host/system-clock.ts'
import { type Benchmark, markdownTable } from '../benchmark.ts'
import { forkHosts, type HostsProcess } from './hosts-process.ts'
import { openWire, type Wire } from './proxy.ts'
import { SILENT } from './simulated-hosts.ts'

/** The number of events that are timed one by one. */
const LAGS = 200
const HOUR_MS = 60 * 60_000
/** How long the connection is cut. */
const CUT_MS = 5_000

interface Sizes {
  readonly hosts: number
  readonly workspaces: number
  readonly events: number
}

/** Everything being measured, while it runs. */
interface Running {
  readonly sizes: Sizes
  readonly root: string
  readonly hub: string
  readonly wire: Wire
  readonly fleet: HostsProcess
  server: ChildProcess
  centre: RunningCentre
  /** Events recorded so far. */
  recorded: number
}

/** Measures what a hub and its center can take, with a real server, and the sending part of each host over its own connection. */
export const fleet: Benchmark = {
  question:
    'How many events per second does the center of a fleet accept, how late are they, how much memory does it use, and what do a killed hub and a cut connection cost?',
  options: '[--hosts 10] [--workspaces 10] [--events 100] [--full: 100, 100, 100]',
  async run(args) {
    const isFull = args.includes('--full')
    const sizes = {
      hosts: numberOf(args, '--hosts', isFull ? 100 : 10),
      workspaces: numberOf(args, '--workspaces', isFull ? 100 : 10),
      events: numberOf(args, '--events', 100),
    }
    const root = await mkdtemp(join(tmpdir(), 'pulseward-bench-fleet-'))
    let running: Running | null = null
    try {
      running = await open(root, sizes)
      await report(running)
    } finally {
      await running?.fleet.stop()
      await running?.centre.stop()
      await running?.wire.close()
      running?.server.kill('SIGTERM')
      await rm(root, { recursive: true, force: true })
    }
  },
}

async function open(root: string, sizes: Sizes): Promise<Running> {
  const hub = join(root, 'hub')
  const port = await freePort()
  await createHub(hub, `127.0.0.1:${port}`, Date.now())
  const keys = []
  for (let each = 0; each < sizes.hosts; each += 1) keys.push(await addKey(hub, `host-${each}`, Date.now()))
  const server = await startServer(hub)
  const centre = await start(root, hub)
  const wire = await openWire(port)
  const url = `tls://127.0.0.1:${wire.port}`
  // One first line, and one for each event that is timed.
  const lines = 1 + sizes.events + LAGS
  const { workspaces } = sizes
  const hosts = await forkHosts({ root, keys, workspaces, lines, url, aheadMs: HOUR_MS })
  const running: Running = { sizes, root, hub, wire, fleet: hosts, server, centre, recorded: 0 }
  // Every host has its streams and every workspace is known, so one-time costs are not measured.
  await recordAll(running, 1)
  return running
}

async function report(running: Running): Promise<void> {
  const { hosts, workspaces, events } = running.sizes
  const share = Math.ceil(events / 4)
  const rows: string[][] = []
  const row = (what: string, count: number, ms: number): void => {
    const found = [what, count.toLocaleString('en'), rateOf(count, ms), seconds(ms)]
    rows.push(found)
    // Report progress, because all of it takes long.
    console.error(found.join(' · '))
  }
  const bare = Math.min(hosts * workspaces * share, 100_000)
  row('published directly by one connection, 500 at once', bare, await publishBare(running.hub, bare))
  const live = await recordAll(running, events - 3 * share)
  row('recorded at once by all, sent, checked, folded and stored', live.count, live.ms)
  const lags = await measureLags(running)
  const killed = await recordAll(running, share, () => killHub(running))
  row('the same, with the hub killed and restarted', killed.count, killed.ms)
  const cut = await recordAll(running, share, () => cutWire(running))
  row(`the same, with all hosts cut off for ${CUT_MS / 1000} s`, cut.count, cut.ms)
  await running.centre.stop()
  const away = await recordAll(running, share, async () => {
    await until(async () => (await running.fleet.ask()).isShipped)
    running.centre = await start(running.root, running.hub)
  })
  row('the same, with the center offline until the hub had all', away.count, away.ms)
  await running.centre.stop()
  await rm(join(running.root, 'fleet.sqlite'))
  const again = await timed(async () => {
    running.centre = await start(running.root, running.hub)
    await untilTaken(running)
  })
  row('rebuilt from the streams', running.recorded, again)
  print(running, rows, lags, (await running.fleet.ask()).bytes)
}

function print(
  running: Running,
  rows: readonly (readonly string[])[],
  lags: readonly number[],
  hostsBytes: number,
): void {
  const { hosts, workspaces } = running.sizes
  const refused = running.centre
    .hosts()
    .reduce((sum, host) => sum + host.refused.length + host.halted.length, 0)
  const first = running.centre.hosts().find(({ host }) => host === 'host-0')
  const late = (share: number): number => Math.round(lags[Math.floor(lags.length * share)] ?? 0)
  const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024)
  const memory = `${mebibytes(process.memoryUsage().rss)} MiB, of all hosts ${mebibytes(hostsBytes)} MiB`
  console.log(
    [
      `${hosts} hosts with ${workspaces} workspaces each, a connection a host; ${running.recorded.toLocaleString('en')} events in all.\n`,
      markdownTable(['what', 'events', 'events a second', 'seconds'], rows),
      `\nFrom a host to the center, one event after the other: ${late(0.5)} ms in the middle, ${late(0.99)} ms for 99 of 100.`,
      `\nMemory of the center: ${memory}. Refused or not sent any more: ${refused}.`,
      `\nThe host whose clock is an hour ahead: ${first?.heard}, its clock ${first?.clockOffsetSeconds} seconds off, ${first?.events} lines received.`,
    ].join('\n'),
  )
}

/**
 * Records this many more lines in every workspace and waits until the center has them; `amid` begins when some of them have
 * arrived.
 */
async function recordAll(
  running: Running,
  lines: number,
  amid: () => Promise<void> = async () => {},
): Promise<{ readonly count: number; readonly ms: number }> {
  const { sizes, fleet: hosts } = running
  const count = sizes.hosts * sizes.workspaces * lines
  running.recorded += count
  const ms = await timed(async () => {
    hosts.record(lines)
    await amid()
    await untilTaken(running)
  })
  return { count, ms }
}

async function untilTaken(running: Running): Promise<void> {
  await until(() => taken(running.centre) >= running.recorded)
}

async function killHub(running: Running): Promise<void> {
  const before = taken(running.centre)
  await until(() => taken(running.centre) > before)
  const gone = once(running.server, 'exit')
  running.server.kill('SIGKILL')
  await gone
  running.server = await startServer(running.hub)
}

async function cutWire({ wire, centre }: Running): Promise<void> {
  const before = taken(centre)
  await until(() => taken(centre) > before)
  wire.cut()
  await systemClock.sleep(CUT_MS)
  wire.heal()
}

/** Returns how long some events take from their host until the center has counted them, in ms, sorted ascending. */
async function measureLags(running: Running): Promise<readonly number[]> {
  const { sizes, fleet: hosts } = running
  const lags: number[] = []
  for (let each = 0; each < LAGS; each += 1) {
    const of = { host: each % sizes.hosts, workspace: Math.floor(each / sizes.hosts) % sizes.workspaces }
    running.recorded += 1
    const work = async (): Promise<void> => {
      hosts.record(1, of)
      await until(() => taken(running.centre) >= running.recorded, 1)
    }
    lags.push(await timed(work))
  }
  return lags.toSorted((one, other) => one - other)
}

/** Publishes as fast as the server accepts, in ms: one connection, one subject, no expected last message. */
async function publishBare(hub: string, total: number): Promise<number> {
  const connection = await connectHub(await readCentreFile(hub))
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: 'BARE', subjects: ['bare'] })
  const client = jetstream(connection)
  // As long as a line of these records.
  const bytes = new Uint8Array(260)
  const publish = () => client.publish('bare', bytes)
  const ms = await timed(async () => {
    for (let sent = 0; sent < total; sent += 500)
      await Promise.all(Array.from({ length: Math.min(500, total - sent) }, publish))
  })
  await connection.close()
  return ms
}

function start(dataDirectory: string, hubDirectory: string): Promise<RunningCentre> {
  return startCentre({
    dataDirectory,
    hubDirectory,
    clock: systemClock,
    log: SILENT,
    notifier: { notify: () => {} },
    timestamp: (ms) => new Date(ms).toISOString(),
  })
}

function taken(centre: RunningCentre): number {
  return centre.hosts().reduce((sum, { events }) => sum + events, 0)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function until(check: () => boolean | Promise<boolean>, everyMs = 50): Promise<void> {
  while (!(await check())) await systemClock.sleep(everyMs)
}

function rateOf(count: number, ms: number): string {
  return Math.round((count / ms) * 1000).toLocaleString('en')
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
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
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number of at least 1`)
  return value
}
