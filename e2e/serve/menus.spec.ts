import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { closeByEscape, expectHeartbeatsDone, expectNothingForAxe } from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

/*
 * Dialogs and menus while they are open. The ones for the palette, shortcuts, trust and a changed contract are tested where they are used
 * (palette, folder, contract-editor). Only in a browser: closing waits for the end of an animation, which does not run in an Electron
 * window covered by another test's window.
 */

test('axe finds nothing on any open menu, popover or dialog, in either theme', async ({ app, folder }) => {
  test.setTimeout(240_000)
  const { page } = app
  const { exitCode, stderr } = await pulseward(folder, [
    'add',
    await writeWorkspace(join(folder, 'backend'), 'write'),
    '--trust',
  ])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  await expect(page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
  await expectHeartbeatsDone(page, 1)
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
  const item = (name: string): Locator => page.getByRole('menuitem', { name })
  const dialog = (name: string): Locator => page.getByRole('dialog', { name })
  const looked = async (shown: Locator): Promise<void> => {
    await expect(shown).toBeVisible()
    await expectNothingForAxe(app)
    await closeByEscape(page, shown)
  }

  await test.step('pause', async () => {
    await button('Pause').press('Enter')
    await looked(item('For an hour'))
  })

  await test.step('why the next heartbeat is when it is', async () => {
    await button('why?').press('Enter')
    await looked(dialog('Why then'))
  })

  await test.step('past messages', async () => {
    await page.getByRole('button', { name: /^Messages/ }).press('Enter')
    await looked(dialog('Messages so far'))
  })

  await test.step('the menu of a workspace, and renaming it', async () => {
    const menu = page.getByRole('navigation', { name: 'Workspaces' }).getByRole('button', {
      name: 'More about backend',
    })
    await page
      .getByRole('navigation', { name: 'Workspaces' })
      .getByRole('link', { name: /backend/ })
      .focus()
    await menu.press('Enter')
    await looked(item('Rename and tags…'))
    await menu.press('Enter')
    await item('Rename and tags…').press('Enter')
    await looked(dialog('Rename backend'))
  })

  await test.step('what a button does, said beside it', async () => {
    await button('Run now').focus()
    await expect(page.getByRole('tooltip')).toHaveText(/^Runs the agent/u)
    await expectNothingForAxe(app)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('tooltip')).toHaveCount(0)
  })

  await test.step('the kinds and the export of the timeline', async () => {
    await page.getByRole('link', { name: 'Timeline', exact: true }).click()
    await page.getByRole('button', { name: /^Show: / }).press('Enter')
    await looked(page.getByRole('menuitemcheckbox').first())
    await button('Export').press('Enter')
    await looked(item('As JSON'))
  })

  await test.step('resetting what is known about the agent', async () => {
    await page.getByRole('link', { name: 'Agent', exact: true }).click()
    await button('Reset…').press('Enter')
    await looked(dialog('Reset profiles and circuit breakers?'))
  })

  await test.step('saving a change of what runs', async () => {
    await page.getByRole('link', { name: 'Setup', exact: true }).click()
    await page.getByRole('textbox', { name: /^Interval in/ }).fill('45')
    await expect(button('Save…')).toHaveAttribute('aria-disabled', 'false')
    await button('Save…').press('Enter')
    await looked(dialog('Save and approve?'))
  })

  await test.step('adding a channel', async () => {
    await page.evaluate(() => {
      location.hash = '#/settings'
    })
    await button('Add a channel').press('Enter')
    await looked(dialog('Add a channel'))
  })
})
