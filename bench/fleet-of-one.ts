import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { localDay, timestamp } from '../src/core/pacing/schedule.ts'
import { addWorkspace } from '../src/main/config/registry.ts'
import { approve, readTrust } from '../src/main/config/trust.ts'
import { systemClock } from '../src/main/host/system-clock.ts'
import { openLedger } from '../src/main/ledger/ledger.ts'
import { type Benchmark, markdownTable, median } from './benchmark.ts'

const DEFAULT_SIZES = [10, 100, 1000]
const ROUNDS = 3
const LONG_AGO_MS = 3 * 60 * 60 * 1000
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** What one start of a host was seen to take. */
interface Start {
  readonly doorMs: number
  readonly openMs: number
  readonly kibibytesEach: number
  readonly filesEach: number
}

/**
 * Starts the built host over so many workspaces whose heartbeats are all due, and prints the time until it answers and until all are
 * open, beside those of an empty host in the same run; then what each takes of memory and of files once it has settled.
 */
export const fleetOfOne: Benchmark = {
  question: 'Does a host with many workspaces answer as soon as an empty one? Door ≤ 1.2 × empty.',
  options: '[sizes: 10 100 1000]',
  run: async (args) => {
    const sizes = args.length === 0 ? DEFAULT_SIZES : args.map(Number)
    if (sizes.some((size) => !Number.isInteger(size) || size < 1)) throw new Error('Sizes are whole numbers.')
    const empty = await measure(0)
    const rows = [rowOf(0, empty, empty)]
    for (const size of sizes) rows.push(rowOf(size, await measure(size), empty))
    const headings = ['workspaces', 'door ms', '× empty', 'all open ms', 'KiB each', 'files each']
    console.log(markdownTable(headings, rows))
  },
}

function rowOf(size: number, start: Start, empty: Start): string[] {
  const each = (value: number): string => (size === 0 ? '–' : value.toFixed(1))
  return [
    String(size),
    start.doorMs.toFixed(0),
    (start.doorMs / empty.doorMs).toFixed(2),
    start.openMs.toFixed(0),
    each((start.kibibytesEach - empty.kibibytesEach) / Math.max(1, size)),
    each((start.filesEach - empty.filesEach) / Math.max(1, size)),
  ]
}

async function measure(size: number): Promise<Start> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-fleet-'))
  try {
    for (let index = 0; index < size; index += 1) await seed(root, index)
    const starts: Start[] = []
    for (let round = 0; round < ROUNDS; round += 1) starts.push(await startOnce(root))
    const middle = (pick: (start: Start) => number): number => median(starts.map(pick))
    return {
      doorMs: middle(({ doorMs }) => doorMs),
      openMs: middle(({ openMs }) => openMs),
      kibibytesEach: middle(({ kibibytesEach }) => kibibytesEach),
      filesEach: middle(({ filesEach }) => filesEach),
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** A small workspace whose last heartbeat was long ago. */
async function seed(root: string, index: number): Promise<void> {
  const folder = join(root, `workspace-${index}`)
  await mkdir(folder)
  await writeFile(
    join(folder, 'HEARTBEAT.md'),
    '## Tasks\n\n- [ ] write | Write | required | verify: exists("x")\n',
  )
  await writeFile(join(folder, 'pulseward.toml'), '[agent]\ncommand = ["true"]\nsandbox = "off"\n')
  const data = join(root, 'data')
  const { id } = await addWorkspace(data, folder, Date.now())
  const directory = join(data, 'workspaces', id)
  const ledger = await openLedger({
    directory,
    clock: { ...systemClock, nowMs: () => Date.now() - LONG_AGO_MS },
    log: silent,
    localDay: (ms) => localDay(ms, 'local'),
    timestamp: (ms) => timestamp(ms, 'local'),
  })
  const trust = await readTrust(folder, directory)
  if (trust.kind !== 'unapproved') throw new Error(`The workspace cannot be approved: ${trust.kind}.`)
  await approve(folder, directory, trust.currentHash)
  await ledger.append({ type: 'configuration-approved', hash: trust.currentHash })
  await ledger.close()
}

async function startOnce(root: string): Promise<Start> {
  const data = join(root, 'data')
  const program = join(import.meta.dirname, '../bin/pulseward')
  const begunMs = performance.now()
  const host = spawn(process.execPath, [program, 'serve', '--port', '0', '--data-dir', data], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    await firstLine(host)
    const doorMs = performance.now() - begunMs
    const { port, token } = JSON.parse(await readFile(join(data, 'server.json'), 'utf8'))
    await untilAllAreOpen(`http://127.0.0.1:${port}/api/status`, token)
    const openMs = performance.now() - begunMs
    return { doorMs, openMs, ...(await takenBy(host.pid ?? 0)) }
  } finally {
    host.kill('SIGTERM')
    if (host.exitCode === null && host.signalCode === null) await once(host, 'exit')
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error('The host was started without a pipe.')
  for await (const _line of createInterface({ input: stdout })) return
  throw new Error('The host ended without a word. Is it built? npm run build')
}

async function untilAllAreOpen(url: string, token: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const { opening } = (await answer.json()) as { opening: unknown[] }
    if (opening.length === 0) return
    await systemClock.sleep(20)
  }
}

/** As the kernel counts them; nothing where there is no such count. */
async function takenBy(pid: number): Promise<Pick<Start, 'kibibytesEach' | 'filesEach'>> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const files = await readdir(`/proc/${pid}/fd`)
    return { kibibytesEach: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]), filesEach: files.length }
  } catch {
    return { kibibytesEach: Number.NaN, filesEach: Number.NaN }
  }
}
