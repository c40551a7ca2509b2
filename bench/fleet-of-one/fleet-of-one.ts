import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import pLimit from 'p-limit'
import { systemClock } from '../../src/main/host/system-clock.ts'
import { type Benchmark, markdownTable, median } from '../benchmark.ts'
import { installed } from '../command.ts'
import type { Figure } from '../figure.ts'
import { endAllHosts, type MeasuredHost, startHost } from './measured-host.ts'
import { makeFolder, seedWorkspaces } from './seed.ts'

const DEFAULT_SIZES = [10, 100, 1000]
/** The number of starts of an empty host; all others are compared with their median. */
const EMPTY_STARTS = 5
const IDLE_MS = 10_000
/** Two ticks of the kernel's clock. */
const SAME_PERCENT = 0.2
/** After this many measurements, a host that is still not idle is measured as it is. */
const MOST_LOOKS = 10
/** By then an attempt has written everything that comes after its end. */
const SETTLING_MS = 2_000
/** Heartbeats that are made due while all others rest. */
const DUE = 30
/** The default of a workspace's configuration. */
const INTERVAL_MS = 15 * 60_000
const ADDED = 9
/** The longest that heartbeats run before their host is killed. */
const RUNNING_MS = 2_000
/** Each answer names every workspace: in a host with a thousand, polling more often would be most of its work. */
const POLL_MS = 250
/**
 * Limit for one size, including seeding: a thousand workspaces are opened and paused while heartbeats run. All sizes together
 * stay within the limit that `all` gives a benchmark.
 */
const LIMIT_MS = 6 * 60_000
const PAUSED_AT_ONCE = 8
/** This many are measured again with a workspace's default sandbox. */
const CONTAINED = 100

/** The measurements of one size; `NaN` where this system doesn't provide one. */
interface Seen {
  /** The second start, after a SIGKILL during heartbeats. */
  readonly restartDoorMs: number
  readonly doorMs: number
  /** From SIGINT, sent as soon as the host accepts requests, until the process was gone. */
  readonly interruptedMs: number
  readonly openMs: number
  readonly collectedKib: number
  readonly openFiles: number
  /** Of one core. */
  readonly idlePercent: number
  readonly listMs: number
  readonly addMs: number
  /** Of one core, while the last heartbeats end. */
  readonly busyAddMs: number
  readonly lagsMs: readonly number[]
}

/**
 * Measures the built host over many workspaces whose heartbeats are all due, over HTTP: the time until it answers compared with
 * an empty host, killed during heartbeats and restarted, interrupted during a start. Then, with all of them paused: memory
 * after a collection, files, processor time, the time from a heartbeat's due time until its attempt begins, and adding one
 * more.
 */
export const fleetOfOne: Benchmark = {
  question: 'Does a host with many workspaces answer as soon as an empty one? Door ≤ 1.2 × empty.',
  options: '[sizes: 10 100 1000]',
  run: async (args) => {
    const sizes = args.length === 0 ? DEFAULT_SIZES : args.map(Number)
    if (sizes.some((size) => !Number.isInteger(size) || size < 1)) throw new Error('Sizes are whole numbers.')
    const figures = await measureAll(sizes)
    const rows = figures.map(({ name, value, unit, reference }) => [
      name,
      `${value.toFixed(1)} ${unit}`,
      reference === null ? '' : (value / reference.value).toFixed(2),
    ])
    console.log(markdownTable(['what', 'measured', 'ratio'], rows))
  },
  measure: () => measureAll(DEFAULT_SIZES),
}

/**
 * Measures the sizes one after the other and reports each. If one takes too long, it and all larger ones are left out and
 * listed.
 */
