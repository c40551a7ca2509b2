import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
// @ts-expect-error -- a plain script, which has no types
import { ensureBuilt } from '../../scripts/ensure-built.mjs'
import { lacksGraphics } from '../../src/main/desktop/graphics.ts'
import { systemClock } from '../../src/main/host/system-clock.ts'
import { createHost } from '../../src/main/host.ts'
import { type Benchmark, markdownTable, median } from '../benchmark.ts'
import type { Figure } from '../figure.ts'

const root = join(import.meta.dirname, '../..')
const ROUNDS = 9
/** Relative to an empty app. */
const FIRST_GOAL = 1.3
const LIVE_GOAL = 1.8
/** An app that has drawn nothing by then is considered broken. */
const LATEST_PAINT_MS = 60_000

/** An app to start, and what must appear on the screen. */
interface App {
  readonly name: string
  readonly args: readonly string[]
  readonly shows: string
}

/** Launches Pulseward and an empty Electron app in turn, and measures from the start of the process to the paint. */
export const launch: Benchmark = {
  question: `How long from launch until anything, and the live score, is on the screen, compared with an empty Electron app? At most ${FIRST_GOAL} and ${LIVE_GOAL} times as long.`,
  options: `[--rounds ${ROUNDS}]   (needs an Electron runtime and a display: ELECTRON_OVERRIDE_DIST_PATH, xvfb-run)`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: { rounds: { type: 'string', default: String(ROUNDS) } },
    })
    report(await timeAll(Number(values.rounds)))
  },
  measure: async () => {
    const [empty, pulseward] = await timeAll(ROUNDS)
    if (empty === undefined || pulseward === undefined) throw new Error('There are two apps.')
    const figure = (name: string, pick: (launch: Launch) => number, goal: number): Figure => ({
      bench: 'launch',
      name,
      value: median(pulseward.times.map(pick)),
      unit: 'ms',
      reference: { name: 'an empty Electron app', value: median(empty.times.map(pick)) },
      goal,
    })
    return [
      figure('from launch until anything is on the screen', ({ firstMs }) => firstMs, FIRST_GOAL),
      figure('from launch until the score is on the screen, and live', ({ shownMs }) => shownMs, LIVE_GOAL),
    ]
  },
}

/** Milliseconds from the start of the process. */
interface Launch {
  /** From the start until the page first drew anything. */
  readonly firstMs: number
  /** From the start until the required content is on the screen. */
  readonly shownMs: number
}

interface Launches {
  readonly name: string
  readonly times: readonly Launch[]
}

async function timeAll(rounds: number): Promise<readonly Launches[]> {
  const program = electronProgram()
  await ensureBuilt(root)
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-launch-'))
  try {
    const apps = [await emptyApp(folder), await pulsewardApp(folder)]
    const times = new Map<App, Launch[]>(apps.map((app) => [app, []]))
    // The first launch of each warms the caches of the disk and the compiler.
    for (const app of apps) await timeLaunch(program, app)
    for (let round = 0; round < rounds; round += 1) {
      for (const app of apps) times.get(app)?.push(await timeLaunch(program, app))
    }
    return apps.map((app) => ({ name: app.name, times: times.get(app) ?? [] }))
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function electronProgram(): string {
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(root, 'node_modules/electron/dist')
  const inside = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'
  const program = join(dist, inside)
  if (existsSync(program)) return program
  throw new Error(`There is no Electron at ${program}: set ELECTRON_OVERRIDE_DIST_PATH.`)
}

async function emptyApp(folder: string): Promise<App> {
  const directory = join(folder, 'empty')
  await mkdir(directory)
  await writeFile(join(directory, 'package.json'), '{"name":"empty","main":"main.js"}')
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>Empty</title><h1>0</h1>')
  await writeFile(
    join(directory, 'main.js'),
    "const { app, BrowserWindow } = require('electron')\napp.whenReady().then(() => new BrowserWindow({ width: 1180, height: 800 }).loadFile('index.html'))\n",
  )
  return { name: 'empty', args: [directory, `--user-data-dir=${join(folder, 'empty-data')}`], shows: 'h1' }
}

/** Uses a data folder with one judged workspace that is paused, so that nothing runs besides the launch. */
async function pulsewardApp(folder: string): Promise<App> {
  const data = join(folder, 'data')
  const host = await createHost({
    dataDirectory: data,
    version: '0.0.0',
    clock: systemClock,
    log: { info: () => {}, warn: console.error, error: console.error },
    notifier: { notify: () => {} },
    pageDirectory: null,
    sampleDirectory: join(root, 'resources/sample'),
    scheduled: false,
    port: 0,
  })
  const { id } = await host.client.workspaces.openSample()
  await host.client.heartbeat.run({ workspace: id, wait: true })
  await host.client.heartbeat.pause({ workspace: id, until: null })
  await host.stop()
  return { name: 'Pulseward', args: [root, `--data-dir=${data}`], shows: '[data-testid="score"]' }
}

async function timeLaunch(program: string, { name, args, shows }: App): Promise<Launch> {
  const startedMs = Date.now()
  const child = spawn(program, ['-r', join(import.meta.dirname, 'probe.cjs'), ...args, ...machineArgs()], {
    env: { ...process.env, LAUNCH_SHOWS: shows },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const late = setTimeout(() => child.kill('SIGKILL'), LATEST_PAINT_MS)
  try {
    const [shownAtMs, firstAtMs] = await paintedAt(name, child)
    return { firstMs: firstAtMs - startedMs, shownMs: shownAtMs - startedMs }
  } finally {
    clearTimeout(late)
    child.kill('SIGTERM')
    await ended
  }
}

/** Returns the arguments that each app needs on this machine, like a checkout that is started by hand; see `lacksGraphics`. */
function machineArgs(): readonly string[] {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const withoutGraphics = lacksGraphics(process.platform) ? ['--disable-gpu'] : []
  return [...asRoot, ...withoutGraphics]
}

async function paintedAt(
  name: string,
  { stdout }: ChildProcess,
): Promise<readonly [shown: number, first: number]> {
  if (stdout === null) throw new Error('The app was started without a pipe.')
  for await (const line of createInterface({ input: stdout })) {
    const [, shown, first] = /^PAINTED (\d+) (\d+|NaN)$/u.exec(line) ?? []
    if (shown !== undefined) return [Number(shown), Number(first)]
  }
  throw new Error(
    `${name} exited, or ${LATEST_PAINT_MS / 1000} s passed, before it had shown anything. Is there a display?`,
  )
}

function report(results: readonly Launches[]): void {
  const shownMs = ({ times }: Launches): number[] => times.map((launch) => launch.shownMs)
  const [empty] = results
  const rows = results.map((app) => [
    app.name,
    `${median(app.times.map(({ firstMs }) => firstMs))}`,
    `${median(shownMs(app))}`,
    `${Math.min(...shownMs(app))}`,
    `${Math.max(...shownMs(app))}`,
    (median(shownMs(app)) / median(empty === undefined ? [] : shownMs(empty))).toFixed(2),
  ])
  console.log(markdownTable(['app', 'first paint (ms)', 'shown (ms)', 'least', 'most', 'ratio'], rows))
}
