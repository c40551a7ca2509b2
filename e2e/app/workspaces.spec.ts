import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { expectHeartbeatsDone, score, taskRow, verdictOf } from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

test('two workspaces run side by side, each with its own score', async ({ app, folder }) => {
  const { page } = app
  const sidebar = page.getByRole('navigation', { name: 'Workspaces' })
  const add = async (name: string, ...tasks: string[]): Promise<void> => {
    const directory = await writeWorkspace(join(folder, name), ...tasks)
    const { exitCode, stderr } = await pulseward(folder, ['add', directory, '--trust'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  }

  await test.step('what another program adds shows at once', async () => {
    await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
    await add('backend', 'write', 'tidy')
    await expect(page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
    await expectHeartbeatsDone(page, 1)
    await expect(score(page)).toHaveText('20')
  })

  await test.step('one can be looked at while another runs', async () => {
    await add('inbox', 'hold')
    await expect(sidebar.getByRole('link', { name: /inbox.*running/ })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
    await sidebar.getByRole('link', { name: /inbox/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'inbox' })).toBeVisible()
    await expect(verdictOf(page, 'hold')).toHaveAccessibleName('Running')
    await taskRow(page, 'hold').getByRole('button', { name: 'hold', exact: true }).click()
    await expect(page.getByRole('log', { name: 'Output of the agent' })).toHaveText('Working on hold')
    await expect(score(page)).toHaveText('0')
  })

  await test.step('the address leads back to the same workspace', async () => {
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'inbox' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
    await expect(score(page)).toHaveText('20')
    await expect(page.getByRole('button', { name: 'Run now' })).toHaveAttribute('aria-disabled', 'false')
  })
})

test('the reason of the next heartbeat says whose times are in it where they are not the viewer’s', async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  // A machine that runs tests is seldom there.
  await appendFile(join(directory, 'pulseward.toml'), '\n[heartbeat]\ntimezone = "Pacific/Kiritimati"\n')
  const { exitCode, stderr } = await pulseward(folder, ['add', directory, '--trust'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  await expect(page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
  await expectHeartbeatsDone(page, 1)
  await page.getByRole('button', { name: 'why?' }).click()
  await expect(page.getByRole('dialog', { name: 'Why then' })).toContainText(
    /The last heartbeat ended at \d\d:\d\d\..*Times in this reason are those of the workspace, where the next heartbeat is at \d\d:\d\d \(UTC\+14:00\)\./s,
  )
})
