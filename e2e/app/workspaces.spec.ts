import { appendFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import {
  expectHeartbeatsDone,
  expectNoSideScroll,
  expectNothingForAxe,
  resize,
  score,
  taskRow,
  verdictOf,
} from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

test('two workspaces run side by side, each with its own score', async ({ app, folder }) => {
  const { page } = app
  const sidebar = page.getByRole('navigation', { name: 'Workspaces' })
  const add = async (name: string, ...tasks: string[]): Promise<void> => {
    const directory = await writeWorkspace(join(folder, name), ...tasks)
    const { exitCode, stderr } = await pulseward(folder, ['add', directory, '--trust'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  }

  await test.step('a workspace that another program adds shows at once', async () => {
    await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
    await add('backend', 'write', 'tidy')
    await expect(page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
    await expectHeartbeatsDone(page, 1)
    await expect(score(page)).toHaveText('20')
  })

  await test.step('one can be viewed while another runs', async () => {
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

test('a link to a workspace that does not exist says so instead of silently opening another one', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const add = async (name: string): Promise<void> => {
    const directory = await writeWorkspace(join(folder, name), 'write')
    const { exitCode, stderr } = await pulseward(folder, ['add', directory, '--trust'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  }
  const goTo = (address: string) =>
    page.evaluate((hash) => {
      location.hash = hash
    }, address)
  const said = page.getByRole('status').filter({ hasText: 'There is no workspace gone-1a2b here.' })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })

  await test.step('with no workspaces at all', async () => {
    await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'There is no workspace' })).toHaveCount(0)
    await goTo('#/w/gone-1a2b/timeline')
    await expect(said).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  })

  await test.step('on the overview of those that exist, until it is closed', async () => {
    await goTo('#/')
    await add('backend')
    await add('inbox')
    await expect(heading('backend')).toBeVisible()
    await expect(said).toHaveCount(0)
    await goTo('#/w/gone-1a2b')
    await expect(said).toContainText('It may have been removed, or the link is from another machine.')
    await expect(heading('Overview')).toBeVisible()
    await expectNothingForAxe(app)
    await resize(app, 480, 700)
    await expectNoSideScroll(page)
    await resize(app, 1180, 800)
    await said.getByRole('button', { name: 'Close' }).click()
    await expect(said).toHaveCount(0)
    await expect(heading('Overview')).toBeVisible()
  })

  await test.step('after a reload too, and for a fleet that does not exist', async () => {
    await goTo('#/w/gone-1a2b')
    await page.reload()
    await expect(said).toBeVisible()
    await goTo('#/fleet')
    await expect(said).toHaveCount(0)
    await expect(page.getByRole('status').filter({ hasText: 'has no fleet to show' })).toBeVisible()
  })

  await test.step('but not for a workspace just removed here, until Undo brings it back on screen', async () => {
    const sidebar = page.getByRole('navigation', { name: 'Workspaces' })
    await sidebar.getByRole('link', { name: /inbox/ }).click()
    await expect(heading('inbox')).toBeVisible()
    await sidebar.getByRole('link', { name: /inbox/ }).hover()
    await sidebar.getByRole('button', { name: 'More about inbox' }).click()
    await page.getByRole('menuitem', { name: /[Rr]emove$/ }).click()
    const messages = page.getByRole('status', { name: 'Messages' })
    await expect(messages).toContainText('inbox is no longer supervised.')
    await expect(heading('backend')).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'There is no workspace' })).toHaveCount(0)
    await messages.getByRole('button', { name: 'Undo' }).click()
    await expect(heading('inbox')).toBeVisible()
  })
})

test('the reason for the next heartbeat names the workspace’s time zone if the viewer’s is different', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  // A time zone that test machines are rarely in.
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

test('a missing folder is reported on every screen without any form fields, and recovers', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'hold', 'write')
  const away = `${directory}-away`
  const missing = page.getByRole('region', { name: 'The folder is missing' })
  const trusted = await pulseward(folder, ['add', directory, '--trust'])
  expect(trusted).toMatchObject({ exitCode: 0 })
  // The agent must be running already: it could not be started in a missing folder.
  await taskRow(page, 'hold').getByRole('button', { name: 'hold', exact: true }).click()
  await expect(page.getByRole('log', { name: 'Output of the agent' })).toHaveText('Working on hold')

  await test.step('moving the folder away while an agent runs does not count as a proposal to remove the tasks', async () => {
    await rename(directory, away)
    await expect(missing).toContainText(directory)
    await page.getByRole('button', { name: 'Stop now' }).click()
    await expect(page.getByRole('region', { name: 'Decisions' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Run now' })).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByText('No tasks yet.')).toBeHidden()
  })

  await test.step('its files cannot be written either', async () => {
    await page.getByRole('link', { name: 'Setup' }).click()
    await expect(page.getByText('it shows here once the folder is back')).toBeVisible()
    await expect(page.getByRole('button', { name: /Begin/ })).toBeHidden()
    await page.getByRole('link', { name: 'Contract' }).click()
    await expect(page.getByText('they show here once the folder is back')).toBeVisible()
    await expect(page.getByRole('button', { name: /Begin/ })).toBeHidden()
    await expect(page.getByRole('region', { name: 'Proposals' })).toBeHidden()
    await expectNothingForAxe(app)
    await resize(app, 480, 700)
    await expectNoSideScroll(page)
    await resize(app, 1280, 800)
  })

  await test.step('once the folder is back, everything is as before', async () => {
    await rename(away, directory)
    await expect(missing).toBeHidden()
    await page.getByRole('link', { name: 'Setup' }).click()
    await expect(page.getByRole('region', { name: 'Gates' })).toBeVisible()
  })

  await test.step('if the folder was moved for good, the operator can enter where it is', async () => {
    await rename(directory, away)
    await missing.getByRole('button', { name: 'Locate…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Locate backend' })
    await dialog.getByRole('textbox', { name: 'Folder' }).fill(`${away}-nowhere`)
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('There is no folder')
    await expectNothingForAxe(app)
    await dialog.getByRole('textbox', { name: 'Folder' }).fill(away)
    await dialog.getByRole('button', { name: 'Use this folder' }).click()
    await expect(dialog).toBeHidden()
    await expect(missing).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: 'backend-away' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Gates' })).toBeVisible()
  })
})
