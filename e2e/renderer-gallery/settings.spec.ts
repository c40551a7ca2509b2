import { expect, type Page } from '@playwright/test'
import { expectNoSideScrolling, expectNothingForAxe, NARROW, open, test } from './gallery-test.ts'

/* The settings of the app and of a workspace, and the setup of a folder, on fixtures: both themes, every width, broken input. */

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

async function goTo(gallery: Page, hash: string): Promise<void> {
  await gallery.evaluate((address) => {
    location.hash = address
  }, hash)
}

/** Goes through each step of the setup in turn. */
async function throughSetup(gallery: Page, look: (step: string) => Promise<void>): Promise<void> {
  const next = gallery.getByRole('button', { name: 'Next' })
  await goTo(gallery, '#/setup')
  await expect(gallery.getByText(/on this machine\. Pulseward/)).toBeVisible()
  await look('agent')
  await next.click()
  await gallery.getByRole('textbox', { name: 'Folder' }).fill('/nowhere')
  await next.click()
  await expect(gallery.getByText('There is no folder /nowhere.')).toBeVisible()
  await look('folder')
  await gallery.getByRole('textbox', { name: 'Folder' }).fill('/home/you/notes')
  await next.click()
  await expect(gallery.getByRole('textbox', { name: 'Text of HEARTBEAT.md' })).toBeVisible()
  await expect(next).toHaveAttribute('aria-disabled', 'false')
  await look('contract')
  await next.click()
  await gallery.getByRole('button', { name: 'Try it now' }).click()
  await expect(gallery.getByRole('region', { name: 'Findings' })).toContainText('2 tasks tried')
  await look('dry run')
  await next.click()
  await expect(gallery.getByRole('button', { name: 'Approve and start' })).toBeVisible()
  await look('start')
}

test('axe finds nothing on the settings, with a mistake in them', async ({ gallery }) => {
  await open(gallery, 'usual')
  await goTo(gallery, '#/settings')
  await gallery.getByRole('textbox', { name: 'Port', exact: true }).fill('99999')
  await gallery.getByRole('checkbox', { name: 'Quiet hours' }).check()
  await expect(gallery.getByLabel('From')).toHaveValue('22:00')
  await expect(gallery.getByText('Expected a whole number from 0 to 65535')).toBeVisible()
  await expectNothingForAxe(gallery)
})

test('axe finds nothing on a workspace’s setup, with a mistake in it', async ({ gallery }) => {
  await open(gallery, 'usual', 'setup')
  await expect(gallery.getByRole('textbox', { name: /^Interval in/ })).toHaveAccessibleDescription(
    /Expected a number .* found "soon"/,
  )
  await expectNothingForAxe(gallery)
})

test('axe finds nothing on any step of the setup', async ({ gallery }) => {
  await open(gallery, 'usual')
  await throughSetup(gallery, () => expectNothingForAxe(gallery))
})

test('neither settings nor setup scroll sideways at any width', async ({ gallery }) => {
  await gallery.setViewportSize(NARROW)
  await open(gallery, 'full', 'setup')
  await expect(gallery.getByRole('textbox', { name: /^Interval in/ })).toBeVisible()
  await expectNoSideScrolling(gallery, 'workspace setup')
  await goTo(gallery, '#/settings')
  await expect(gallery.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  await expectNoSideScrolling(gallery, 'settings')
  await throughSetup(gallery, (step) => expectNoSideScrolling(gallery, step))
})

test('a problem links to its place in the file', async ({ gallery }) => {
  await open(gallery, 'usual', 'setup')
  await gallery.getByRole('button', { name: /5:20/ }).click()
  const text = gallery.getByRole('textbox', { name: 'Text of pulseward.toml' })
  await expect(text).toBeFocused()
  const at = await text.evaluate((area: HTMLTextAreaElement) => area.value.slice(0, area.selectionStart))
  expect(at.split('\n')).toHaveLength(5)
  expect(at.split('\n').at(-1)).toHaveLength(19)
  // The list may be below the visible part, so the problem and its place are also shown at the top.
  await expect(gallery.getByText(/^pulseward\.toml, line 5: .*\.$/u)).toBeInViewport()
})

test('updates are checked for, installed and rolled back with buttons, and each shows its result', async ({
  gallery,
}) => {
  await open(gallery, 'usual')
  await goTo(gallery, '#/settings/updates')
  const section = gallery.getByRole('region', { name: 'Updates' })
  await expect(section.getByRole('button', { name: 'Install 0.2.0' })).toBeVisible()
  await expect(section.getByRole('button', { name: /^Back to/ })).toHaveCount(0)
  await section.getByRole('button', { name: 'Check for updates' }).click()
  await expect(section.getByRole('article', { name: 'Version 0.3.0' })).toContainText('Quieter nights')
  await section.getByRole('button', { name: 'Install 0.3.0' }).click()
  await expect(section.getByRole('status')).toContainText('sudo apt-get install /home/you/')
  // The page gets an event about the download; the rollback is offered once the screen is opened again.
  await goTo(gallery, '#/overview')
  await goTo(gallery, '#/settings/updates')
  await section.getByRole('button', { name: 'Back to 0.0.9' }).click()
  await expect(section.getByRole('alert')).toHaveText('A heartbeat is running and can’t be replaced.')
})
