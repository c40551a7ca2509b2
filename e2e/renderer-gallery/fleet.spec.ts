import { expect, type Locator, type Page } from '@playwright/test'
import type { FleetCame } from './fleet-feed.ts'
import { expectNoSideScrolling, expectNothingForAxe, NARROW, open, test } from './gallery-test.ts'

/*
 * The screen of a fleet without a host, and with a hundred hosts and a thousand workspaces. For a real center, see e2e/serve/fleet.spec.ts.
 */

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

const list = (page: Page, name: string) => page.getByRole('list', { name })
/** What is visible once a part of the screen has loaded. */
const PARTS: Readonly<Record<string, (page: Page) => Locator>> = {
  '': (page) => list(page, 'Workspaces of the fleet').getByRole('link').first(),
  '/hosts': (page) => list(page, 'Hosts of the fleet').getByRole('link').first(),
  '/leaderboard': (page) => page.getByRole('row').nth(1),
  '/timeline': (page) => page.getByRole('feed', { name: 'Timeline' }).getByRole('article').first(),
  '/workspaces/build-0/backend-0': (page) => page.getByRole('region', { name: 'Last attempts' }),
}

test('axe finds nothing on the screens of a fleet', async ({ gallery }) => {
  for (const [part, shown] of Object.entries(PARTS)) {
    await open(gallery, 'fleet', `#/fleet${part}`)
    await expect(shown(gallery)).toBeVisible()
    await expectNothingForAxe(gallery)
  }
  await open(gallery, 'lonely', '#/fleet')
  await expect(gallery.getByRole('region', { name: 'No host yet' })).toBeVisible()
  await expectNothingForAxe(gallery)
})

test('the screens of a fleet do not scroll sideways at any width', async ({ gallery }) => {
  await gallery.setViewportSize(NARROW)
  for (const [part, shown] of Object.entries(PARTS)) {
    await open(gallery, 'fleet', `#/fleet${part}`)
    await expect(shown(gallery)).toBeVisible()
    await expectNoSideScrolling(gallery, part)
  }
})

test('of a thousand workspaces only the visible ones are drawn, and the keys reach the last one', async ({
  gallery,
}) => {
  await open(gallery, 'fleet', '#/fleet')
  const rows = list(gallery, 'Workspaces of the fleet').getByRole('link')
  await expect(gallery.getByText('1,000 workspaces')).toBeVisible()
  await expect(rows.first()).toBeVisible()
  expect(await rows.count()).toBeLessThan(60)
  await rows.first().focus()
  await gallery.keyboard.press('End')
  await expect(gallery.locator('[data-index="999"]')).toBeFocused()
  await gallery.keyboard.press('Home')
  await expect(gallery.locator('[data-index="0"]')).toBeFocused()
  expect(await rows.count()).toBeLessThan(60)
})

test('a silent host alone has no alarm color, and each refusal says what to do', async ({ gallery }) => {
  await open(gallery, 'fleet', '#/fleet/hosts')
  const hosts = list(gallery, 'Hosts of the fleet')
  // Those that need attention come first.
  const first = hosts.getByRole('listitem').first()
  await expect(first).toContainText('build-3')
  await expect(first).toContainText('3 messages refused')
  await expect(first).toContainText('pulseward fleet hub revoke')
  const colorOf = (text: RegExp) =>
    hosts
      .getByText(text)
      .first()
      .evaluate((element) => getComputedStyle(element).color)
  expect(await colorOf(/^Down: not heard from/)).toBe(await colorOf(/^heard from/))
})

const feed = (page: Page) => page.getByRole('feed', { name: 'Timeline' })
const entries = (page: Page) => feed(page).getByRole('article')
const newest = (page: Page) => page.getByRole('button', { name: 'Show the newest' })
const beginsThere = (page: Page) => page.getByText('The list starts at the linked entry.')

/** Lets an entry arrive at the center while the page is open. */
const lets = (page: Page, came: FleetCame) =>
  page.evaluate((detail) => dispatchEvent(new CustomEvent('fleet-came', { detail })), came)

