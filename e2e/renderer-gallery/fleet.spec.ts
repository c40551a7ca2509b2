import { expect, type Locator, type Page } from '@playwright/test'
import { expectNoSideScrolling, expectNothingForAxe, open, test } from './gallery-test.ts'

/*
 * The screen of a fleet without a host, and with a hundred hosts and a thousand workspaces. What comes from a real centre is looked at
 * in e2e/serve/fleet.spec.ts.
 */

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

const list = (page: Page, name: string) => page.getByRole('list', { name })
/** What shows that a part of the screen has come. */
const PARTS: Readonly<Record<string, (page: Page) => Locator>> = {
  '': (page) => list(page, 'Workspaces of the fleet').getByRole('link').first(),
  '/hosts': (page) => list(page, 'Hosts of the fleet').getByRole('link').first(),
  '/leaderboard': (page) => page.getByRole('row').nth(1),
  '/timeline': (page) => page.getByRole('feed', { name: 'Timeline' }).getByRole('article').first(),
  '/workspaces/build-0/backend-0': (page) => page.getByRole('region', { name: 'Last attempts' }),
}

for (const theme of ['light', 'dark']) {
  test(`axe finds nothing on the screens of a fleet in the ${theme} theme`, async ({ gallery }) => {
    for (const [part, shown] of Object.entries(PARTS)) {
      await open(gallery, 'fleet', theme, `#/fleet${part}`)
      await expect(shown(gallery)).toBeVisible()
      await expectNothingForAxe(gallery, theme)
    }
    await open(gallery, 'lonely', theme, '#/fleet')
    await expect(gallery.getByRole('region', { name: 'No host yet' })).toBeVisible()
    await expectNothingForAxe(gallery, theme)
  })
}

for (const width of [1280, 700, 480, 360]) {
  test(`the screens of a fleet do not scroll sideways at ${width} px`, async ({ gallery }) => {
    await gallery.setViewportSize({ width, height: 700 })
    for (const [part, shown] of Object.entries(PARTS)) {
      await open(gallery, 'fleet', 'light', `#/fleet${part}`)
      await expect(shown(gallery)).toBeVisible()
      await expectNoSideScrolling(gallery, part)
    }
  })
}

test('of a thousand workspaces those in sight are drawn, and the keys lead to the last one', async ({
  gallery,
}) => {
  await open(gallery, 'fleet', 'light', '#/fleet')
  const rows = list(gallery, 'Workspaces of the fleet').getByRole('link')
  await expect(gallery.getByText('1000 workspaces')).toBeVisible()
  await expect(rows.first()).toBeVisible()
  expect(await rows.count()).toBeLessThan(60)
  await rows.first().focus()
  await gallery.keyboard.press('End')
  await expect(gallery.locator('[data-index="999"]')).toBeFocused()
  await gallery.keyboard.press('Home')
  await expect(gallery.locator('[data-index="0"]')).toBeFocused()
  expect(await rows.count()).toBeLessThan(60)
})

test('silence alone has no colour of alarm, and what was refused comes with what to do', async ({
  gallery,
}) => {
  await open(gallery, 'fleet', 'light', '#/fleet/hosts')
  const hosts = list(gallery, 'Hosts of the fleet')
  // Those with something to look at stand first.
  const first = hosts.getByRole('listitem').first()
  await expect(first).toContainText('build-3')
  await expect(first).toContainText('3 messages refused')
  await expect(first).toContainText('pulseward fleet hub revoke')
  const colourOf = (text: string) =>
    hosts
      .getByText(text, { exact: false })
      .first()
      .evaluate((element) => getComputedStyle(element).color)
  expect(await colourOf('Down: nothing was heard')).toBe(await colourOf('heard of'))
})
