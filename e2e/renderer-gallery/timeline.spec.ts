import { expect, type Page } from '@playwright/test'
import { toggleKind } from '../support/page.ts'
import { expectNoSideScrolling, expectNothingForAxe, NARROW, open, test } from './gallery-test.ts'

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

const feed = (page: Page) => page.getByRole('feed', { name: 'Timeline' })
const entry = (page: Page, name: string) => feed(page).getByRole('article', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const count = (page: Page) => page.getByRole('region', { name: 'Timeline' }).getByRole('status')

test('axe finds nothing on the timeline, opened and narrowed down', async ({ gallery }) => {
  await open(gallery, 'eventful', 'timeline')
  await expectNothingForAxe(gallery)
  for (const title of [
    'Contradiction',
    'Claimed done, changed nothing',
    'Contract edited while the agent ran',
    'Thumbs down',
  ]) {
    await feed(gallery).getByRole('button', { name: title }).click()
    await expectNothingForAxe(gallery)
  }
  await open(gallery, 'eventful', 'timeline?text=nowhere&kinds=trust')
  await expect(button(gallery, 'Show everything')).toBeVisible()
  await expectNothingForAxe(gallery)
})

test('the timeline does not scroll sideways at any width', async ({ gallery }) => {
  await gallery.setViewportSize(NARROW)
  await open(gallery, 'eventful', 'timeline/14')
  await expect(gallery.getByRole('figure', { name: 'Difference of HEARTBEAT.md' })).toBeVisible()
  await expectNoSideScrolling(gallery, 'an opened edit')
  await open(gallery, 'full', 'timeline')
  await expect(entry(gallery, 'Contradiction: task_5').first()).toBeVisible()
  await expectNoSideScrolling(gallery, 'full')
})

for (const width of [1280, 800, 480]) {
  test(`the search text can be read while it is typed at ${width} px`, async ({ gallery }) => {
    await gallery.setViewportSize({ width, height: 700 })
    await open(gallery, 'eventful', 'timeline')
    const box = await gallery.getByRole('searchbox', { name: 'Text' }).boundingBox()
    expect(box?.width).toBeGreaterThan(200)
  })
}

test('claim and measurement are side by side, with the sign between them', async ({ gallery }) => {
  await open(gallery, 'eventful', 'timeline')
  const lie = entry(gallery, 'Contradiction: write_report')
  await expect(lie.getByRole('listitem').first()).toHaveText(
    /claimed report\.md written.*measured not written/,
  )
  await expect(lie.getByRole('img', { name: 'does not equal' }).first()).toBeVisible()
  await expect(lie).toContainText('and 1 more')
  await lie.getByRole('button', { name: 'Contradiction' }).click()
  await expect(lie.getByRole('img', { name: 'equals', exact: true })).toBeVisible()
  await expect(lie).toContainText('No file changed.')
  await expect(lie.getByRole('link', { name: 'View attempt' })).toHaveAttribute(
    'href',
    '#/w/backend/attempt/write_report-22',
  )
})

test('the filters of the list are kept in the address and restored from it', async ({ gallery }) => {
  await open(gallery, 'eventful', 'timeline')
  await expect(count(gallery)).toHaveText('20 entries')
  await toggleKind(gallery, 'Verdicts')
  await expect(count(gallery)).toHaveText('4 entries')
  await gallery.getByRole('combobox', { name: 'Task' }).selectOption('check_email')
  await expect(count(gallery)).toHaveText('2 entries')
  expect(new URL(gallery.url()).hash).toBe('#/w/backend/timeline?kinds=verdict&task=check_email')
  await gallery.reload()
  await expect(count(gallery)).toHaveText('2 entries')
  await gallery.getByRole('combobox', { name: 'Task' }).selectOption('')
  await toggleKind(gallery, 'Everything')
  await gallery.getByRole('searchbox', { name: 'Text' }).fill('only THING i')
  await expect(count(gallery)).toHaveText('1 entry')
  await expect(entry(gallery, 'Thumbs down: write_report')).toBeVisible()
  await gallery.getByRole('searchbox', { name: 'Text' }).fill('nothing has this')
  await button(gallery, 'Show everything').click()
  await expect(count(gallery)).toHaveText('20 entries')
})

test('an address opens its entry in the middle of 100,000, and an unknown address opens none', async ({
  gallery,
}) => {
  await open(gallery, 'full', 'timeline/50000')
  const wanted = entry(gallery, 'Contradiction: task_6').and(gallery.locator('[aria-posinset="50001"]'))
  await expect(wanted).toBeInViewport()
  await expect(wanted).toHaveAttribute('aria-setsize', '100000')
  await expect(wanted.getByRole('button', { name: 'Contradiction' })).toHaveAttribute('aria-expanded', 'true')
  await open(gallery, 'full', 'timeline/900000')
  await expect(gallery.getByRole('alert')).toContainText('The linked entry is not shown.')
})

test('a day is reached by its field and by its bar in the chart, even if nothing happened on it', async ({
  gallery,
}) => {
  await open(gallery, 'full', 'timeline')
  const newest = await feed(gallery).getByRole('article').first().locator('time').getAttribute('datetime')
  const daysBefore = (days: number) =>
    new Date(Date.parse(`${newest?.slice(0, 10)}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
  const day = daysBefore(100)
  const field = gallery.getByLabel('Go to day')
  await field.fill(day)
  const newestOfDay = feed(gallery)
    .locator('article:has(h2)')
    .filter({ has: gallery.locator(`time[datetime^="${day}"]`) })
  await expect(newestOfDay).toHaveCount(1)
  await expect(newestOfDay).toBeInViewport()
  expect(new URL(gallery.url()).hash).toBe(`#/w/backend/timeline?day=${day}`)
  // An entry opened there stays in place.
  await newestOfDay.getByRole('button').first().click()
  await expect(newestOfDay.getByRole('button').first()).toHaveAttribute('aria-expanded', 'true')
  await expect(newestOfDay).toBeInViewport()

  await field.fill('2020-01-02')
  await expect(gallery.getByText('Nothing of Thursday 2 January 2020 is among these')).toBeVisible()
  await expect(feed(gallery).locator('article[aria-posinset="100000"]')).toBeInViewport()

  await open(gallery, 'full', '')
  const bar = gallery.locator(`a[href="#/w/backend/timeline?day=${daysBefore(2)}"]`)
  await bar.first().click()
  await expect(gallery.getByLabel('Go to day')).toHaveValue(daysBefore(2))
  await gallery.goBack()
  await gallery.getByRole('button', { name: 'Table' }).click()
  await expect(gallery.getByRole('link', { name: daysBefore(2) })).toBeVisible()
})

test('search matches are marked where they are, also in a reason that is not the first', async ({
  gallery,
}) => {
  await open(gallery, 'eventful', 'timeline?text=cHanged')
  const marked = () =>
    gallery.evaluate(() => [...(CSS.highlights.get('searched') ?? [])].map((range) => String(range)))
  await expect(feed(gallery).getByRole('article').first()).toBeVisible()
  const words = await marked()
  expect(words.length).toBeGreaterThan(0)
  expect(new Set(words.map((each) => each.toLowerCase()))).toEqual(new Set(['changed']))
  // Also in entries opened later, and no longer once the search is cleared.
  await feed(gallery).getByRole('article').first().getByRole('button').first().click()
  await expect.poll(async () => (await marked()).length).toBeGreaterThanOrEqual(words.length)
  await gallery.getByRole('searchbox', { name: 'Text' }).fill('')
  await expect.poll(marked).toEqual([])
})

test('the keyboard goes through the whole list, and an opened entry stays in place', async ({ gallery }) => {
  await open(gallery, 'full', 'timeline')
  const at = (place: number) => gallery.locator(`article[aria-posinset="${place}"]`)
  await at(1).focus()
  await gallery.keyboard.press('j')
  await expect(at(2)).toBeFocused()
  await gallery.keyboard.press('ArrowDown')
  await gallery.keyboard.press('k')
  await expect(at(2)).toBeFocused()
  await gallery.keyboard.press('End')
  await expect(at(100_000)).toBeFocused()
  await expect(at(100_000)).toBeInViewport()
  await gallery.keyboard.press('PageUp')
  await expect(at(99_990)).toBeFocused()
  await gallery.keyboard.press('Enter')
  await expect(at(99_990).getByRole('button').first()).toHaveAttribute('aria-expanded', 'true')
  await expect(at(99_990)).toBeFocused()
  await gallery.keyboard.press('Enter')
  await expect(at(99_990).getByRole('button').first()).toHaveAttribute('aria-expanded', 'false')
  await gallery.keyboard.press('Home')
  await expect(at(1)).toBeFocused()
  await expect(at(1)).toBeInViewport()
})

test('however far you scroll, the page contains only what is near the window', async ({ gallery }) => {
  await open(gallery, 'full', 'timeline')
  const main = gallery.locator('main')
  for (const share of [0.2, 0.7, 0.4, 1]) {
    await main.evaluate((element, to) => element.scrollTo(0, element.scrollHeight * to), share)
    await expect(feed(gallery).locator('article[aria-busy="true"]')).toHaveCount(0)
    expect(await feed(gallery).getByRole('article').count()).toBeLessThan(60)
  }
})

test('a workspace in which nothing has happened says what will appear here', async ({ gallery }) => {
  await open(gallery, 'fresh', 'timeline')
  await expect(gallery.getByText('Nothing has happened yet.')).toBeVisible()
})
