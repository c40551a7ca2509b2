import { expect } from '@playwright/test'
import { expectNoSideScrolling, expectNothingForAxe, NARROW, open, test } from './gallery-test.ts'

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

test('axe finds nothing on permission requests', async ({ gallery }) => {
  await open(gallery, 'asking')
  await gallery.getByRole('button', { name: 'Always…' }).first().click()
  await expectNothingForAxe(gallery)
})

test('a request is shown word for word, with invisible characters spelled out', async ({ gallery }) => {
  await open(gallery, 'asking')
  const first = gallery.getByRole('article', { name: 'claude asks to run a command' }).first()
  await expect(first).toContainText('npm test && rm -rf mail/\\u{202e}old')
  await expect(first).toContainText(/\d\d s left, then it is denied/u)
  await expect(gallery.getByText('And 1 more after these.')).toBeVisible()
})

test('an answer removes the request, and the next one is shown', async ({ gallery }) => {
  await open(gallery, 'asking')
  const requests = gallery.getByRole('region', { name: 'Permission requests' }).getByRole('article')
  await expect(requests).toHaveCount(3)
  await requests.first().getByRole('button', { name: 'Deny' }).click()
  await expect(gallery.getByText('npm test && rm')).toBeHidden()
  await expect(gallery.getByText('And 1 more')).toBeHidden()
  await requests.first().getByRole('button', { name: 'Allow once' }).press('Enter')
  await expect(requests).toHaveCount(2)
})

test('"always" changes nothing itself: it says which line to write', async ({ gallery }) => {
  await open(gallery, 'asking')
  const [first, second] = await gallery.getByRole('button', { name: 'Always…' }).all()
  await first?.click()
  await expect(gallery.getByText('allow = ["edit", "execute"]')).toBeVisible()
  await second?.click()
  await expect(gallery.getByText('This can’t always be allowed')).toBeVisible()
  await expect(gallery.getByRole('article')).toHaveCount(3)
})

test('permission requests do not scroll sideways at any width', async ({ gallery }) => {
  await gallery.setViewportSize(NARROW)
  await open(gallery, 'asking')
  await gallery.getByRole('button', { name: 'Always…' }).first().click()
  await expectNoSideScrolling(gallery, 'asking')
})