/** Opens the third entry, and returns its address. */
async function addressOfThird(page: Page): Promise<string> {
  await open(page, 'fleet', '#/fleet/timeline')
  await entries(page).nth(2).getByRole('button').first().click()
  await expect(page).toHaveURL(/#\/fleet\/timeline\/build-\d+\/[^/]+\/\d+$/u)
  return new URL(page.url()).hash
}

test('a late entry appears at its own time while the page is open, and new ones appear on top', async ({
  gallery,
}) => {
  await open(gallery, 'fleet', '#/fleet/timeline')
  await expect(entries(gallery).first()).toBeVisible()
  const nowMs = Date.now()
  await lets(gallery, { title: 'It is new', atMs: nowMs })
  await expect(entries(gallery).first()).toContainText('It is new')
  await lets(gallery, { title: 'It was late', atMs: nowMs - 1 })
  await expect(entries(gallery).nth(1)).toContainText('It was late')
  await expect(entries(gallery).first()).toContainText('It is new')
})

test('after lost entries, a list opened from an address restarts on a click, and then continues automatically', async ({
  gallery,
}) => {
  await addressOfThird(gallery)
  await gallery.reload()
  await expect(beginsThere(gallery)).toBeVisible()
  const nowMs = Date.now()
  await lets(gallery, { title: 'It came amid', atMs: nowMs, isLost: true })
  // A reader of an older entry isn't interrupted; how many new ones there are is unknown.
  await expect(beginsThere(gallery)).toBeVisible()
  await newest(gallery).click()
  await expect(entries(gallery).first()).toContainText('It came amid')
  await expect(beginsThere(gallery)).toHaveCount(0)
  await expect(gallery).toHaveURL(/#\/fleet\/timeline$/u)
  await gallery.locator('h1').click()
  await lets(gallery, { title: 'It is new', atMs: nowMs + 1 })
  await expect(entries(gallery).first()).toContainText('It is new')
  await expect(newest(gallery)).toHaveCount(0)
  // At the top of the list it restarts automatically.
  await lets(gallery, { title: 'It came again', atMs: nowMs + 2, isLost: true })
  await expect(entries(gallery).first()).toContainText('It came again')
})

for (const narrowed of ['?host=build-0', '?kinds=pause'])
  test(`the address of an entry opens it over a list narrowed by ${narrowed}`, async ({ gallery }) => {
    const address = await addressOfThird(gallery)
    await open(gallery, 'fleet', `#/fleet/timeline${narrowed}`)
    await expect(entries(gallery).first().or(gallery.getByText('Nothing like that'))).toBeVisible()
    await gallery.evaluate((hash) => {
      location.hash = hash
    }, address)
    await expect(beginsThere(gallery)).toBeVisible()
    await expect(entries(gallery).first().getByRole('button').first()).toHaveAttribute(
      'aria-expanded',
      'true',
    )
  })

test('the address of an entry opened in a filtered list starts the full list at that entry', async ({
  gallery,
}) => {
  const address = await addressOfThird(gallery)
  const host = /build-\d+/u.exec(address)?.[0]
  await open(gallery, 'fleet', `${address}?host=${host}`)
  await expect(beginsThere(gallery)).toBeVisible()
  await newest(gallery).click()
  await entries(gallery).nth(1).getByRole('button').first().click()
  await expect(gallery).toHaveURL(/\d+\?host=build-/u)
  const opened = new URL(gallery.url()).hash.replace(/\?.*/u, '')
  await gallery.evaluate((hash) => {
    location.hash = hash
  }, opened)
  await expect(beginsThere(gallery)).toBeVisible()
  await expect(entries(gallery).first().getByRole('button').first()).toHaveAttribute('aria-expanded', 'true')
})

test('the leaderboard reaches the last of more than a thousand workspaces, a page at a time', async ({
  gallery,
}) => {
  await open(gallery, 'large', '#/fleet/leaderboard')
  const pages = gallery.getByRole('navigation', { name: 'Pages of the leaderboard' })
  const turn = (name: string) => pages.getByRole('button', { name, exact: true })
  await expect(pages.getByRole('status')).toHaveText('1 to 50 of 1200')
  await expect(gallery.getByRole('row')).toHaveCount(51)
  await expect(turn('Previous')).toHaveAttribute('aria-disabled', 'true')
  await turn('Next').click()
  await expect(pages.getByRole('status')).toHaveText('51 to 100 of 1200')
  await expect(gallery.getByRole('row').nth(1).getByRole('cell').first()).toHaveText('51')
  await turn('Last').click()
  await expect(pages.getByRole('status')).toHaveText('1151 to 1200 of 1200')
  await expect(gallery.getByRole('row').last()).toContainText('build-')
  await expect(turn('Next')).toHaveAttribute('aria-disabled', 'true')
  await expectNothingForAxe(gallery)
  await turn('First').click()
  await expect(pages.getByRole('status')).toHaveText('1 to 50 of 1200')
})
