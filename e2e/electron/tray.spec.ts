import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { getApi } from '../support/api.ts'
import { type DesktopApp, endProcess, expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { expectHeartbeatsDone } from '../support/page.ts'
import { configurationOf, writeWorkspace } from '../support/workspaces.ts'

/* The tray's menu, notifications and the badge, read from Electron's main process: what the system would be asked to show. */

interface Shown {
  readonly title: string
  readonly body: string
}

/** Keeps the tray's latest menu and the notifications shown where a test can read them. */
async function watch(electron: ElectronApplication): Promise<void> {
  await electron.evaluate(({ app, Notification }) => {
    const seen = { menu: null as unknown, notifications: [] as unknown[], badge: 0 }
    Object.assign(globalThis, { seen })
    app.on('pulseward-tray-menu' as never, (menu: unknown) => {
      seen.menu = menu
    })
    // Not every Linux desktop has a launcher that shows the badge.
    app.setBadgeCount = (count) => {
      seen.badge = count ?? 0
      return true
    }
    Notification.prototype.show = function show(this: unknown) {
      seen.notifications.push(this)
    }
  })
}

interface Seen {
  readonly menu: Electron.Menu | null
  readonly notifications: Electron.Notification[]
  readonly badge: number
}

function choose(electron: ElectronApplication, id: string): Promise<void> {
  return electron.evaluate((_electron, wanted) => {
    const { menu } = (globalThis as unknown as { seen: Seen }).seen
    const item = menu?.getMenuItemById(wanted)
    if (item === null || item === undefined) throw new Error(`The tray has no ${wanted}`)
    item.click()
  }, id)
}

/** Returns the labels of the tray's menu; those of submenus follow an arrow. */
function labels(electron: ElectronApplication): Promise<string[]> {
  return electron.evaluate(() => {
    const { menu } = (globalThis as unknown as { seen: Seen }).seen
    const walk = (items: readonly Electron.MenuItem[], prefix: string): string[] =>
      items
        .filter(({ type, visible }) => type !== 'separator' && visible)
        .flatMap(({ label, submenu }) => [
          `${prefix}${label}`,
          ...walk(submenu?.items ?? [], `${prefix}${label} → `),
        ])
    return walk(menu?.items ?? [], '')
  })
}

function notifications(electron: ElectronApplication): Promise<Shown[]> {
  return electron.evaluate(() =>
    (globalThis as unknown as { seen: Seen }).seen.notifications.map(({ title, body }) => ({ title, body })),
  )
}

const clickNotification = (electron: ElectronApplication, title: string): Promise<void> =>
  electron.evaluate((_electron, wanted) => {
    const { notifications: all } = (globalThis as unknown as { seen: Seen }).seen
    all.find((each) => each.title === wanted)?.emit('click')
  }, title)

/** The notification when the agent of a folder that `addBlocked` wrote claims its task. */
const LIED = 'inbox: the agent said stuck was done; it was not.'

/** Adds a workspace whose agent does nothing for its one task, which has a single attempt. */
async function addBlocked(folder: string, name: string): Promise<void> {
  const directory = await writeWorkspace(join(folder, name))
  await writeFiles(directory, {
    'HEARTBEAT.md':
      '# A test\n\n## Tasks\n\n- [ ] stuck | Do it | required | verify: exists("never") | max_attempts: 1\n',
    'pulseward.toml': configurationOf('first'),
  })
  await pulseward(folder, ['add', directory, '--trust'])
}

async function idOf(app: DesktopApp, name: string): Promise<string> {
  const workspaces = await getApi<{ id: string; name: string }[]>(app.dataDirectory, 'workspaces')
  return workspaces.find((each) => each.name === name)?.id ?? ''
}

const isShown = ({ electron }: DesktopApp): Promise<boolean> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()))

const titles = async ({ electron }: DesktopApp): Promise<string[]> =>
  (await notifications(electron)).map(({ title }) => title)

/** Hides the window. Waits until it is visible first, because a new window shows itself once its page is ready. */
async function leave(app: DesktopApp, how: 'close' | 'hide'): Promise<void> {
  await expect.poll(() => isShown(app)).toBe(true)
  await app.electron.evaluate(({ BrowserWindow }, way) => BrowserWindow.getAllWindows()[0]?.[way](), how)
  await expect.poll(() => isShown(app)).toBe(false)
}

