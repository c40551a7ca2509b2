import { expect, test } from '../support/app.ts'
import { expectNoSideScroll, expectNothingForAxe, resize } from '../support/page.ts'

test('the documentation can be read in the app by key and through links between pages; an unknown address is reported', async ({
  app,
}) => {
  const { page } = app
  const pages = page.getByRole('navigation', { name: 'Documentation' })
  const title = page.getByRole('heading', { level: 1 })

  await test.step('F1 opens the first page', async () => {
    await expect(title).toHaveText('Know what your agent really did.')
    await page.keyboard.press('F1')
    await expect(pages.getByRole('link', { name: 'The app' })).toHaveAttribute('aria-current', 'page')
    await expectNothingForAxe(app)
  })

  await test.step('a table wider than the page scrolls on its own', async () => {
    await pages.getByRole('link', { name: 'Configuration' }).click()
    await expect(title).toHaveText('Configuration')
    await resize(app, 480, 900)
    await expectNoSideScroll(page)
    await expectNothingForAxe(app)
    await resize(app, 1280, 800)
  })

  await test.step('a link between documents leads to the heading it names, which is then in focus', async () => {
    await pages.getByRole('link', { name: 'How long an attempt may take' }).click()
    await page.getByRole('link', { name: 'verdict table' }).click()
    await expect(title).toHaveText('Verdicts and score')
    await expect(page.getByRole('heading', { name: 'The verdict table' })).toBeFocused()
    await page.goBack()
    await expect(pages.getByRole('link', { name: 'How long an attempt may take' })).toHaveAttribute(
      'aria-current',
      'page',
    )
  })

  await test.step('a help page that does not exist is reported as missing', async () => {
    await page.evaluate(() => {
      location.hash = '#/help/no-such-page'
    })
    await expect(title).toHaveText('No such page')
    await pages.getByRole('link', { name: 'Back to the workspaces' }).click()
    await expect(title).toHaveText('Know what your agent really did.')
  })
})

test('letters of every script that Inter supports are drawn in Inter', { tag: '@page' }, async ({ app }) => {
  const drawnInInter = (letter: string) =>
    app.page.evaluate(async (text) => {
      const faces = await document.fonts.load('14px "Inter Variable"', text)
      return faces.some(({ status, unicodeRange }) => status === 'loaded' && unicodeRange !== 'U+0-10FFFF')
    }, letter)
  for (const letter of ['ł', 'Ж', 'Ω', 'ế']) await expect.poll(() => drawnInInter(letter), letter).toBe(true)
})

test('a hyphen in a name has the width that Inter gives it, not that of a digit', { tag: '@page' }, async ({
  app,
}) => {
  const width = (text: string) =>
    app.page.getByRole('heading', { level: 1 }).evaluate((heading, words) => {
      const probe = document.createElement('bdi')
      probe.append(words)
      heading.append(probe)
      const wide = probe.getBoundingClientRect().width
      probe.remove()
      return wide
    }, text)
  await expect(app.page.getByRole('heading', { level: 1 })).toBeVisible()
  await app.page.evaluate(() => document.fonts.ready)
  expect(await width('----')).toBeLessThan(await width('0000'))
})
