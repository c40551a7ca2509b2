import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  _electron,
  type Browser,
  test as base,
  chromium,
  type ElectronApplication,
  expect,
  type Page,
} from '@playwright/test'
import { lacksGraphics } from '../../src/main/desktop/graphics.ts'
import { keepResults } from './kept-results.ts'
import { killProcessesOf, MARK, processesOf } from './processes.ts'

export { expect } from '@playwright/test'

export const root = join(import.meta.dirname, '../..')

/** The whole app, in Electron or served to Chromium, with a fresh data folder. */
export interface App {
  readonly page: Page
  readonly dataDirectory: string
  /** `null` if the app is served to a browser. */
  readonly electron: ElectronApplication | null
  /** The process that hosts the app. */
  readonly pid: number
}

export interface Fixtures {
  readonly app: App
  /** Starts the app in Electron with extra arguments; it is quit after the test unless the test has done so. */
  readonly startDesktop: (...args: string[]) => Promise<Started<DesktopApp>>
  /** Starts `pulseward serve` with extra arguments; it is ended after the test unless the test has done so. */
  readonly startHost: (...args: string[]) => Promise<ServeProcess>
  /** A temporary folder, removed after the test; a process that the test leaves running in it fails the test. */
  readonly folder: string
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  folder: async ({}, use) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-e2e-')))
    await use(folder)
    try {
      await expect.poll(() => processesOf(folder), { message: 'what the test left running' }).toEqual([])
    } finally {
      killProcessesOf(folder)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
  startHost: async ({ folder }, use) => {
    const children: ChildProcess[] = []
    await use(async (...args) => {
      const host = await serve(folder, args)
      children.push(host.child)
      return host
    })
    for (const child of children) await endProcess(child)
  },
  startDesktop: async ({ folder }, use) => {
    const stops: (() => Promise<void>)[] = []
    await use(async (...args) => {
      const started = await startElectron(folder, args)
      stops.push(started.stop)
      return started
    })
    for (const stop of stops) await stop()
  },
  app: async ({ folder }, use, testInfo) => {
    const start = testInfo.project.name === 'electron' ? startElectron : startServe
    const { app, stop } = await start(folder)
    const complaints: string[] = []
    app.page.on('pageerror', (error) => complaints.push(error.message))
    await use(app)
    await stop()
    expect(complaints, 'what the page complained of').toEqual([])
  },
})

/** Returns the environment of a test's programs: a person's, with the test's mark, and with ledger seals kept in the test's folder. */
export function markedEnvironment(folder: string): Record<string, string> {
  // The test runner forces colors.
  const { FORCE_COLOR: _forced, DEBUG_COLORS: _debug, ...environment } = process.env
  const inherited = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { ...Object.fromEntries(inherited), XDG_STATE_HOME: join(folder, 'state'), [MARK]: folder }
}

export function dataDirectoryOf(folder: string): string {
  return join(folder, 'data')
}

interface Started<A extends App = App> {
  readonly app: A
  readonly stop: () => Promise<void>
}

export interface DesktopApp extends App {
  readonly electron: ElectronApplication
}

/** Returns the arguments that run the built app in Electron with the test's data folder. */
export function electronArguments(folder: string): string[] {
  // Chromium refuses to start its sandbox as root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  // The installed app decides this itself where there is no graphics processor (`graphics.ts`); a checkout cannot.
  const withoutGraphics = lacksGraphics(process.platform) ? ['--disable-gpu'] : []
  return [root, ...asRoot, ...withoutGraphics, `--data-dir=${dataDirectoryOf(folder)}`]
}

/** Launches the built app in real Electron. */
async function startElectron(folder: string, args: readonly string[] = []): Promise<Started<DesktopApp>> {
  const electron = await _electron.launch({
    executablePath: process.env.ELECTRON_PATH ?? '',
    args: [...electronArguments(folder), ...args],
    env: markedEnvironment(folder),
  })
  keepResults(electron)
  const child = electron.process()
  // Errors that the app itself prints belong in the test's output.
  child.stderr?.on('data', (chunk) => {
    for (const line of String(chunk).split('\n')) if (line.startsWith('pulseward: ')) console.log(line)
  })
  electron.context().setDefaultTimeout(ACTION_MS)
  const page = await electron.firstWindow()
  // The window opens before the host is up, and a command that ran earlier would host by itself.
  await expect.poll(() => existsSync(join(dataDirectoryOf(folder), 'server.json'))).toBe(true)
  return {
    app: { page, dataDirectory: dataDirectoryOf(folder), electron, pid: child.pid ?? 0 },
    stop: async () => {
      if (hasEnded(child)) return
      const ended = once(child, 'exit')
      // The process may end while it is asked to.
      await electron.evaluate(({ app }) => app.quit()).catch(() => undefined)
      await ended
    },
  }
}

/** Starts `pulseward serve` and opens its printed address in Chromium. */
async function startServe(folder: string): Promise<Started> {
  const { child, url } = await serve(folder)
  const { page, close } = await openBrowser()
  await page.goto(url)
  return {
    app: { page, dataDirectory: dataDirectoryOf(folder), electron: null, pid: child.pid ?? 0 },
    stop: async () => {
      await close()
      await endProcess(child)
    },
  }
}

/** As long as an expectation waits. Something that never appears then fails its step, not the whole test four minutes later. */
export const ACTION_MS = 30_000

/** The worker's Chromium, shared because starting one takes longer than most steps of a test. It ends with the worker. */
let launched: Promise<Browser> | null = null

async function workersBrowser(): Promise<Browser> {
  if (launched === null || !(await launched).isConnected())
    launched = chromium.launch({
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
  return launched
}

/** Opens a page in a separate context: it shares no storage with any other. */
export async function openBrowser(): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const context = await (await workersBrowser()).newContext()
  context.setDefaultTimeout(ACTION_MS)
  return { page: await context.newPage(), close: () => context.close() }
}

interface ServeProcess {
  readonly child: ChildProcess
  /** The printed address, which opens the page once. */
  readonly url: string
}

/** Starts `pulseward serve`; the caller has to end it. */
export async function serve(
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServeProcess> {
  const child = spawn(
    process.execPath,
    [join(root, 'bin/pulseward'), 'serve', '--data-dir', dataDirectoryOf(folder), ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...markedEnvironment(folder), ...env } },
  )
  return { child, url: await printedAddress(child) }
}

/** Returns the first address that a program prints on standard output; rejects with its error output if it ends without printing one. */
export async function printedAddress({ stdout, stderr }: ChildProcess): Promise<string> {
  if (stdout === null || stderr === null) throw new Error('The program was started without pipes.')
  let complaints = ''
  stderr.on('data', (chunk) => {
    complaints += chunk
  })
  for await (const line of createInterface({ input: stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url !== undefined) return url
  }
  throw new Error(`The program ended without printing an address: ${complaints}`)
}

/** Asks a process to end and waits for it; returns its exit code, or `null` if a signal ended it. */
export async function endProcess(child: ChildProcess): Promise<number | null> {
  if (!hasEnded(child)) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return child.exitCode
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
