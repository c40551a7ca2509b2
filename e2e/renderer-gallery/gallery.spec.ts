import { expect } from '@playwright/test'
import { expectNoSideScrolling, expectNothingForAxe, NARROW, open, test } from './gallery-test.ts'

/*
 * Every state of the page on fixtures: axe finds nothing in either theme, the real policy refuses nothing, nothing scrolls sideways at any
 * width, and the few things that only fixtures can show on demand.
 */

const SCENARIOS = [
  'empty',
  'usual',
  'full',
  'lockdown',
  'suspended',
  'fresh',
  'untrusted',
  'changed',
  'broken',
  'lost',
  'loading',
]

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

for (const scenario of SCENARIOS) {
  test(`axe finds nothing on ${scenario}`, async ({ gallery }) => {
    await open(gallery, scenario)
    await expectNothingForAxe(gallery)
  })
}

test('axe finds nothing on an opened attempt, the contract and the dialogs', async ({ gallery }) => {
  await open(gallery, 'usual')
  await gallery.getByRole('button', { name: 'write_report', exact: true }).click()
  await gallery.getByText('Output', { exact: true }).click()
  await gallery.getByRole('button', { name: 'Overrule…' }).click()
  await gallery.getByRole('button', { name: 'tidy_inbox', exact: true }).click()
  await gallery.getByRole('button', { name: 'Table' }).click()
  await expectNothingForAxe(gallery)
  await gallery.getByRole('link', { name: /Contract/u }).click()
  await expectNothingForAxe(gallery)
  await open(gallery, 'changed')
  await gallery.getByRole('button', { name: 'Review' }).click()
  await expect(gallery.getByText('What changed since you approved it')).toBeVisible()
  await expectNothingForAxe(gallery)
})

test('nothing scrolls sideways at any width', async ({ gallery }) => {
  await gallery.setViewportSize(NARROW)
  for (const scenario of ['full', 'lockdown', 'changed', 'untrusted', 'empty']) {
    await open(gallery, scenario)
    if (scenario === 'full') await gallery.getByRole('button', { name: 'write_report', exact: true }).click()
    await expectNoSideScrolling(gallery, scenario)
  }
})

test('with forced colors, everything drawn in color is visible, and the current item stands out', async ({
  gallery,
}) => {
  await open(gallery, 'usual')
  const heartbeats = gallery.getByRole('region', { name: 'Heartbeats of today' }).getByRole('button')
  const drawn = () =>
    heartbeats.evaluateAll((buttons) =>
      buttons.map(
        ({ firstElementChild }) => firstElementChild && getComputedStyle(firstElementChild).background,
      ),
    )
  const before = await drawn()
  expect(new Set(before).size).toBeGreaterThan(1)
  await gallery.emulateMedia({ forcedColors: 'active' })
  expect(await drawn()).toEqual(before)
  const lines = await gallery
    .getByRole('navigation', { name: 'Workspace screens' })
    .getByRole('link')
    .filter({ hasText: /./u })
    .evaluateAll((links) => links.map((link) => getComputedStyle(link).borderBottomColor))
  const [current, ...others] = lines
  expect(others).not.toContain(current)
})

