import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { expectHeartbeatsDone, expectNothingForAxe } from '../support/page.ts'
import { configurationOf, writeWorkspace } from '../support/workspaces.ts'

/** Its only attempt fails because the agent writes something other than what the check asks for. */
const STUCK =
  '## Tasks\n\n- [ ] report | Write the report | required | verify: exists("never.md") | max_attempts: 1\n'

test('from the overview to a blocked task, and back after unblocking it', { tag: '@page' }, async ({
  app,
  folder,
}) => {
  const { page } = app
  const add = async (name: string, contract?: string): Promise<void> => {
    const directory = await writeWorkspace(join(folder, name), 'write')
    if (contract !== undefined) await writeFiles(directory, { 'HEARTBEAT.md': contract })
    const { exitCode, stderr } = await pulseward(folder, ['add', directory, '--trust'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  }
  const sidebar = page.getByRole('navigation', { name: 'Workspaces' })
  const messages = page.getByRole('status', { name: 'Messages' })
  const stuck = page.getByRole('article', { name: 'stuck' })
  const blocked = page.getByRole('heading', { name: '1 task with no attempts left' })

  await test.step('the overview says which workspace needs the operator, and why', async () => {
    await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
    await add('backend')
    await expect(page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
    await add('stuck', STUCK)
    // Adding a second workspace does not replace the first on screen.
    await expect(page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
    await sidebar.getByRole('link', { name: 'Overview' }).click()
    await expect(page.getByRole('heading', { name: '1 workspace needs attention' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Decisions' })).toContainText(
      'report has no attempts left.',
    )
    await expect(stuck).toContainText('1 decision')
    await expect(page.getByText('Not all of them.')).toBeVisible()
    await expectNothingForAxe(app)
  })

  await test.step('the suggested action leads to the task, which is unblocked with a reason', async () => {
    await stuck.getByRole('button', { name: 'Unblock at stuck' }).press('Enter')
    await expect(blocked).toBeVisible()
    // The button disappeared with the overview, so the focus moves to the top of the new screen.
    await expect(page.getByRole('main')).toBeFocused()
    await page.getByRole('button', { name: 'Unblock… for report' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('The template is there now')
    await page.getByRole('textbox', { name: 'Timeout of its next attempt' }).fill('1:17')
    await page.getByRole('button', { name: 'Unblock', exact: true }).click()
    await expect(messages).toContainText('report is open again; its next attempt may take 1 min 17 s.')
    await expect(page.getByRole('heading', { name: 'No task is blocked' })).toBeVisible()
  })

  await test.step('the unblock is undone within the minute', async () => {
    await messages.getByRole('button', { name: 'Undo' }).click()
    await expect(messages).toContainText('report is blocked again.')
    await expect(blocked).toBeVisible()
    await expect(page.getByRole('list', { name: 'History of report' })).not.toContainText('The template')
  })

  await test.step('after another attempt it can’t be undone, and the page says why', async () => {
    const retryAll = page.getByRole('button', { name: 'Retry all…' })
    await retryAll.press('Enter')
    await page.getByLabel('Attempts each').focus()
    await page.keyboard.press('Escape')
    await expect(retryAll).toBeFocused()
    await expect(page.getByRole('form', { name: 'Retry all' })).toBeHidden()
    await page.keyboard.press('Enter')
    await page.getByRole('spinbutton', { name: 'Attempts each' }).fill('2')
    await page.getByRole('button', { name: 'Retry 1 task' }).click()
    await expect(messages).toContainText('1 task unblocked.')
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await expectHeartbeatsDone(page, 2)
    await messages
      .locator('> div')
      .filter({ hasText: '1 task unblocked.' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await expect(messages).toContainText(
      'report stays open. It has been tried or judged since it was unblocked.',
    )
  })

  await test.step('the agent’s screen counts what it did', async () => {
    await page.getByRole('link', { name: 'Agent' }).click()
    await expect(page.getByRole('region', { name: 'Profile' })).toContainText('scripted')
    await page.getByRole('button', { name: 'Table' }).click()
    const today = page.getByRole('region', { name: 'Figures by day' }).getByRole('row').nth(1)
    await expect(today.getByRole('cell').nth(1)).toHaveText('2')
    await expectNothingForAxe(app)
  })
})

test('a workspace waiting for approval says so, and leads to where to approve it', { tag: '@page' }, async ({
  app,
  folder,
}) => {
  const { page } = app
  const toOverview = () => page.getByRole('link', { name: 'Overview' }).click()
  const approved = await writeWorkspace(join(folder, 'approved'), 'write')
  await pulseward(folder, ['add', approved, '--trust'])
  await expectHeartbeatsDone(page, 1)
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'new'), 'write')])

  await test.step('a workspace where nothing runs is not shown as steady', async () => {
    await toOverview()
    const card = page.getByRole('article', { name: 'new', exact: true })
    await expect(card).toContainText('Waits for your approval: nothing runs')
    await card.getByRole('button', { name: 'Approve at new' }).press('Enter')
    const title = page.getByRole('heading', { name: 'Nothing runs here until you approve it' })
    await expect(title).toBeFocused()
    await expect(title).toBeInViewport()
    await page.getByRole('button', { name: 'Approve these commands' }).click()
    await expectHeartbeatsDone(page, 1)
  })

  await test.step('a changed configuration is opened for review', async () => {
    await writeFiles(approved, { 'pulseward.toml': configurationOf('second') })
    await toOverview()
    const decision = page.getByRole('region', { name: 'Decisions' }).getByRole('listitem')
    await decision.getByRole('button', { name: 'Approve in approved' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Approve the changed configuration?' })
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.reload()
    await expect(page.getByText('pulseward.toml has changed.')).toBeVisible()
    await expect(dialog).toBeHidden()
  })
})
