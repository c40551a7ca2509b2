import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { _electron, test as base, chromium, type ElectronApplication, type Page } from '@playwright/test'

const root = join(import.meta.dirname, '../..')

/** The whole app, in Electron or served to Chromium, over a fresh data folder. */
export interface App {
  readonly page: Page
  readonly dataDirectory: string
  /** `null` where the app is served to a browser. */
  readonly electron: ElectronApplication | null
  /** The process that hosts the app. */
  readonly pid: number
}

export interface Fixtures {
  readonly app: App
  /** A temporary folder that goes with the test. */
  readonly folder: string
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'pulseward-e2e-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
  app: async ({ folder }, use, testInfo) => {
    const dataDirectory = join(folder, 'data')
    const start = testInfo.project.name === 'electron' ? startElectron : startServe
    const { app, stop } = await start(dataDirectory)
    await use(app)
    await stop()
  },
})

export { expect } from '@playwright/test'

interface Started {
  readonly app: App
  readonly stop: () => Promise<void>
}

/** Launches the built app in real Electron. */
export async function startElectron(dataDirectory: string, args: readonly string[] = []): Promise<Started> {
  const electron = await _electron.launch({
    executablePath: process.env.ELECTRON_PATH ?? '',
    args: [
      root,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--data-dir=${dataDirectory}`,
      ...args,
    ],
  })
  const page = await electron.firstWindow()
  const child = electron.process()
  return {
    app: { page, dataDirectory, electron, pid: child.pid ?? 0 },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'exit')
      await electron.evaluate(({ app }) => app.quit()).catch(() => undefined)
      await closed
    },
  }
}

/** Starts `pulseward serve` and opens its printed address in Chromium. */
export async function startServe(dataDirectory: string): Promise<Started> {
  const { child, url } = await serve(dataDirectory)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
  const page = await browser.newPage()
  await page.goto(url)
  return {
    app: { page, dataDirectory, electron: null, pid: child.pid ?? 0 },
    stop: async () => {
      await browser.close()
      await endProcess(child)
    },
  }
}

/** Starts `pulseward serve` on a free port; resolves with the address it prints. */
export async function serve(
  dataDirectory: string,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(
    process.execPath,
    [join(root, 'bin/pulseward'), 'serve', '--data-dir', dataDirectory, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url !== undefined) return { child, url }
  }
  throw new Error('pulseward serve ended without printing an address')
}

/** Asks a process to end and waits until it has. */
export async function endProcess(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
  return child.exitCode
}