test('thumbs change the score at once, by mouse and by key, and say which were given', async ({
  gallery,
}) => {
  await open(gallery, 'usual')
  await gallery.getByRole('button', { name: 'Thumbs down for write_report' }).click()
  await expect(gallery.getByTestId('score')).toHaveText('72')
  await expect(gallery.getByRole('button', { name: 'Thumbs down for write_report' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await gallery.getByRole('button', { name: 'run_tests', exact: true }).focus()
  await gallery.keyboard.press('+')
  await expect(gallery.getByTestId('score')).toHaveText('75')
})

test('rows and heartbeats are reached by keyboard', async ({ gallery }) => {
  await open(gallery, 'usual')
  await gallery.getByRole('button', { name: 'check_email', exact: true }).focus()
  await gallery.keyboard.press('j')
  await expect(gallery.getByRole('button', { name: 'write_report', exact: true })).toBeFocused()
  await gallery.keyboard.press('Enter')
  await expect(gallery.getByRole('article', { name: 'Attempt at write_report' })).toBeVisible()
  const bars = gallery
    .getByRole('region', { name: 'Heartbeats of today' })
    .getByRole('listitem')
    .getByRole('button')
  await bars.last().focus()
  await gallery.keyboard.press('Home')
  await expect(bars.first()).toBeFocused()
})

test('heartbeats of one day do not overlap in the chart', async ({ gallery }) => {
  // Shortly after midnight the day has hardly any heartbeats.
  await gallery.clock.setFixedTime(new Date().setUTCHours(20, 0, 0, 0))
  await open(gallery, 'usual')
  const region = gallery.getByRole('region', { name: 'Heartbeats of today' })
  const buttons = await region.getByRole('listitem').getByRole('button').all()
  const boxes = await Promise.all(buttons.map((button) => button.boundingBox()))
  expect(boxes.length).toBeGreaterThan(5)
  for (const [index, box] of boxes.entries()) {
    const next = boxes[index + 1]
    expect(box?.width).toBeLessThan(30)
    if (next !== undefined)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((next?.x ?? 0) + 0.5)
  }
})

test('output follows its end, without escape sequences and within its limit', async ({ gallery }) => {
  await open(gallery, 'full')
  await gallery.getByRole('button', { name: 'tidy_inbox', exact: true }).click()
  const log = gallery.getByRole('log', { name: 'Output of the agent' })
  await expect(log).toContainText('the end')
  await expect(log).toContainText(/earlier lines are in the log/u)
  const fromEnd = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)
  await expect.poll(fromEnd).toBeLessThan(24)
  await open(gallery, 'usual')
  await gallery.getByRole('button', { name: 'tidy_inbox', exact: true }).click()
  await expect(log).toContainText('12 messages older than 30 days\nArchiving 7/12\nArchived 7 of 12')
})

test('an explanation shown on focus moves nothing on the screen', async ({ gallery }) => {
  await gallery.setViewportSize({ width: 1280, height: 480 })
  await open(gallery, 'full')
  const main = gallery.getByRole('main')
  // An item below the visible part, scrolled to the middle.
  const word = main.getByRole('button', { name: 'target', exact: true }).last()
  await word.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const places = () =>
    gallery.locator('html, body, main, nav ul').evaluateAll((all) => all.map(({ scrollTop }) => scrollTop))
  expect(Math.max(...(await places()))).toBeGreaterThan(0)
  const before = await places()
  await word.evaluate((element) => element.focus({ preventScroll: true }))
  await expect(gallery.getByRole('tooltip')).toBeAttached()
  expect(await places()).toEqual(before)
  await gallery.keyboard.press('Escape')
  await expect(gallery.getByRole('tooltip')).not.toBeAttached()
  expect(await places()).toEqual(before)
})

test('a pause is undone from its message', async ({ gallery }) => {
  await open(gallery, 'usual')
  await gallery.getByRole('button', { name: 'Pause' }).click()
  await gallery.getByRole('menuitem', { name: 'Until I resume', exact: true }).click()
  await expect(gallery.getByTestId('shield')).toHaveText('Paused')
  await gallery.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
  await expect(gallery.getByTestId('shield')).not.toHaveText('Paused')
})

test('the title shows the score on screen, and that of the workspace with the worst standing', async ({
  gallery,
}) => {
  await open(gallery, 'usual')
  await expect(gallery).toHaveTitle('+82 backend · +5 shop – Pulseward')
})

test('days below the chart use the system’s colors, whatever the theme', async ({ gallery }) => {
  await gallery.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await open(gallery, 'usual')
  const today = gallery.locator('svg text[data-today="true"]')
  const text = await gallery.evaluate(() => getComputedStyle(document.body).color)
  await expect(today).toHaveCSS('fill', text)
})

test('a finding that contradicts no claim is called a finding, by row, card, message and sign', async ({
  gallery,
}) => {
  await open(gallery, 'findings', '#/overview')
  const row = gallery
    .getByRole('region', { name: 'Decisions' })
    .getByRole('listitem')
    .filter({ hasText: '1 finding, not reviewed.' })
  await expect(row).toHaveAttribute('data-kind', 'finding')
  await open(gallery, 'findings')
  const card = gallery.getByRole('region', { name: 'Findings, not reviewed' })
  await expect(card.getByRole('heading', { level: 2 })).toHaveText('1 finding, not reviewed')
  await expect(card).toContainText('run_tests changed what its check runs, so that it passes.')
  await expect(card.getByRole('img')).toHaveCount(0)
  await expectNothingForAxe(gallery)
  await open(gallery, 'findings', '#/overview')
  await row.getByRole('button', { name: /^Seen/u }).click()
  await expect(gallery.getByRole('status', { name: 'Messages' })).toContainText('1 finding marked as seen')
})
