import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from '../support/app.ts'
import { expectHeartbeatsDone, score, shield, verdictOf } from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

test('the main flow works without a mouse', async ({ app, folder }) => {
  const { page } = app
  const { keyboard } = page
  const directory = await writeWorkspace(join(folder, 'backend'), 'write', 'tidy')

  /** Presses Tab until the element has the focus; no stop may come up twice before that. */
  const tabTo = async (target: Locator): Promise<void> => {
    await expect(target).toBeVisible()
    for (let stops = 0; stops < 60; stops += 1) {
      await keyboard.press('Tab')
      if (await target.evaluate((element) => element === document.activeElement)) return
    }
    throw new Error(`The Tab key does not lead to ${target}`)
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

  await test.step('add a folder', async () => {
    await tabTo(button('Add a folder'))
    await keyboard.press('Enter')
    await tabTo(button('Next'))
    await keyboard.press('Enter')
    const field = page.getByRole('textbox', { name: 'Folder' })
    await tabTo(field)
    await keyboard.type(directory)
    await keyboard.press('Enter')
    for (const question of ['What should the agent do?', 'Try the contract out, without an agent']) {
      await expect(page.getByRole('heading', { level: 2, name: question })).toBeFocused()
      await expect(button('Next')).toBeEnabled()
      await tabTo(button('Next'))
      await keyboard.press('Enter')
    }
    await tabTo(button('Add without approving'))
    await keyboard.press('Enter')
  })

  await test.step('approve it', async () => {
    await tabTo(button('Approve these commands'))
    await keyboard.press('Enter')
    await expectHeartbeatsDone(page, 1)
  })

  await test.step('move through the tasks and give thumbs', async () => {
    await tabTo(button('write'))
    await keyboard.press('j')
    await expect(button('tidy')).toBeFocused()
    await keyboard.press('-')
    await expect(score(page)).toHaveText('10')
    await keyboard.press('k')
    await expect(button('write')).toBeFocused()
    await keyboard.press('+')
    await expect(score(page)).toHaveText('13')
  })

  await test.step('open an attempt and overrule its verdict', async () => {
    await keyboard.press('Enter')
    await tabTo(button('Overrule…'))
    await keyboard.press('Enter')
    await tabTo(page.getByRole('radio', { name: 'Not verified' }))
    await keyboard.press('Space')
    await tabTo(page.getByRole('textbox', { name: 'Reason' }))
    await keyboard.type('It wrote nonsense')
    await tabTo(button('Overrule the verdict'))
    await keyboard.press('Enter')
    // +10 was wrong and −15 is right.
    await expect(score(page)).toHaveText('−12')
    await expect(verdictOf(page, 'write')).toHaveAccessibleName('Not verified')
  })

  await test.step('run, pause and resume', async () => {
    await page.reload()
    await tabTo(button('Run now'))
    await keyboard.press('Enter')
    await expectHeartbeatsDone(page, 2)
    await tabTo(button('Pause'))
    await keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'For an hour' })).toBeFocused()
    await keyboard.press('End')
    await keyboard.press('Enter')
    await expect(shield(page)).toHaveText('Paused')
    await tabTo(button('Resume'))
    await keyboard.press('Enter')
    await expect(shield(page)).not.toHaveText('Paused')
  })

  await test.step('read the definition of a term and why the next heartbeat is when it is', async () => {
    await tabTo(button('why?'))
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Why then' })).toBeVisible()
    await keyboard.press('Escape')
    await expect(button('why?')).toBeFocused()
    await tabTo(button('target').first())
    // Matched by its text: the previous one may still be fading out.
    await expect(page.getByRole('tooltip', { name: 'The average of the good days' })).toBeAttached()
  })
})
