import { expect } from '@playwright/test'
import { expectNothingForAxe, open, test } from './gallery-test.ts'

/*
 * What is within reach on every screen: past messages, each workspace's menu, the divider of the editor, panels that collapse, and
 * contradictions, shown once.
 */

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

test('axe finds nothing with messages and a workspace’s menu open', async ({ gallery }) => {
  await open(gallery, 'blocked', 'blocked')
  await gallery.getByRole('button', { name: /^Unblock with 13 min 30 s/u }).click()
  await gallery.getByRole('button', { name: /^Messages/u }).click()
  await expect(gallery.getByRole('list', { name: 'Messages so far' })).toContainText('is open again')
  await expectNothingForAxe(gallery)
  await gallery.keyboard.press('Escape')
  await gallery
    .getByRole('navigation')
    .getByRole('link', { name: /backend/u })
    .hover()
  await gallery.getByRole('navigation').getByRole('button', { name: 'More about backend' }).click()
  await expect(gallery.getByRole('menuitem', { name: 'Copy path' })).toBeVisible()
  await expectNothingForAxe(gallery)
})

test('a dismissed message can be read again, also after a restart, and cleared', async ({ gallery }) => {
  await open(gallery, 'blocked', 'blocked')
  await gallery.getByRole('button', { name: /^Unblock with 13 min 30 s/u }).click()
  const messages = gallery.getByRole('status', { name: 'Messages' })
  await messages.getByRole('button', { name: 'Dismiss' }).click()
  await expect(messages).toHaveText('')
  await gallery.getByRole('button', { name: 'Messages 1 new' }).click()
  await expect(gallery.getByRole('list', { name: 'Messages so far' })).toContainText('may take 13 min 30 s')
  // After a restart they are shown unchanged; anything else in the storage is ignored.
  await gallery.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('pulseward-messages') ?? '[]')
    const strange = [
      { ...kept[0], text: 'goes elsewhere', address: 'javascript:alert(1)' },
      { text: 3 },
      null,
      'x',
    ]
    localStorage.setItem('pulseward-messages', JSON.stringify([...strange, ...kept]))
  })
  await gallery.reload()
  await gallery.getByRole('button', { name: 'Messages', exact: true }).click()
  await expect(gallery.getByRole('list', { name: 'Messages so far' }).getByRole('listitem')).toHaveCount(1)
  await expect(gallery.getByRole('list', { name: 'Messages so far' })).toContainText('may take 13 min 30 s')
  await gallery.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(gallery.getByText('No messages.')).toBeVisible()
})

test('a right-click opens the menu of a workspace in the sidebar', async ({ gallery }) => {
  await open(gallery, 'usual')
  const link = gallery.getByRole('navigation').getByRole('link', { name: /website/u })
  await link.hover()
  await expect(gallery.getByRole('button', { name: 'More about website' })).toBeVisible()
  await link.click({ button: 'right' })
  await expect(gallery.getByRole('menuitem', { name: 'Rename and tags…' })).toBeVisible()
})

test('the divider moves with the arrow keys and the pointer, and keeps its position', async ({ gallery }) => {
  await open(gallery, 'usual', 'contract')
  const divider = gallery.getByRole('separator', { name: 'Width of the text' })
  const width = async () => (await gallery.locator('.cm-editor').boundingBox())?.width ?? 0
  const before = await width()
  await divider.press('ArrowRight')
  await expect(divider).toHaveAttribute('aria-valuenow', '55')
  expect(await width()).toBeGreaterThan(before)
  const box = await divider.boundingBox()
  if (box === null) throw new Error('The divider is not drawn')
  await gallery.mouse.move(box.x + 4, box.y + 40)
  await gallery.mouse.down()
  await gallery.mouse.move(box.x - 200, box.y + 40)
  await gallery.mouse.up()
  expect(Number(await divider.getAttribute('aria-valuenow'))).toBeLessThan(50)
  const kept = await divider.getAttribute('aria-valuenow')
  await gallery.reload()
  await expect(divider).toHaveAttribute('aria-valuenow', kept ?? '')
  // The text fills the rest of the window.
  const editor = await gallery.locator('.cm-editor').boundingBox()
  expect((editor?.y ?? 0) + (editor?.height ?? 0)).toBeGreaterThan(680)
})

