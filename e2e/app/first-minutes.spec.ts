import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { expectHeartbeatsDone, expectNothingForAxe, shield, taskRow } from '../support/page.ts'
import { writeRiggedWorkspace } from '../support/rigging.ts'
import { contractOf, writeWorkspace } from '../support/workspaces.ts'

/* What a new user sees in a folder where all goes well, and in one with broken files. */

test('after the first success of a day nothing warns', { tag: '@page' }, async ({ app, folder }) => {
  const { page } = app
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'write'), '--trust'])
  await expectHeartbeatsDone(page, 1)
  await expect(shield(page)).toHaveText('Steady')
  await expect(page.getByRole('main').getByText(/warning|only 1 task was/iu)).toHaveCount(0)
  const sidebar = page.getByRole('navigation', { name: 'Workspaces' })
  await expect(sidebar.getByRole('link', { name: /backend/u })).toHaveAccessibleName(/^Steady/u)
})

test('a broken configuration is reported once, with its line and cause', { tag: '@page' }, async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  await writeFiles(directory, { 'pulseward.toml': '[agent]\nid = "mine"\ncommand = [\n' })
  await pulseward(folder, ['add', directory])
  const approval = page.getByRole('region', { name: 'Approval' })
  await expect(approval.getByRole('alert')).toContainText(/line 3|3:\d+/u)
  await expect(page.getByRole('main').getByText(/3:\d+|line 3/u)).toHaveCount(1)
  await expectNothingForAxe(app)
  await page.getByRole('link', { name: 'Setup' }).click()
  await expect(page.getByRole('main')).toContainText(/3:\d+/u)
})

test('random bytes are called binary data, and UTF-16 is called UTF-16', { tag: '@page' }, async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  const contract = join(directory, 'HEARTBEAT.md')
  await pulseward(folder, ['add', directory, '--trust'])
  await expectHeartbeatsDone(page, 1)
  const notice = page.getByRole('region', { name: 'Notices' })
  await writeFile(contract, randomBytes(10_000))
  await expect(notice).toContainText('HEARTBEAT.md contains binary data, so no tasks can be read.')
  await expect(page.getByRole('main').getByText(/UTF-16/u)).toHaveCount(0)
  await writeFile(contract, Buffer.from(`\uFEFF${contractOf('write')}`, 'utf16le'))
  await expect(notice).toContainText('HEARTBEAT.md seems to be saved as UTF-16')
  await writeFile(contract, contractOf('write'))
  await expect(notice).toBeHidden()
  await expect(taskRow(page, 'write')).toBeVisible()
})

test('held work says how many tests passed, in words', { tag: '@page' }, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeRiggedWorkspace(
    join(folder, 'sums'),
    '- [ ] rig | Repair the sum | required | verify: tests.failed == 0',
  )
  const node = JSON.stringify(process.execPath)
  await writeFiles(directory, {
    'pulseward.toml': `[agent]\nid = "scripted"\ncommand = [${node}, "agent.mjs"]\nsandbox = "off"\n\n[probes.tests]\ncommand = [${node}, "--test"]\nparse = "tap"\n`,
  })
  await pulseward(folder, ['add', directory, '--trust'])
  await expectHeartbeatsDone(page, 1)
  const row = page
    .getByRole('region', { name: 'Decisions' })
    .getByRole('listitem')
    .filter({ hasText: 'rig waits for your review' })
  await row.getByRole('button', { name: 'View' }).press('Enter')
  const review = page.getByRole('region', { name: 'Held for your review' })
  await expect(review).toContainText('Measured tests: 1 of 1 passed')
  await expect(review).toContainText('Measured tests: 0 of 1 passed, 1 failed')
  await expect(page.getByRole('main').getByText(/"passed":/u)).toHaveCount(0)
  await expectNothingForAxe(app)
})