async function measureAll(sizes: readonly number[]): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-fleet-'))
  // Keep the seals of a thousand ledgers out of the user's home folder.
  const { XDG_STATE_HOME: state } = process.env
  process.env.XDG_STATE_HOME = join(folder, 'state')
  try {
    const program = await installed(folder)
    const empty = await measureEmpty(program, join(folder, 'empty'))
    const figures: Figure[] = []
    let smallest: Seen | null = null
    for (const size of sizes) {
      const seen = await withinLimit((signal) =>
        measureSize(program, join(folder, String(size)), size, signal),
      )
      if (seen === null) {
        console.error(
          `  ${size} workspaces: not within ${LIMIT_MS / 60_000} minutes; left out with all larger sizes`,
        )
        break
      }
      smallest ??= seen
      const its = figuresOf(size, seen, empty, smallest)
      figures.push(...its)
      for (const { name, value, unit } of its) console.error(`  ${name}: ${value.toFixed(1)} ${unit}`)
    }
    if (figures.length > 0 && sizes.includes(CONTAINED)) {
      const contained = await withinLimit((signal) =>
        measureSize(program, join(folder, 'contained'), CONTAINED, signal, true),
      )
      figures.push(...(contained === null ? [] : containedFigures(contained)))
    }
    if (figures.length === 0) throw new Error('Not even the smallest size was measured in time.')
    return figures
  } finally {
    endAllHosts()
    if (state === undefined) delete process.env.XDG_STATE_HOME
    else process.env.XDG_STATE_HOME = state
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Returns `null` if the work was not done in time; by then it has stopped, and the hosts that it started have ended. */
async function withinLimit(work: (signal: AbortSignal) => Promise<Seen>): Promise<Seen | null> {
  const late = new AbortController()
  const timer = setTimeout(() => {
    late.abort()
    endAllHosts()
  }, LIMIT_MS)
  try {
    return await work(late.signal)
  } catch (error) {
    if (late.signal.aborted) return null
    throw error
  } finally {
    clearTimeout(timer)
  }
}

type Empty = Pick<Seen, 'doorMs' | 'collectedKib' | 'openFiles' | 'idlePercent'>

async function measureEmpty(program: string, data: string): Promise<Empty> {
  await mkdir(data, { recursive: true })
  const doors: number[] = []
  for (let start = 0; start < EMPTY_STARTS; start += 1) {
    const host = await startHost(program, data)
    doors.push(host.doorMs)
    await host.end('SIGTERM')
  }
  const host = await startHost(program, data)
  try {
    await systemClock.sleep(RUNNING_MS)
    return { doorMs: median(doors), ...(await atRest(host)) }
  } finally {
    await host.end('SIGTERM')
  }
}

async function measureSize(
  program: string,
  root: string,
  size: number,
  signal: AbortSignal,
  isContained = false,
): Promise<Seen> {
  await mkdir(join(root, 'data'), { recursive: true })
  const resting = await seedWorkspaces(
    root,
    size,
    { paused: Math.min(DUE, Math.ceil(size / 2)), isContained },
    signal,
  )
  const data = join(root, 'data')
  signal.throwIfAborted()
  const first = await startHost(program, data)
  await systemClock.sleep(RUNNING_MS)
  await first.end('SIGKILL')
  signal.throwIfAborted()
  const second = await startHost(program, data)
  const interruptedMs = await second.end('SIGINT')
  signal.throwIfAborted()
  const host = await startHost(program, data)
  try {
    const openMs = (await untilAllAreOpen(host)) - host.startedAtMs
    const ids = (await host.get<{ workspaces: { id: string }[] }>('/api/status')).workspaces.map(
      ({ id }) => id,
    )
    const limit = pLimit(PAUSED_AT_ONCE)
    const pause = (workspace: string) => host.post('/api/heartbeat/pause', { workspace, until: null })
    await Promise.all(ids.filter((id) => !resting.includes(id)).map((id) => limit(() => pause(id))))
    await untilNoneRuns(host)
    const rest = await atRest(host)
    const listMs = await timed(() => host.get('/api/workspaces'))
    const lagsMs = await measureLags(host, resting)
    const busyAddMs = await measureAdding(host, root, 'busy')
    await untilNoneRuns(host)
    await systemClock.sleep(SETTLING_MS)
    return {
      doorMs: first.doorMs,
      restartDoorMs: median([second.doorMs, host.doorMs]),
      interruptedMs,
      openMs,
      ...rest,
      listMs,
      lagsMs,
      busyAddMs,
      addMs: await measureAdding(host, root, 'rest'),
    }
  } finally {
    await host.end('SIGTERM')
  }
}

async function untilAllAreOpen(host: MeasuredHost): Promise<number> {
  for (;;) {
    const { opening } = await host.get<{ opening: unknown[] }>('/api/status')
    if (opening.length === 0) return performance.now()
    await systemClock.sleep(POLL_MS)
  }
}

async function untilNoneRuns(host: MeasuredHost): Promise<void> {
  for (;;) {
    const { workspaces } = await host.get<{ workspaces: { running: unknown }[] }>('/api/status')
    if (workspaces.every(({ running }) => running === null)) return
    await systemClock.sleep(POLL_MS)
  }
}

async function atRest(host: MeasuredHost): Promise<Omit<Empty, 'doorMs'>> {
  const idlePercent = await restingPercent(host)
  return { collectedKib: await host.collectedKib(), openFiles: await host.openFiles(), idlePercent }
}

/**
 * Returns the share of one core once two successive measurements agree: by then everything from pausing a thousand workspaces
 * has been written.
 */
async function restingPercent(host: MeasuredHost): Promise<number> {
  let seen = Number.NaN
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const before = await host.cpuMs()
    await systemClock.sleep(IDLE_MS)
    const last = seen
    seen = (((await host.cpuMs()) - before) / IDLE_MS) * 100
    if (Math.abs(seen - last) <= SAME_PERCENT || Number.isNaN(seen)) break
  }
  return seen
}

