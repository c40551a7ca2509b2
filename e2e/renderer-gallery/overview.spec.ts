import { expect, type Page } from '@playwright/test'
import { expectNoSideScrolling, expectNothingForAxe, NARROW, open, test } from './gallery-test.ts'

/*
 * The overview and its leaderboard, and the sidebar beside them: with one workspace, several and thirty.
 */

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

const OVERVIEW = '#/overview'
const names = (page: Page, group: string) =>
  page.getByRole('region', { name: group, exact: true }).getByRole('heading', { level: 3 }).allTextContents()

for (const scenario of ['usual', 'full', 'fresh', 'lockdown', 'untrusted']) {
  test(`axe finds nothing on the overview of ${scenario}`, async ({ gallery }) => {
    await open(gallery, scenario, OVERVIEW)
    await expect(gallery.getByRole('table')).toBeAttached()
    await expectNothingForAxe(gallery)
    await gallery.getByRole('button', { name: 'Table' }).click()
    await expectNothingForAxe(gallery)
  })
}

test('the overview does not scroll sideways at any width', async ({ gallery }) => {
  await gallery.setViewportSize(NARROW)
  for (const scenario of ['usual', 'full']) {
    await open(gallery, scenario, OVERVIEW)
    await expect(gallery.getByRole('table')).toBeAttached()
    await expectNoSideScrolling(gallery, scenario)
    await gallery.getByRole('button', { name: 'Table' }).click()
    await expectNoSideScrolling(gallery, `${scenario} as table`)
  }
})

test('a workspace that needs the operator comes first, with the one likely action', async ({ gallery }) => {
  await open(gallery, 'usual', OVERVIEW)
  await expect(gallery.getByText('Can you trust your agents?')).toBeVisible()
  await expect(gallery.getByText('Not all of them.')).toBeVisible()
  expect(await names(gallery, 'Need attention')).toEqual(['shop', 'backend', 'inbox'])
  expect(await names(gallery, 'Running normally')).toEqual(['website', 'sample', 'docs'])
  const backend = gallery.getByRole('article', { name: 'backend' })
  await expect(backend.getByText(/^\d decisions?$/)).toBeVisible()
  // What needs a decision is said once, in the list above.
  await expect(gallery.getByText('2 contradictions, not reviewed.')).toHaveCount(1)
  await expect(backend).toContainText('Outstanding: every 20 minutes')
  await expect(backend.getByRole('list', { name: 'Tasks' })).toHaveText(
    '3 open2 verified2 not verified1 blocked',
  )
  await backend.getByRole('button', { name: 'View at backend' }).click()
  await expect(gallery.getByRole('region', { name: 'Contradictions, not reviewed' })).toBeVisible()
})

test('a paused workspace is resumed on the spot', async ({ gallery }) => {
  await open(gallery, 'usual', OVERVIEW)
  const docs = gallery.getByRole('article', { name: 'docs' })
  await docs.getByRole('button', { name: 'Resume in docs' }).click()
  await expect(docs.getByRole('button', { name: 'Run now in docs' })).toBeVisible()
})

test('thirty workspaces are a list, filtered by name, folder or agent, and cards on request', async ({
  gallery,
}) => {
  await open(gallery, 'full', OVERVIEW)
  const filter = gallery.getByRole('searchbox', { name: 'Filter' })
  const rows = gallery.getByRole('region', { name: 'Workspaces, listed' }).getByRole('listitem')
  await expect(rows).toHaveCount(30)
  await filter.fill('NAME-2')
  await expect(rows).toHaveCount(11)
  await expect(gallery.getByText('11 of 30')).toBeVisible()
  await filter.fill('somebody/with/a/very')
  await expect(rows).toHaveCount(1)
  await filter.fill('البريد')
  await expect(rows).toHaveCount(1)
  await filter.fill('nobody')
  await gallery.getByRole('button', { name: 'Show all' }).click()
  await expect(rows).toHaveCount(30)
  await gallery.getByRole('button', { name: 'Cards' }).click()
  await expect(gallery.getByRole('article')).toHaveCount(30)
  await gallery.reload()
  await expect(gallery.getByRole('article')).toHaveCount(30)
})

