import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { type DesktopApp, expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { expectHeartbeatsDone, expectNothingForAxe } from '../support/page.ts'
import { writeRiggedWorkspace } from '../support/rigging.ts'

/*
 * The small window at the tray, opened as the system opens it: by a click on the shield. Window events (keys, losing the focus) come from
 * the test too, because there is no window manager here and other tests' windows take the focus at any time.
 */

/**
 * Keeps the tray, which the app passes on with each change, where a test can click it, and hides unintended blur events from the window.
 */
async function holdTray(electron: ElectronApplication): Promise<void> {
  await electron.evaluate(({ app }) => {
    app.on('pulseward-tray' as never, (_state: unknown, tray: unknown) => {
      Object.assign(globalThis, { tray })
    })
    app.on('browser-window-created', (_event, window) => {
      const emit = window.emit.bind(window) as (name: string, ...rest: unknown[]) => boolean
      Object.assign(window, {
        leave: () => emit('blur'),
        emit: (name: string, ...rest: unknown[]) => name !== 'blur' && emit(name, ...rest),
      })
    })
  })
}

/** The shield is in the upper right corner of the display. */
const SHIELD = { x: 1200, y: 4, width: 24, height: 24 }

const clickShield = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate((_electron, bounds) => {
    const { tray } = globalThis as unknown as { tray: Electron.Tray }
    tray.emit('click', {}, bounds, bounds)
  }, SHIELD)

/** Returns whether the window with this page is visible, and its bounds. */
async function windowOf(electron: ElectronApplication, page: Page) {
  const handle = await electron.browserWindow(page)
  return {
    isShown: () => handle.evaluate((window) => window.isVisible()),
    bounds: () => handle.evaluate((window) => window.getBounds()),
    preferences: () =>
      handle.evaluate(({ webContents }) =>
        (
          webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
        ).getLastWebPreferences(),
      ),
    leave: () => handle.evaluate((window) => (window as unknown as { leave(): void }).leave()),
    pressEscape: () =>
      handle.evaluate(({ webContents }) => {
        webContents.emit(
          'before-input-event',
          { preventDefault: () => undefined },
          { type: 'keyDown', key: 'Escape' },
        )
      }),
  }
}

/** Adds an agent that makes a false claim, and one whose work waits for review. */
async function addLiars(app: DesktopApp, folder: string): Promise<void> {
  const directory = await writeRiggedWorkspace(
    join(folder, 'sums'),
    '- [ ] rig | Repair the sum | required | verify: changed("**")',
    '- [ ] lie | Write the report | required | verify: exists("out/report.md")',
  )
  const { exitCode, stderr } = await pulseward(folder, ['add', directory, '--trust'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  await expect(app.page.getByRole('heading', { level: 1, name: 'sums' })).toBeVisible()
  await expectHeartbeatsDone(app.page, 1)
}

test('a click on the shield opens the scores, the worst claim and the decisions, which can be answered there', async ({
  folder,
  startDesktop,
}) => {
  const { app } = await startDesktop()
  const { electron, page } = app
  await holdTray(electron)
  await addLiars(app, folder)
  const opened = electron.waitForEvent('window')
  await clickShield(electron)
  const glance = await opened
  const window = await windowOf(electron, glance)
  const scores = glance.getByRole('region', { name: 'Scores' }).getByRole('listitem')
  const lie = glance.getByRole('region', { name: 'Contradictions, not reviewed' })
  const decisions = glance.getByRole('region', { name: 'Decisions' })
  const held = decisions.getByRole('listitem').filter({ hasText: 'rig waits for your review' })

  /** Clicks if it is closed; a click just after closing would be ignored. */
  const openAgain = async (): Promise<boolean> => {
    if (!(await window.isShown())) await clickShield(electron)
    return window.isShown()
  }

  await test.step('it opens beside the shield, as locked down as the other windows', async () => {
    await expect.poll(window.isShown).toBe(true)
    const { x, y, width, height } = await window.bounds()
    const area = await electron.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea)
    expect(y).toBeGreaterThanOrEqual(SHIELD.y + SHIELD.height)
    expect(x + width).toBeLessThanOrEqual(area.x + area.width)
    expect({ width, height }).toEqual({ width: 380, height: 520 })
    expect(await window.preferences()).toMatchObject({
      nodeIntegration: false,
      contextIsolation: true,
      sandbox: true,
      webviewTag: false,
    })
  })

  await test.step('it shows scores and decisions in both themes', async () => {
    await expect(scores).toHaveText(/sums.*Lockdown.*of/u)
    await expect(lie).toContainText(/lie.*−45.*claimed out\/report\.md.*measured not written/su)
    await expect(lie.getByRole('img', { name: 'does not equal' }).first()).toBeVisible()
    await expect(held).toBeVisible()
    await expect(
      decisions
        .getByRole('listitem')
        .filter({ hasText: '1 contradiction and 1 other finding, not reviewed' }),
    ).toBeVisible()
    await expectNothingForAxe({ ...app, page: glance })
  })

  await test.step('a decision is made by key, and undone', async () => {
    await glance.keyboard.press('Tab')
    await expect(glance.getByRole('link', { name: 'Open the window' })).toBeFocused()
    await decisions.getByRole('button', { name: 'Accept' }).focus()
    await glance.keyboard.press('r')
    await expect(held).toHaveCount(0)
    await glance.keyboard.press('ControlOrMeta+z')
    await expect(held).toBeVisible()
  })

  await test.step('Escape or losing the focus closes it', async () => {
    await window.pressEscape()
    await expect.poll(window.isShown).toBe(false)
    await expect.poll(openAgain).toBe(true)
    await window.leave()
    await expect.poll(window.isShown).toBe(false)
  })

  await test.step('a link opens in the app’s window, and the small window stays unchanged', async () => {
    await expect.poll(openAgain).toBe(true)
    await lie.getByRole('link', { name: 'View attempt' }).click()
    await expect(page).toHaveURL(/\/attempt\/[^/]+$/u)
    await expect.poll(window.isShown).toBe(false)
    await expect(glance).toHaveURL(/#\/glance$/u)
    await expect(scores).toHaveCount(1)
  })
})

test('while another process hosts, the small window shows that host’s page', async ({
  folder,
  startDesktop,
  startHost,
}) => {
  const { child } = await startHost()
  const { app, stop } = await startDesktop()
  await holdTray(app.electron)
  await addLiars(app, folder)
  const opened = app.electron.waitForEvent('window')
  await clickShield(app.electron)
  const glance = await opened
  await expect(glance.getByRole('region', { name: 'Contradictions, not reviewed' })).toContainText('lie')
  expect(new URL(glance.url()).origin).toBe(new URL(app.page.url()).origin)
  await stop()
  expect(child.exitCode).toBeNull()
})
