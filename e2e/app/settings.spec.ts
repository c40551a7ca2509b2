import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { pageAddress } from '../support/api.ts'
import { dataDirectoryOf, expect, openBrowser, test } from '../support/app.ts'
import { jsonOf } from '../support/files.ts'
import {
  addFolder,
  expectHeartbeatsDone,
  expectNoSideScroll,
  expectNothingForAxe,
  resize,
} from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash
  }, address)
}

test('the settings are saved at once, checked while typing, and the same in every window', async ({
  app,
}) => {
  const { page, dataDirectory, electron } = app
  const file = join(dataDirectory, 'settings.json')
  const written = () => jsonOf(file)

  await test.step('a theme applies immediately, and from the start after a restart', async () => {
    // A page that is still loading loses the address it was sent to.
    await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
    await goTo(page, '#/settings')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect.poll(written).toMatchObject({ theme: 'dark' })
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.dataset.themeAtStart = document.documentElement.dataset.theme ?? 'none'
      })
    })
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme-at-start', 'dark')
  })

  await test.step('a wrong value is explained at its field and not saved', async () => {
    await goTo(page, '#/settings')
    const port = page.getByRole('textbox', { name: 'Port', exact: true })
    await port.fill('99999')
    // A form leaves a field empty where the file says null.
    const budget = page.getByRole('textbox', { name: 'Daily budget, in US dollars' })
    await budget.fill('ten')
    await budget.press('Enter')
    await expect(budget).toHaveAccessibleDescription(/Expected a number of US dollars, found "ten"/)
    await budget.press('Escape')
    await expect(port).toHaveAccessibleDescription(/Expected a whole number from 0 to 65535, found "99999"/)
    await expect(port).toHaveAttribute('aria-invalid', 'true')
    await port.press('Enter')
    expect(await written()).not.toHaveProperty('port')
    await port.fill('4170')
    await port.press('Enter')
    await expect.poll(written).toMatchObject({ port: 4170 })
  })

  await test.step('notifications are chosen one by one, with quiet hours', async () => {
    await page.getByRole('checkbox', { name: 'Blocked task' }).uncheck()
    await page.getByRole('checkbox', { name: 'Quiet hours' }).check()
    await page.getByLabel('To', { exact: true }).fill('22:00')
    await expect(page.getByText('It ends when it begins')).toBeVisible()
    await page.getByLabel('To', { exact: true }).fill('06:30')
    await expect.poll(written).toMatchObject({
      notifications: { kinds: { blockedTask: false }, quietHours: { from: '22:00', to: '06:30' } },
    })
  })

  await test.step('what only a desktop can do is offered there, and shown as unavailable elsewhere', async () => {
    await expect(page.getByRole('button', { name: 'Open', exact: true })).toHaveCount(
      electron === null ? 0 : 1,
    )
    await expect(page.getByText('use your browser’s')).toHaveCount(electron === null ? 1 : 0)
    await expect(page.getByText(dataDirectory)).toBeVisible()
    if (electron === null) return
    const opened = await electron.evaluateHandle(({ shell }) => {
      const paths: string[] = []
      shell.openPath = async (path) => {
        paths.push(path)
        return ''
      }
      return paths
    })
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await expect.poll(() => opened.evaluate((paths) => paths)).toEqual([dataDirectory])
  })

  await test.step('axe finds nothing, and everything fits in a narrow window', async () => {
    await page.getByRole('radio', { name: 'System' }).check()
    await expect(page.locator('html')).not.toHaveAttribute('data-theme', 'dark')
    await expectNothingForAxe(app)
    await resize(app, 480, 700)
    await expectNoSideScroll(page)
  })

  await test.step('fields of another version are kept in the file', async () => {
    await writeFile(file, JSON.stringify({ ...Object(await written()), sound: 'gong' }))
    await page.getByRole('checkbox', { name: 'Blocked task' }).check()
    await expect
      .poll(written)
      .toMatchObject({ sound: 'gong', notifications: { kinds: { blockedTask: true } } })
  })
})

