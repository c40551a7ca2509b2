import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { getApi } from '../support/api.ts'
import {
  type DesktopApp,
  electronArguments,
  endProcess,
  expect,
  markedEnvironment,
  test,
} from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { expectHeartbeatsDone, score } from '../support/page.ts'
import { agentsOf, processesOf } from '../support/processes.ts'
import { writeWorkspace } from '../support/workspaces.ts'

const isShown = ({ electron }: DesktopApp): Promise<boolean> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()))

/** Starts the app again with the same data folder. */
function startAgain(folder: string): ChildProcess {
  return spawn(process.env.ELECTRON_PATH ?? '', electronArguments(folder), {
    env: markedEnvironment(folder),
    stdio: 'ignore',
  })
}

test('the window closes to the tray, and a second start brings it back', async ({ folder, startDesktop }) => {
  const { app } = await startDesktop()
  const { electron, page } = app
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await expect.poll(() => isShown(app)).toBe(true)

  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await expect.poll(() => isShown(app)).toBe(false)
  expect(await getApi(app.dataDirectory, 'workspaces')).toEqual([])

  const [exitCode] = await once(startAgain(folder), 'exit')
  expect(exitCode).toBe(0)
  await expect.poll(() => isShown(app)).toBe(true)
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
})

test('started at login, it stays in the tray', async ({ folder, startDesktop }) => {
  const { app } = await startDesktop('--hidden')
  await expect(app.page.getByRole('button', { name: 'Open the sample' })).toBeAttached()
  expect(await isShown(app)).toBe(false)
  await once(startAgain(folder), 'exit')
  await expect.poll(() => isShown(app)).toBe(true)
})

/** Records each state that the tray shows afterwards; the returned function gets them. */
async function followTray(
  electron: ElectronApplication,
): Promise<() => Promise<{ shield: string; tooltip: string }[]>> {
  await electron.evaluate(({ app }) => {
    const states: unknown[] = []
    Object.assign(globalThis, { trayStates: states })
    app.on('pulseward-tray' as never, (state: unknown) => states.push(state))
  })
  return () => electron.evaluate(() => (globalThis as unknown as { trayStates: never[] }).trayStates)
}

test('the shield in the tray follows the worst standing of all workspaces', async ({ startDesktop }) => {
  const { app } = await startDesktop()
  const trayStates = await followTray(app.electron)
  const shields = async () => (await trayStates()).map(({ shield }) => shield)
  const lastState = async () => (await trayStates()).at(-1)
  await app.page.getByRole('button', { name: 'Open the sample' }).click()
  await expect.poll(shields).toContain('none')
  await expectHeartbeatsDone(app.page, 1)
  await expect.poll(lastState).toMatchObject({
    shield: 'lockdown',
    tooltip: '2 contradictions, not reviewed\n−87 of 50 sample, 3 not verified · Lockdown',
  })
  await app.page.getByRole('button', { name: 'Pause' }).click()
  await app.page.getByRole('menuitem', { name: 'For an hour' }).click()
  await expect.poll(lastState).toMatchObject({ shield: 'paused' })
})

interface Attempts {
  readonly attempts: readonly {
    readonly taskId: string
    readonly verdict: string | null
    readonly fault: string | null
    readonly points: number
  }[]
}

for (const [how, quit] of [
  ['a quit', (app) => app.electron.evaluate(({ app: each }) => each.quit())],
  ['the end of the session', async (app) => process.kill(app.pid, 'SIGTERM')],
] satisfies [string, (app: DesktopApp) => Promise<unknown>][]) {
  test(`${how} ends a running agent with all that it started, and judges nothing`, async ({
    folder,
    startDesktop,
    startHost,
  }) => {
    const { app } = await startDesktop()
    const ended = once(app.electron.process(), 'exit')
    await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'hold'), '--trust'])
    const agents = () => agentsOf(folder)
    await app.page.getByRole('button', { name: 'hold', exact: true }).click()
    await expect(app.page.getByRole('log', { name: 'Output of the agent' })).toHaveText('Working on hold')
    expect(agents()).not.toEqual([])
    await quit(app).catch(() => undefined)
    await ended
    await expect.poll(() => processesOf(folder)).toEqual([])

    const { child } = await startHost('--port', '0')
    const { attempts } = await getApi<Attempts>(app.dataDirectory, 'attempts')
    await endProcess(child)
    expect(attempts.at(-1)).toMatchObject({
      taskId: 'hold',
      verdict: null,
      fault: 'environment',
      points: 0,
    })
  })
}

test('where `serve` owns the data folder, the window shows the workspaces that it supervises', async ({
  folder,
  startDesktop,
  startHost,
}) => {
  const { child } = await startHost()
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'write'), '--trust'])
  const { app, stop } = await startDesktop()
  await expectHeartbeatsDone(app.page, 1)
  await expect(score(app.page)).toHaveText('10')
  await app.page.getByRole('button', { name: 'Run now' }).click()
  await expectHeartbeatsDone(app.page, 2)
  // When a browser without its cookie opens an address with a spent code, the address is renewed.
  await app.electron.evaluate(async ({ BrowserWindow, session }) => {
    await session.defaultSession.clearStorageData({ storages: ['cookies'] })
    const [window] = BrowserWindow.getAllWindows()
    // The renewed address replaces this one.
    await window?.loadURL(`${new URL(window.webContents.getURL()).origin}/?code=spent`).catch(() => undefined)
  })
  await expectHeartbeatsDone(app.page, 2)
  await stop()
  expect(child.exitCode).toBeNull()
  expect(await endProcess(child)).toBe(0)
})

test('the desktop supervises by itself once the `serve` it showed has ended', async ({
  folder,
  startDesktop,
  startHost,
}) => {
  const { child } = await startHost()
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'write'), '--trust'])
  const { app } = await startDesktop()
  await expectHeartbeatsDone(app.page, 1)
  await endProcess(child)
  await expect.poll(() => app.page.url()).toContain('page.pulseward.invalid')
  await expectHeartbeatsDone(app.page, 1)
  await app.page.getByRole('button', { name: 'Run now' }).click()
  await expectHeartbeatsDone(app.page, 2)
})