test('one cause in six workspaces is one row, and so are the blocked tasks of one workspace; J and K move between rows from anywhere', async ({
  gallery,
}) => {
  await open(gallery, 'grouped', OVERVIEW)
  const rows = gallery.getByRole('region', { name: 'Decisions' }).getByRole('listitem')
  const cause = rows.filter({ hasText: 'codex is not logged in' })
  const stuck = rows.filter({ has: gallery.getByRole('button', { name: 'Review blocked in backend' }) })
  await expect(cause).toHaveCount(1)
  await expect(cause).toContainText('6 workspaces')
  await expect(cause.getByRole('button', { name: /^Retry all/u })).toBeVisible()
  await expect(stuck).toHaveCount(1)
  await expect(stuck).toContainText('6')
  await expectNothingForAxe(gallery)
  await gallery.keyboard.press('j')
  await expect(rows.first().locator(':focus')).toHaveCount(1)
  await gallery.keyboard.press('j')
  await expect(rows.nth(1).locator(':focus')).toHaveCount(1)
  await gallery.keyboard.press('k')
  await expect(rows.first().locator(':focus')).toHaveCount(1)
  await stuck.getByRole('button', { name: 'Review blocked in backend' }).press('Enter')
  await expect(gallery).toHaveURL(/#\/w\/backend\/blocked$/u)
})

test('suspensions for one reason are one row, resumed together with what was found', async ({ gallery }) => {
  await open(gallery, 'grouped', OVERVIEW)
  const rows = gallery.getByRole('region', { name: 'Decisions' }).locator('[data-decision]')
  const idle = rows.filter({ hasText: '3 attempts that changed no file' })
  await expect(idle).toHaveCount(1)
  await expect(idle).toContainText('3 workspaces')
  await expect(rows.filter({ hasText: '2 false claims, after a warning' })).toContainText('idle-4')
  const all = idle.getByRole('button', { name: 'Resume all…' })
  await all.press('Enter')
  await expect(idle.getByRole('textbox', { name: 'What you found' })).toBeFocused()
  await expectNothingForAxe(gallery)
  await gallery.keyboard.press('Escape')
  await expect(all).toBeFocused()
  await gallery.keyboard.press('Enter')
  const resume = idle.getByRole('button', { name: 'Resume 3 workspaces' })
  await expect(resume).toHaveAttribute('aria-disabled', 'true')
  await gallery.keyboard.type('The queue was empty')
  await resume.click()
  await expect(idle).toHaveCount(0)
  await expect(gallery.getByRole('status', { name: 'Messages' })).toContainText('3 workspaces resumed.')
  await expect(rows.filter({ hasText: '2 false claims, after a warning' })).toHaveCount(1)
})

/** A window as usual, a narrow one, and one at 200 %. */
const WINDOWS = [
  { width: 1280, height: 800, decisions: 6 },
  { width: 480, height: 800, decisions: 2 },
  { width: 800, height: 500, decisions: 1 },
]

for (const { decisions, ...size } of WINDOWS) {
  test(`the worst of thirty is in a window of ${size.width} × ${size.height}, without scrolling past the decisions`, async ({
    gallery,
  }) => {
    await gallery.setViewportSize(size)
    await open(gallery, 'full', OVERVIEW)
    const rows = gallery.getByRole('region', { name: 'Workspaces, listed' }).getByRole('listitem')
    await expect(gallery.getByRole('region', { name: 'Decisions' }).getByRole('listitem')).toHaveCount(
      decisions,
    )
    await expect(rows.first()).toBeInViewport({ ratio: 1 })
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(36)
    expect(Math.max(...heights)).toBeLessThanOrEqual(44)
    const aligned = await rows
      .locator('bdi')
      .evaluateAll((names) => names.map((name) => getComputedStyle(name).textAlign))
    expect(new Set(aligned), 'names of either direction begin at the same edge').toEqual(new Set(['left']))
    await expectNoSideScrolling(gallery, `${size.width}`)
    await expectNothingForAxe(gallery)
  })
}

test('filter, order and groups of the list are in one row', async ({ gallery }) => {
  await open(gallery, 'full', OVERVIEW)
  const tops = await gallery
    .getByRole('searchbox', { name: 'Filter' })
    .or(gallery.getByRole('combobox', { name: 'Order' }))
    .or(gallery.getByRole('combobox', { name: 'Group by' }))
    .evaluateAll((fields) => fields.map((field) => Math.round(field.getBoundingClientRect().bottom)))
  expect(new Set(tops).size).toBe(1)
})

test('a list is sorted and grouped as chosen, and remembers both', async ({ gallery }) => {
  await open(gallery, 'full', OVERVIEW)
  const list = gallery.getByRole('region', { name: 'Workspaces, listed' })
  const names = () => list.getByRole('link').locator('bdi').allTextContents()
  await gallery.getByRole('combobox', { name: 'Order' }).selectOption('name')
  const sorted = await names()
  expect(sorted).toEqual(sorted.toSorted((a, b) => a.localeCompare(b)))
  await gallery.getByRole('combobox', { name: 'Group by' }).selectOption('agent')
  await expect(list.getByRole('heading', { level: 3 })).not.toHaveCount(0)
  await expectNothingForAxe(gallery)
  await gallery.reload()
  await expect(gallery.getByRole('combobox', { name: 'Order' })).toHaveValue('name')
  await expect(gallery.getByRole('combobox', { name: 'Group by' })).toHaveValue('agent')
})

test('the seven days show the same as a table, ranked, with today so far', async ({ gallery }) => {
  await open(gallery, 'usual', OVERVIEW)
  const table = gallery.getByRole('table')
  await expect(table.getByRole('row').nth(1)).toContainText('84 %')
  await expect(table.getByRole('row').nth(1)).toContainText('−24 of 82')
  await expect(table.getByRole('row').nth(1)).toContainText('82 of 91, 2 contradictions, running')
  const toggle = gallery.getByRole('button', { name: 'Table' })
  await toggle.press('Enter')
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await table.getByRole('link', { name: 'website' }).click()
  await expect(gallery.getByRole('heading', { level: 1, name: 'website' })).toBeVisible()
})

test('the leaderboard of thirty starts with ten and shows the others on demand', async ({ gallery }) => {
  await open(gallery, 'full', OVERVIEW)
  await gallery.getByRole('button', { name: 'Jump to 7 days' }).click()
  await expect(gallery.getByRole('region', { name: '7 days' })).toBeFocused()
  // The screen scrolls, not the page with its sidebar.
  await expect(gallery.getByRole('link', { name: 'Overview' })).toBeInViewport()
  expect(await gallery.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
  const days = gallery.getByRole('region', { name: '7 days' })
  await days.getByRole('button', { name: 'Show 20 more, 10 of 30 are shown' }).click()
  await expect(days.getByRole('button', { name: /^Show \d+ more/u })).toHaveCount(0)
})

test('the sidebar leads to the overview and shows the workspace on screen, however far down the list it is', async ({
  gallery,
}) => {
  await open(gallery, 'full', '#/w/workspace-with-a-long-name-29')
  const sidebar = gallery.getByRole('navigation', { name: 'Workspaces' })
  const last = sidebar.getByRole('link', { name: /workspace-with-a-long-name-29/u })
  await expect(last).toBeInViewport()
  await expect(last).toHaveAttribute('aria-current', 'page')
  await sidebar.getByRole('link', { name: 'Overview' }).click()
  await expect(sidebar.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page')
  await expect(gallery.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
})

test('without any workspace the overview is the welcome screen', async ({ gallery }) => {
  await open(gallery, 'empty', OVERVIEW)
  await expect(gallery.getByRole('button', { name: 'Add a folder' })).toBeVisible()
})