test('the tray shows each workspace with its score, and its actions work', async ({
  folder,
  startDesktop,
}) => {
  const { app } = await startDesktop()
  const { electron, page } = app
  await watch(electron)
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'R&D'), 'write'), '--trust'])
  await expectHeartbeatsDone(page, 1)
  await addBlocked(folder, 'inbox')
  await expect.poll(() => labels(electron)).toContain('1 blocked task → inbox: stuck')
  const all = await labels(electron)
  expect(all).toContain('R&&D  +10 of 50 · Steady')
  expect(all).toEqual(
    expect.arrayContaining([
      'Pause all',
      'Pause all → Until tomorrow',
      'Overview',
      'Settings…',
      'Quit Pulseward',
    ]),
  )
  const [first, second] = [await idOf(app, 'R&D'), await idOf(app, 'inbox')]

  await test.step('open, and run now', async () => {
    await choose(electron, `open:${first}`)
    await expect(page.getByRole('heading', { level: 1, name: 'R&D' })).toBeVisible()
    await choose(electron, `run:${first}`)
    await expectHeartbeatsDone(page, 2)
  })

  await test.step('pause until tomorrow, and resume', async () => {
    await choose(electron, `pause-day:${first}`)
    const pausedUntil = async () =>
      (
        await getApi<{ id: string; paused: { until: string | null } | null }[]>(
          app.dataDirectory,
          'workspaces',
        )
      ).find(({ id }) => id === first)?.paused?.until
    await expect.poll(pausedUntil).toBeTruthy()
    const until = new Date((await pausedUntil()) ?? '')
    expect([until.getHours(), until.getMinutes(), until > new Date()]).toEqual([0, 0, true])
    await expect.poll(() => labels(electron)).toContain('Resume all')
    await choose(electron, `resume:${first}`)
    await expect.poll(pausedUntil).toBeUndefined()
  })

  await test.step('pause all, and resume all', async () => {
    await expect.poll(() => labels(electron)).not.toContain('Resume all')
    await choose(electron, 'pause-on:')
    await expect.poll(() => labels(electron)).not.toContain('Pause all')
    await choose(electron, 'resume-all')
    await expect.poll(() => labels(electron)).toContain('Pause all')
  })

  await test.step('go to a blocked task with the window closed', async () => {
    await leave(app, 'close')
    // The app asks the desktop first whether it has a tray.
    await expect.poll(() => titles(app)).toContain('Pulseward is still running')
    await choose(electron, `jump:${second}:stuck`)
    await expect.poll(() => isShown(app)).toBe(true)
    await expect(page).toHaveURL(new RegExp(`#/w/${second}/blocked/stuck$`, 'u'))
  })

  await test.step('overview and settings', async () => {
    await choose(electron, 'overview')
    await expect(page).toHaveURL(/#\/overview$/u)
    await choose(electron, 'settings')
    await expect(page).toHaveURL(/#\/settings$/u)
  })

  await test.step('the badge counts what needs the operator', async () => {
    // The blocked task; the lockdown that it caused is not a separate decision.
    const badge = () => electron.evaluate(() => (globalThis as unknown as { seen: Seen }).seen.badge)
    await expect.poll(badge).toBe(1)
    await expect.poll(() => labels(electron)).toContain('1 decision needs your attention')
  })

  await test.step('quitting asks once while an agent runs', async () => {
    await pulseward(folder, ['add', await writeWorkspace(join(folder, 'busy'), 'hold'), '--trust'])
    const busy = await idOf(app, 'busy')
    const stops = async () => (await labels(electron)).filter((label) => label.endsWith('→ Stop now'))
    await expect.poll(stops).toHaveLength(1)
    const asked = await electron.evaluate(async ({ dialog, Menu }) => {
      const messages: string[] = []
      dialog.showMessageBox = async (...args: unknown[]) => {
        messages.push((args.at(-1) as { message: string }).message)
        return { response: 1, checkboxChecked: false }
      }
      Menu.getApplicationMenu()?.getMenuItemById('quit')?.click()
      return messages
    })
    expect(asked).toEqual(['An agent is running in busy.'])
    await choose(electron, `stop:${busy}`)
    await expect.poll(stops).toEqual([])
  })
})

test('lockdown and a blocked task are notified once each, and a click opens their screen', async ({
  folder,
  startDesktop,
}) => {
  const { app } = await startDesktop()
  const { electron, page } = app
  await watch(electron)
  // There is no notification about the workspace on screen.
  await leave(app, 'close')
  await expect.poll(() => titles(app)).toEqual(['Pulseward is still running'])
  await addBlocked(folder, 'inbox')
  await expect
    .poll(() => titles(app))
    .toEqual(['Pulseward is still running', LIED, 'inbox: stuck is blocked'])
  const id = await idOf(app, 'inbox')
  await clickNotification(electron, 'inbox: stuck is blocked')
  await expect.poll(() => isShown(app)).toBe(true)
  await expect(page).toHaveURL(new RegExp(`#/w/${id}/blocked/stuck$`, 'u'))
  await clickNotification(electron, LIED)
  await expect(page).toHaveURL(new RegExp(`#/w/${id}/today$`, 'u'))
  await choose(electron, `run:${id}`).catch(() => undefined)
  await expectHeartbeatsDone(page, 2)
  expect(await notifications(electron)).toHaveLength(3)
})

test('on a desktop without notifications, only the page shows messages', async ({ folder, startDesktop }) => {
  const { app } = await startDesktop()
  await watch(app.electron)
  await app.electron.evaluate(({ Notification }) => {
    Notification.isSupported = () => false
  })
  await expect(app.page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  // There is no message about what the screen already shows.
  await app.page.evaluate(() => {
    location.hash = '#/settings'
  })
  await expect(app.page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await addBlocked(folder, 'inbox')
  const messages = app.page.getByRole('status', { name: 'Messages' })
  // The message about the standing comes first, and leads elsewhere.
  await expect(messages).toContainText('stuck is blocked')
  // It covers no part of the screen.
  const overlap = await app.page
    .getByRole('main')
    .evaluate(
      (main) =>
        main.getBoundingClientRect().bottom -
        (document.querySelector('[aria-label="Messages"]')?.getBoundingClientRect().top ?? 0),
    )
  expect(overlap).toBeLessThanOrEqual(0)
  await messages.getByRole('link', { name: 'View' }).last().click()
  await expect(app.page).toHaveURL(/\/blocked\/stuck$/u)
  expect(await notifications(app.electron)).toEqual([])
})

test('the desktop app notifies about events of another process’s host while it shows that host', async ({
  folder,
  startDesktop,
  startHost,
}) => {
  const { child } = await startHost()
  const { app, stop } = await startDesktop()
  await watch(app.electron)
  await expect(app.page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  // There is no notification about the workspace on screen.
  await leave(app, 'hide')
  await addBlocked(folder, 'inbox')
  await expect.poll(() => titles(app)).toEqual([LIED, 'inbox: stuck is blocked'])
  await stop()
  expect(await endProcess(child)).toBe(0)
})
