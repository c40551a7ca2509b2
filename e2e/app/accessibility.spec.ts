import type { Page } from '@playwright/test'
import { getApi } from '../support/api.ts'
import { expect, test } from '../support/app.ts'
import { expectHeartbeatsDone, expectNothingForAxe } from '../support/page.ts'

/** Goes to an address of the page and waits until its screen is shown. */
async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash
  }, address)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Loading' })).toHaveCount(0)
}

test('axe finds nothing on any screen of the app with the sample, in either theme', { tag: '@page' }, async ({
  app,
}) => {
  // Every screen, in both themes.
  test.slow()
  const { page } = app
  await test.step('welcome', async () => {
    await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
    await expectNothingForAxe(app)
  })
  await page.getByRole('button', { name: 'Open the sample' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'sample' })).toBeVisible({ timeout: 30_000 })
  await expectHeartbeatsDone(page, 1)
  const workspace = /#\/w\/[^/]+/u.exec(page.url())?.[0] ?? ''
  const { attempts } = await getApi<{ attempts: { attemptId: string }[] }>(app.dataDirectory, 'attempts')
  const screens = {
    today: workspace,
    contract: `${workspace}/contract`,
    timeline: `${workspace}/timeline`,
    blocked: `${workspace}/blocked`,
    agent: `${workspace}/agent`,
    'setup of the workspace': `${workspace}/setup`,
    overview: '#/overview',
    settings: '#/settings',
    'first run': '#/setup',
    attempt: `${workspace}/attempt/${attempts[0]?.attemptId}`,
  }
  for (const [name, address] of Object.entries(screens)) {
    await test.step(name, async () => {
      await goTo(page, address)
      await expectNothingForAxe(app)
    })
  }
})

test('every screen can be reached, read and left with the keyboard alone', { tag: '@page' }, async ({
  app,
}) => {
  const { page } = app
  const { keyboard } = page
  await page.getByRole('button', { name: 'Open the sample' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'sample' })).toBeVisible({ timeout: 30_000 })
  await expectHeartbeatsDone(page, 1)
  const find = async (words: string): Promise<void> => {
    await keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused()
    await keyboard.type(words)
    const palette = page.getByRole('dialog', { name: 'Find anything' })
    await expect(palette.getByRole('option', { selected: true })).toContainText(words)
    await keyboard.press('Enter')
    await expect(palette).toBeHidden()
  }
  for (const [words, address] of [
    ['Contract', /\/contract$/u],
    ['Timeline', /\/timeline$/u],
    ['Blocked tasks', /\/blocked$/u],
    ['Agent', /\/agent$/u],
    ['Overview', /#\/overview$/u],
    ['Settings', /#\/settings$/u],
    ['Set up a folder', /#\/setup$/u],
    ['sample', /#\/w\/sample/u],
  ] as const) {
    await test.step(words, async () => {
      await find(words)
      await expect(page).toHaveURL(address)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      // The focus moves through the screen and returns to its start, so nothing traps it.
      await expectFocusGoesRound(page)
    })
  }
})

/** Checks that the Tab key leads through the screen back to the start: nothing traps the focus, and whatever has it is visible. */
async function expectFocusGoesRound(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('[data-stop]')) element.removeAttribute('data-stop')
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  let first: number | null = null
  let last: number | null = null
  for (let count = 0; count < 200; count += 1) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate((number) => {
      const element = document.activeElement
      if (!(element instanceof HTMLElement) || element === document.body)
        return {
          visited: null,
          seen: true,
          isOfPage: false,
          hasParts: false,
          what: 'the browser’s own controls',
        }
      const { width, height } = element.getBoundingClientRect()
      const visited = element.dataset.stop === undefined ? null : Number(element.dataset.stop)
      element.dataset.stop ??= String(number)
      const hasParts = element instanceof HTMLInputElement && ['time', 'date'].includes(element.type)
      return {
        visited,
        seen: width > 0 && height > 0,
        isOfPage: true,
        hasParts,
        what: element.outerHTML.slice(0, 200),
      }
    }, count)
    expect(stop.seen, `unseen: ${stop.what}`).toBe(true)
    if (stop.visited === null) {
      last = count
      // Starts where the screen left the focus, which may be at the end of the tab order.
      if (stop.isOfPage) first ??= count
      continue
    }
    // The browser's time and date fields have a tab stop for each part, and one for the picker.
    if (stop.hasParts && stop.visited === last && count - last < 4) continue
    expect(stop.visited, `the Tab key is held at ${stop.what}`).toBe(first)
    expect(count, 'stops of the Tab key').toBeGreaterThan(3)
    return
  }
  throw new Error('The Tab key does not come round.')
}