test('outside of Today a suspension is one line that leads there', async ({ gallery }) => {
  await open(gallery, 'suspended', 'timeline')
  const line = gallery.getByRole('region', { name: 'Suspension' })
  await expect(line.getByRole('textbox')).toHaveCount(0)
  await line.getByRole('link', { name: 'Review' }).click()
  await expect(line.getByRole('textbox', { name: 'What you found' })).toBeVisible()
})

test('what the comparisons show is not repeated in each intervention', async ({ gallery }) => {
  await open(gallery, 'usual')
  await gallery.getByRole('button', { name: 'write_report', exact: true }).click()
  const raised = gallery
    .getByRole('article', { name: 'Attempt at write_report' })
    .getByRole('list', { name: 'Interventions' })
  await expect(raised).toContainText('Claimed done, changed nothing')
  await expect(raised.getByText('claimed', { exact: true }).first()).toBeHidden()
  await raised.getByText('Details').first().click()
  await expect(raised.getByText('claimed', { exact: true }).first()).toBeVisible()
})

test('the palette combines words of different kinds, and changes settings', async ({ gallery }) => {
  await open(gallery, 'lockdown', '#/overview')
  const chosen = gallery.getByRole('option', { selected: true })
  const find = async (words: string): Promise<void> => {
    await gallery.keyboard.press('ControlOrMeta+k')
    await gallery.getByRole('combobox', { name: 'Find anything' }).fill(words)
  }
  await find('run inbox')
  await expect(chosen).toContainText(/Run now.*inbox/u)
  await gallery.keyboard.press('Escape')
  await find('dark')
  await expect(chosen).toContainText('Use the dark theme')
  await gallery.keyboard.press('Enter')
  await expect(gallery.locator('html')).toHaveAttribute('data-theme', 'dark')
  await find('lockdown')
  await expect(chosen).toContainText('backend')
  await gallery.keyboard.press('Enter')
  await expect(gallery.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
})

test('text typed before the palette is loaded goes into it, and answers no decision', async ({ gallery }) => {
  await open(gallery, 'lockdown', '#/overview')
  const rows = gallery.getByRole('region', { name: 'Decisions' }).getByRole('listitem')
  const lie = rows.filter({ has: gallery.getByRole('button', { name: /^Seen/u }) }).first()
  let load = (): void => undefined
  const mayLoad = new Promise<void>((resolve) => {
    load = resolve
  })
  await gallery.route(/\/palette-[^/]*\.js$/u, async (route) => {
    await mayLoad
    await route.fallback()
  })
  await lie.getByRole('button', { name: /^Seen/u }).focus()
  await gallery.keyboard.press('ControlOrMeta+k')
  await gallery.keyboard.type('shop')
  load()
  await expect(gallery.getByRole('combobox', { name: 'Find anything' })).toHaveValue('shop')
  await gallery.keyboard.type('s')
  await expect(gallery.getByRole('combobox', { name: 'Find anything' })).toHaveValue('shops')
  await gallery.keyboard.press('Escape')
  await expect(lie).toBeVisible()
  await expect(gallery.getByRole('status', { name: 'Messages' })).toHaveText('')
})

test('a shortened path is copied in full and read out once', async ({ gallery }) => {
  await open(gallery, 'full')
  const path = 'a.long/path/that/does/not/fit/into/the/column/summary-of-the-day.md'
  const drawn = gallery.getByRole('main').getByTitle(path).first()
  const selected = await drawn.evaluate((element) => {
    getSelection()?.selectAllChildren(element)
    return getSelection()?.toString()
  })
  expect(selected).toBe(path)
  expect((await drawn.ariaSnapshot()).split('summary-of-the-day')).toHaveLength(2)
})

test('in the narrow sidebar each shield names its workspace, standing and score', async ({ gallery }) => {
  await open(gallery, 'usual')
  await gallery.setViewportSize({ width: 700, height: 800 })
  const link = gallery.getByRole('navigation').getByRole('link', { name: /inbox/u })
  await expect(link).toHaveAttribute('title', /^inbox: \S.*, −?\d+ of \d+\n/u)
})

test('each day of the chart shows its figures on hover, and in a table for the keyboard', async ({
  gallery,
}) => {
  await open(gallery, 'usual')
  const days = gallery.getByRole('region', { name: 'Scores of the last seven days' })
  await days.scrollIntoViewIfNeeded()
  await expect(days.locator('svg a title').first()).toHaveText(/: −?\d+ of \d+/u)
  await days.getByRole('button', { name: 'Table' }).press('Enter')
  await expect(days.getByRole('table').getByRole('link')).toHaveCount(8)
})