/** Measures one after the other, from a heartbeat's due time until its attempt begins. */
async function measureLags(host: MeasuredHost, ids: readonly string[]): Promise<readonly number[]> {
  const { beganMs, stop } = await host.attempts()
  const lags: number[] = []
  for (const workspace of ids) {
    const dueMs = performance.now()
    await host.post('/api/heartbeat/resume', { workspace })
    await untilBegan(beganMs, workspace, dueMs)
    // If it had not begun when the time was up, it took at least that long.
    lags.push((beganMs.get(workspace) ?? performance.now()) - dueMs)
  }
  stop()
  return lags
}

const PATIENCE_MS = 30_000

async function untilBegan(
  beganMs: ReadonlyMap<string, number>,
  workspace: string,
  fromMs: number,
): Promise<void> {
  while (!beganMs.has(workspace) && performance.now() - fromMs < PATIENCE_MS) await systemClock.sleep(5)
}

/** Returns the milliseconds for adding one more, the median of several. */
async function measureAdding(host: MeasuredHost, root: string, name: string): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < ADDED; index += 1) {
    const path = await makeFolder(root, `added-${name}-${index}`)
    times.push(await timed(() => host.post('/api/workspaces', { path })))
  }
  return median(times)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

function lagFigures(name: string, lagsMs: readonly number[]): readonly Figure[] {
  const sorted = lagsMs.toSorted((a, b) => a - b)
  const quantile = (share01: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share01 * sorted.length))] ?? Number.NaN
  const figure = { bench: 'fleet-of-one', unit: 'ms' as const }
  const words = `${name}: from due until the attempt begins`
  return [
    { ...figure, name: `${words}, p50`, value: quantile(0.5), reference: null, goal: null },
    {
      ...figure,
      name: `${words}, p99`,
      value: quantile(0.99),
      reference: { name: 'interval', value: INTERVAL_MS },
      goal: 0.01,
    },
  ]
}

function containedFigures({ lagsMs }: Seen): readonly Figure[] {
  return lagFigures(`${CONTAINED} workspaces, default sandbox`, lagsMs)
}

function figuresOf(size: number, seen: Seen, empty: Empty, smallest: Seen): readonly Figure[] {
  const many = `${size.toLocaleString('en')} workspaces`
  const figure = { bench: 'fleet-of-one', unit: 'ms' as const, reference: null, goal: null }
  const door = { reference: { name: 'empty host', value: empty.doorMs }, goal: 1.2 }
  const each = (pick: (one: Omit<Empty, 'doorMs'>) => number): number => (pick(seen) - pick(empty)) / size
  const [smallestSize] = DEFAULT_SIZES
  return [
    { ...figure, ...door, name: `${many}, all due: until the door is open`, value: seen.doorMs },
    {
      ...figure,
      ...door,
      name: `${many}: the same after a SIGKILL during heartbeats`,
      value: seen.restartDoorMs,
    },
    { ...figure, name: `${many}: SIGINT during the start, until it is gone`, value: seen.interruptedMs },
    {
      ...figure,
      name: `${many}: until all are open`,
      value: seen.openMs,
      reference: { name: 'empty host', value: empty.doorMs },
    },
    ...lagFigures(many, seen.lagsMs),
    {
      ...figure,
      name: `${many}: memory of each, idle, after a collection`,
      value: each(({ collectedKib }) => collectedKib),
      unit: 'KiB',
      goal: size === smallestSize ? null : 100,
    },
    {
      ...figure,
      name: `${many}: open files of each`,
      value: each(({ openFiles }) => openFiles),
      unit: 'files',
    },
    {
      ...figure,
      name: `${many}: processor while idle, of one core`,
      value: seen.idlePercent,
      unit: '%',
      goal: 1,
    },
    { ...figure, name: `${many}: the list of them`, value: seen.listMs },
    {
      ...figure,
      name: `${many}: adding one more`,
      value: seen.addMs,
      reference: { name: `with ${smallestSize}`, value: smallest.addMs },
      goal: 1.5,
    },
    {
      ...figure,
      name: `${many}: adding one more while heartbeats end`,
      value: seen.busyAddMs,
      reference: { name: `with ${smallestSize}`, value: smallest.busyAddMs },
    },
  ]
}
