import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { getApi, hostAddress } from '../support/api.ts'
import { type DesktopApp, electronArguments, expect, markedEnvironment, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { jsonOf } from '../support/files.ts'
import { expectHeartbeatsDone, resize } from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

/* What a desktop app should offer: menu, windows, links, zoom and theme, start at login. */

/** Clicks an item of the application menu by its id. */
function chooseMenu(electron: ElectronApplication, id: string): Promise<void> {
  return electron.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted)
    if (item === null || item === undefined) throw new Error(`The menu has no ${wanted}`)
    item.click(undefined, BrowserWindow.getAllWindows()[0])
  }, id)
}

function isEnabled(electron: ElectronApplication, id: string): Promise<boolean | undefined> {
  return electron.evaluate(
    ({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.enabled,
    id,
  )
}

async function withWorkspace(
  app: DesktopApp,
  folder: string,
  name: string,
  ...tasks: string[]
): Promise<string> {
  await pulseward(folder, ['add', await writeWorkspace(join(folder, name), ...tasks), '--trust'])
  await expect(app.page.getByRole('link', { name: new RegExp(name) }).first()).toBeVisible()
  const workspaces = await getApi<{ id: string; name: string }[]>(app.dataDirectory, 'workspaces')
  return workspaces.find((each) => each.name === name)?.id ?? ''
}

test('the application menu goes to every screen, and runs and pauses the workspace on screen', async ({
  folder,
  startDesktop,
}) => {
  const { app } = await startDesktop()
  const { electron, page } = app
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  expect(await isEnabled(electron, 'run')).toBe(false)
  const id = await withWorkspace(app, folder, 'backend', 'write')
  await expectHeartbeatsDone(page, 1)
  // The menu learns which workspace is on screen from a separate message.
  await expect.poll(() => isEnabled(electron, 'go:contract')).toBe(true)
  for (const tab of ['contract', 'timeline', 'blocked', 'agent', 'setup', 'today']) {
    await chooseMenu(electron, `go:${tab}`)
    await expect(page).toHaveURL(new RegExp(`#/w/${id}/${tab}$`, 'u'))
  }
  await expect.poll(() => isEnabled(electron, 'run')).toBe(true)
  await chooseMenu(electron, 'run')
  await expectHeartbeatsDone(page, 2)
  await chooseMenu(electron, 'pause')
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await expect.poll(() => isEnabled(electron, 'resume')).toBe(true)
  await chooseMenu(electron, 'resume')
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await chooseMenu(electron, 'palette')
  await expect(page.getByRole('dialog', { name: 'Find anything' })).toBeVisible()
  await page.keyboard.press('Escape')
  await chooseMenu(electron, 'keys')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('New window')
  await page.keyboard.press('Escape')
  await chooseMenu(electron, 'go:settings')
  await expect(page).toHaveURL(/#\/settings$/u)
  await expect.poll(() => isEnabled(electron, 'run')).toBe(false)
  await chooseMenu(electron, 'updates')
  await expect(page).toHaveURL(/#\/settings\/updates$/u)
  await expect(page.getByText('This build has no update source')).toBeVisible()
  await chooseMenu(electron, 'diagnostics')
  await expect.poll(() => electron.evaluate(({ clipboard }) => clipboard.readText())).toMatch(/✓ git:/u)
})

test('no two menu items share a key', async ({ startDesktop }) => {
  const { app } = await startDesktop()
  const accelerators = await app.electron.evaluate(({ Menu }) => {
    const items = (Menu.getApplicationMenu()?.items ?? []).flatMap(({ submenu }) => submenu?.items ?? [])
    return items.flatMap(({ accelerator }) => (accelerator ? [accelerator] : []))
  })
  expect(accelerators).toContain('CmdOrCtrl+K')
  expect(new Set(accelerators).size).toBe(accelerators.length)
})

test('on Linux the page draws the title bar in its theme, and Alt alone opens the menu below it', async ({
  startDesktop,
}) => {
  test.skip(process.platform !== 'linux', 'the system draws its own in the theme of the app')
  const { app } = await startDesktop()
  await expect(app.page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  const bar = app.page.locator('[data-title]')
  const heightOf = () => bar.evaluate((element) => element.getBoundingClientRect().height)
  await expect(bar).toHaveAttribute('data-title', 'Pulseward')
  await expect.poll(heightOf).toBe(32)
  expect(await app.page.getByRole('main').evaluate((main) => main.getBoundingClientRect().top)).toBe(32)
  const colourOf = () => bar.evaluate((element) => getComputedStyle(element).backgroundColor)
  for (const [theme, colour] of [
    ['dark', 'rgb(13, 15, 18)'],
    ['light', 'rgb(245, 245, 243)'],
  ]) {
    await changeSettings(app.dataDirectory, { theme })
    await expect.poll(colourOf).toBe(colour)
  }
  const opened = await app.electron.evaluate(({ BrowserWindow, Menu }) => {
    const places: unknown[] = []
    const menu = Menu.getApplicationMenu()
    if (menu !== null) menu.popup = (options) => void places.push([options?.x, options?.y])
    const press = (type: string, key: string) =>
      BrowserWindow.getAllWindows()[0]?.webContents.emit(
        'before-input-event',
        { preventDefault: () => undefined },
        { type, key, isAutoRepeat: false },
      )
    const combination = [
      ['keyDown', 'Alt'],
      ['keyDown', 'Tab'],
      ['keyUp', 'Tab'],
      ['keyUp', 'Alt'],
    ]
    const alone = [
      ['keyDown', 'Alt'],
      ['keyUp', 'Alt'],
    ]
    for (const [type = '', key = ''] of [...combination, ...alone]) press(type, key)
    return places
  })
  expect(opened).toEqual([[0, 32]])
})

test('window, zoom and theme are restored at the next start', async ({ startDesktop }) => {
  const first = await startDesktop()
  const { electron, page } = first.app
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await resize(first.app, 820, 610)
  await chooseMenu(electron, 'zoom-in')
  await expect.poll(() => page.evaluate(() => window.devicePixelRatio)).toBeGreaterThan(1)
  await changeSettings(first.app.dataDirectory, { theme: 'dark' })
  await expect.poll(() => isDark(first.app)).toBe(true)
  const bounds = await boundsOf(first.app)
  await expect
    .poll(() => jsonOf(join(first.app.dataDirectory, 'desktop/window.json')))
    .toMatchObject({ bounds: { width: bounds.width, height: bounds.height }, theme: 'dark', zoom: 110 })
  await first.stop()

  const second = await startDesktop()
  await expect(second.app.page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await expect.poll(() => boundsOf(second.app)).toMatchObject({ width: bounds.width, height: bounds.height })
  expect(await isDark(second.app)).toBe(true)
  await expect.poll(() => second.app.page.evaluate(() => window.devicePixelRatio)).toBeGreaterThan(1)
  await chooseMenu(second.app.electron, 'zoom-reset')
  await expect.poll(() => second.app.page.evaluate(() => window.devicePixelRatio)).toBe(1)
})

test('a window whose display is gone opens on one that exists', async ({ folder, startDesktop }) => {
  const first = await startDesktop()
  await expect(first.app.page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await first.app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 9000, y: 9000, width: 700, height: 600 }),
  )
  await first.stop()
  expect(existsSync(join(folder, 'data/desktop/window.json'))).toBe(true)
  const { app } = await startDesktop()
  await expect(app.page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  const seen = await app.electron.evaluate(({ BrowserWindow, screen }) => {
    const bounds = BrowserWindow.getAllWindows()[0]?.getBounds() ?? { x: 0, y: 0, width: 0, height: 0 }
    const { workArea } = screen.getDisplayMatching(bounds)
    return bounds.x < workArea.x + workArea.width && bounds.y < workArea.y + workArea.height
  })
  expect(seen).toBe(true)
})

test('a link opens its screen: in the app that runs, and in one that it starts', async ({
  folder,
  startDesktop,
}) => {
  const first = await startDesktop()
  const id = await withWorkspace(first.app, folder, 'backend', 'write')
  await withWorkspace(first.app, folder, 'inbox', 'sort')
  const open = async (link: string): Promise<void> => {
    const child = spawn(process.env.ELECTRON_PATH ?? '', [...electronArguments(folder), link], {
      env: markedEnvironment(folder),
      stdio: 'ignore',
    })
    await once(child, 'exit')
  }
  await open(`pulseward://w/${id}/timeline`)
  await expect(first.app.page).toHaveURL(new RegExp(`#/w/${id}/timeline$`, 'u'))
  await open('pulseward://w/../../etc/passwd/more/and/more')
  await open('pulseward://settings')
  await expect(first.app.page).toHaveURL(/#\/settings$/u)
  await first.stop()

  const second = await startDesktop(`pulseward://w/${id}/blocked/write`)
  await expect(second.app.page).toHaveURL(new RegExp(`#/w/${id}/blocked/write$`, 'u'))
  await expect(second.app.page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
})

test('two windows stay in sync, and closing one leaves the other open', async ({ folder, startDesktop }) => {
  const { app } = await startDesktop()
  await withWorkspace(app, folder, 'backend', 'write')
  await expectHeartbeatsDone(app.page, 1)
  const opened = app.electron.waitForEvent('window')
  await chooseMenu(app.electron, 'new-window')
  const other: Page = await opened
  await expect(other.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
  await other.getByRole('button', { name: 'Run now' }).click()
  await expectHeartbeatsDone(app.page, 2)
  await app.page.getByRole('button', { name: 'Pause' }).click()
  await app.page.getByRole('menuitem', { name: 'Until I resume' }).click()
  await expect(other.getByRole('button', { name: 'Resume' })).toBeVisible()
  const closed = other.waitForEvent('close')
  await app.electron.evaluate(({ BrowserWindow }, title) => {
    const [newest] = BrowserWindow.getAllWindows().sort((a, b) => b.id - a.id)
    if (newest === undefined) throw new Error(title)
    newest.close()
  }, 'There is no window')
  await closed
  await app.page.getByRole('button', { name: 'Resume' }).click()
  await expect(app.page.getByRole('button', { name: 'Pause' })).toBeVisible()
})

test('start at login writes an autostart entry, and removes it again', async ({ folder, startDesktop }) => {
  test.skip(process.platform !== 'linux', 'elsewhere the system keeps the list itself')
  process.env.XDG_CONFIG_HOME = join(folder, 'config')
  const { app } = await startDesktop()
  delete process.env.XDG_CONFIG_HOME
  await expect(app.page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  const entry = join(folder, 'config/autostart/pulseward.desktop')
  await changeSettings(app.dataDirectory, { startAtLogin: true })
  expect(await readFile(entry, 'utf8')).toMatch(/^Exec=.*"--data-dir=.*" "--hidden"$/mu)
  expect(await getApi(app.dataDirectory, 'desktop')).toMatchObject({ startAtLogin: true, chooseFolder: true })
  await changeSettings(app.dataDirectory, { startAtLogin: false })
  expect(existsSync(entry)).toBe(false)
})

test('a folder is chosen in the system’s own dialog', async ({ folder, startDesktop }) => {
  const { app } = await startDesktop()
  await expect(app.page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await app.electron.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = (() => Promise.resolve({ canceled: false, filePaths: [path] })) as never
  }, folder)
  expect(await postApi(app.dataDirectory, 'desktop/choose-folder')).toEqual({ path: folder })
  await app.electron.evaluate(({ dialog }) => {
    dialog.showOpenDialog = (() => Promise.resolve({ canceled: true, filePaths: [] })) as never
  })
  expect(await postApi(app.dataDirectory, 'desktop/choose-folder')).toEqual({ path: null })
})

function boundsOf({ electron }: DesktopApp): Promise<{ width: number; height: number }> {
  return electron.evaluate(({ BrowserWindow }) => {
    const { width, height } = BrowserWindow.getAllWindows()[0]?.getNormalBounds() ?? { width: 0, height: 0 }
    return { width, height }
  })
}

/** What the system-drawn parts of the window follow; Playwright keeps the page itself in the light theme. */
function isDark({ electron }: DesktopApp): Promise<boolean> {
  return electron.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)
}

async function changeSettings(dataDirectory: string, changes: Record<string, unknown>): Promise<void> {
  const { hash } = await getApi<{ hash: string }>(dataDirectory, 'settings')
  await send(dataDirectory, 'settings', 'PUT', { changes, hash })
}

function postApi(dataDirectory: string, path: string): Promise<unknown> {
  return send(dataDirectory, path, 'POST', {})
}

async function send(dataDirectory: string, path: string, method: string, body: unknown): Promise<unknown> {
  const { url, token } = await hostAddress(dataDirectory)
  const response = await fetch(`${url}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
  return response.json()
}