test('two windows show the same settings', { tag: '@page' }, async ({ folder, startHost }) => {
  await startHost()
  const [first, second] = await Promise.all([openBrowser(), openBrowser()])
  try {
    for (const { page } of [first, second]) {
      await page.goto(await pageAddress(dataDirectoryOf(folder)))
      await goTo(page, '#/settings')
      await expect(page.getByRole('checkbox', { name: 'Suspension' })).toBeChecked()
    }
    await first.page.getByRole('checkbox', { name: 'Suspension' }).uncheck()
    await expect(second.page.getByRole('checkbox', { name: 'Suspension' })).not.toBeChecked()
    await second.page.getByRole('radio', { name: 'Dark' }).check()
    await expect(first.page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(first.page.getByRole('checkbox', { name: 'Suspension' })).not.toBeChecked()
  } finally {
    await Promise.all([first.close(), second.close()])
  }
})

test('a workspace’s settings are saved to its pulseward.toml without losing a byte', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  const file = join(directory, 'pulseward.toml')
  const before = `# Mine, all of it\n${await readFile(file, 'utf8')}\n[heartbeat]   # often\n  interval_minutes = 30 # minutes\n`
  await writeFile(file, before)
  await addFolder(page, directory)
  await page.getByRole('link', { name: 'Setup' }).click()
  const interval = page.getByRole('textbox', { name: /^Interval in/ })
  const text = page.getByRole('textbox', { name: 'Text of pulseward.toml' })
  const save = page.getByRole('button', { name: 'Save…' })
  const dialog = page.getByRole('dialog', { name: 'Save and approve?' })

  await test.step('the real parser checks what is typed, and reports at the field and the line', async () => {
    await expect(interval).toHaveValue('30')
    await interval.fill('2x')
    await expect(interval).toHaveAccessibleDescription(/Expected a number .*found "2x"/)
    await expect(page.getByRole('button', { name: /^\d+:22 heartbeat\.interval_minutes/ })).toBeVisible()
    await expect(save).toHaveAttribute('aria-disabled', 'true')
    await interval.fill('45')
    await expect(text).toHaveValue(before.replace('= 30 ', '= 45 '))
    await expect(save).toHaveAttribute('aria-disabled', 'false')
    await expectNothingForAxe(app)
  })

  await test.step('a draft survives going to another screen', async () => {
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await page.getByRole('link', { name: 'Setup' }).click()
    await expect(interval).toHaveValue('45')
  })

  await test.step('saving shows what it would run, and approves exactly that', async () => {
    await save.click()
    await expect(dialog.getByRole('heading', { level: 3 }).first()).toHaveText(
      'It would run 2 commands and read 1 file',
    )
    await dialog.getByRole('button', { name: 'Save and approve' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Saved and approved.')).toBeVisible()
    expect(await readFile(file, 'utf8')).toBe(before.replace('= 30 ', '= 45 '))
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await expectHeartbeatsDone(page, 1)
    await page.getByRole('link', { name: 'Setup' }).click()
  })

  await test.step('a file that changes on disk while it is edited is shown, never overwritten', async () => {
    await interval.fill('50')
    await expect(save).toHaveAttribute('aria-disabled', 'false')
    const theirs = `${before}# theirs\n`
    await writeFile(file, theirs)
    const conflict = page.getByRole('region', { name: 'Changed on disk' })
    await expect(conflict).toBeVisible()
    await expect(conflict.getByText(/added: .*# theirs/)).toBeVisible()
    await expect(save).toHaveAttribute('aria-disabled', 'true')
    await expectNothingForAxe(app)
    await conflict.getByRole('button', { name: 'Keep my draft' }).click()
    await save.click()
    await expect(dialog.getByText(/removed: .*45/)).toBeVisible()
    await page.keyboard.press('Escape')
    expect(await readFile(file, 'utf8')).toBe(theirs)
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(text).toHaveValue(theirs)
    await expect(interval).toHaveValue('30')
  })

  await test.step('the raw file is edited beside the form, and both stay in sync', async () => {
    await text.fill(before.replace('30', '12'))
    await expect(interval).toHaveValue('12')
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  await test.step('a search finds a setting, and an address opens a section', async () => {
    const search = page.getByRole('searchbox', { name: 'Find a setting' })
    await search.fill('outside workspace')
    await expect(page.getByRole('textbox', { name: 'Writable outside the workspace' })).toBeVisible()
    await expect(interval).toBeHidden()
    await search.fill('xylophone')
    await expect(page.getByText('No setting has “xylophone” in its name.')).toBeVisible()
    await search.fill('')
    await expect(interval).toBeVisible()
    await page.evaluate(() => {
      location.hash = `${location.hash}/sandbox`
    })
    const section = page.getByRole('region', { name: 'Sandbox' })
    await expect(section).toBeFocused()
    // The default where the file sets nothing.
    await expect(section.getByRole('combobox', { name: 'Sandbox' }).locator('option:checked')).toHaveText(
      'if this machine supports it (default)',
    )
  })

  await test.step('a missing file can be created again from the approved copy', async () => {
    await rm(file)
    const missing = page.getByRole('region', { name: 'No pulseward.toml yet' })
    await missing.getByRole('button', { name: 'Start with the approved copy' }).click()
    await expect(interval).toHaveValue('45')
    await save.click()
    await dialog.getByRole('button', { name: 'Save and approve' }).click()
    await expect(dialog).toBeHidden()
    expect(await readFile(file, 'utf8')).toBe(before.replace('= 30 ', '= 45 '))
  })
})
