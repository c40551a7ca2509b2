import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import {
  addFolder,
  expectHeartbeatsDone,
  expectNoSideScroll,
  expectNothingForAxe,
  resize,
  score,
  taskRow,
  verdictOf,
} from '../support/page.ts'
import { configurationOf, contractOf, writeWorkspace } from '../support/workspaces.ts'

test('a folder is added, runs once it is approved, and changes to it on disk are picked up', async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  const written = (): Promise<string> => readFile(join(directory, 'out/write.txt'), 'utf8')

  await test.step('a folder that has its two files is added without approving them', () =>
    addFolder(page, directory))

  await test.step('before approval it shows exactly what it would run, and runs nothing', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
    const approval = page.getByRole('region', { name: 'Approval' })
    await expect(
      approval.getByRole('heading', { level: 3, name: 'It would run 2 commands and read 1 file' }),
    ).toBeVisible()
    await expect(approval.locator('section').first().getByRole('listitem')).toHaveText([
      new RegExp(`agent.*${process.execPath} agent\\.mjs first`, 'i'),
      /probe count.*count\.txt/i,
      /gate.*true/i,
    ])
    await expect(page.getByRole('button', { name: 'Run now' })).toHaveAttribute('aria-disabled', 'true')
    await expectNothingForAxe(app)
    await expect(written()).rejects.toThrow('ENOENT')
  })

  await test.step('approving it starts it', async () => {
    await page.getByRole('button', { name: 'Approve these commands' }).click()
    await expectHeartbeatsDone(page, 1)
    await expect(verdictOf(page, 'write')).toHaveAccessibleName('Verified')
    await expect(score(page)).toHaveText('10')
    expect(await written()).toContain('first')
  })

  const changed = page.getByText('pulseward.toml has changed.')

  await test.step('an edited configuration asks again while the approved copy stays in effect', async () => {
    await writeFile(join(directory, 'pulseward.toml'), configurationOf('second'))
    await expect(changed).toBeVisible()
    await page.getByRole('button', { name: 'Run now' }).click()
    await expectHeartbeatsDone(page, 2)
    expect(await written()).toContain('first')
  })

  await test.step('the review shows what changed, and approving puts it into effect', async () => {
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Approve the changed configuration?' })
    await expect(dialog.getByText(/removed: .*"first"/)).toBeVisible()
    await expect(dialog.getByText(/added: .*"second"/)).toBeVisible()
    await expectNothingForAxe(app)
    await dialog.getByRole('button', { name: 'Approve these commands' }).click()
    await expect(dialog).toBeHidden()
    await expect(changed).toBeHidden()
    await page.getByRole('button', { name: 'Run now' }).click()
    await expectHeartbeatsDone(page, 3)
    expect(await written()).toContain('second')
  })

  await test.step('a broken configuration is reported with its location, and cannot be approved', async () => {
    await writeFile(join(directory, 'pulseward.toml'), '[agent]\ncommand = [\n')
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('alert')).toContainText('2:12')
    await expect(dialog.getByRole('button', { name: 'Approve these commands' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await writeFile(join(directory, 'pulseward.toml'), configurationOf('second'))
    await expect(changed).toBeHidden()
  })

  const contract = join(directory, 'HEARTBEAT.md')

  await test.step('an edited contract shows at once, with what is wrong in it', async () => {
    await writeFile(contract, `${contractOf('write', 'tidy')}- [ ] tidy | Twice\n`)
    await expect(taskRow(page, 'tidy')).toBeVisible()
    const notices = page.getByRole('region', { name: 'Notices' })
    await expect(notices).toContainText(
      /1 line of HEARTBEAT\.md cannot count as written\. Line 7: The id "tidy" is already used/,
    )
    await notices.getByRole('button', { name: 'Go to line 7' }).press('Enter')
    await expect(page.getByRole('region', { name: 'Contract' })).toContainText(/7:\d+.*tidy/)
    const text = page.getByRole('textbox', { name: 'Text of HEARTBEAT.md' })
    await expect(text).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.type(' over')
    await expect(text).toContainText('tidy | Twice over')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('link', { name: 'Today', exact: true }).click()
  })

  await test.step('a contract that cannot be read is reported, and the app keeps working', async () => {
    const notice = page.getByRole('region', { name: 'Notices' }).getByText(/HEARTBEAT\.md/)
    await rm(contract)
    await expect(notice).toBeVisible()
    await writeFile(contract, Buffer.alloc(10 * 1024 * 1024, '- [ ] x | y\n'))
    await expect(notice).toContainText('10 MB')
    await page.getByRole('button', { name: 'Run now' }).click()
    // Changed only after it was refused: a heartbeat still starting up would find the file repaired.
    await expect(page.getByRole('status', { name: 'Messages' })).toContainText('10 MB')
    await writeFile(contract, contractOf('write'))
    await expect(notice).toBeHidden()
    await expect(taskRow(page, 'write')).toBeVisible()
    await expect(score(page)).toHaveText('30')
  })

  await test.step('a contract that is far too long or of random bytes does not break the app', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => `task_${index}`)
    await writeFile(contract, contractOf(...many))
    await expect(page.getByRole('heading', { level: 2, name: '5,000 tasks' })).toBeVisible()
    await page.getByRole('button', { name: 'Show 200 more, 200 of 5000 are shown' }).click()
    await expect(taskRow(page, 'task_399')).toBeVisible()
    await writeFile(contract, randomBytes(100_000))
    await expect(taskRow(page, 'task_0')).toBeHidden()
    await writeFile(contract, contractOf('write'))
    await expect(taskRow(page, 'write')).toBeVisible()
  })

  await test.step('a narrow window fits all of it', async () => {
    await resize(app, 480, 700)
    await expectNoSideScroll(page)
    await page.getByRole('button', { name: 'write', exact: true }).click()
    await expect(page.getByRole('article', { name: 'Attempt at write' })).toBeVisible()
    await expectNoSideScroll(page)
    await page.getByRole('button', { name: 'Run now' }).click()
    await expectHeartbeatsDone(page, 4)
    await page.getByRole('link', { name: /^Contract/ }).click()
    await expect(page.getByRole('list', { name: 'Tasks of the contract' })).toBeVisible()
    await expectNoSideScroll(page)
    await expectNothingForAxe(app)
  })
})

test('why an agent could not run is said once, above its tasks', { tag: '@page' }, async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = await writeFiles(join(folder, 'backend'), {
    'HEARTBEAT.md': contractOf('write', 'tidy'),
    'pulseward.toml': '[agent]\nid = "mine"\ncommand = ["no-such-agent-anywhere"]\n',
  })
  await pulseward(folder, ['add', directory, '--trust'])
  await expectHeartbeatsDone(page, 1)
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText(
    'no-such-agent-anywhere was not found on PATH.',
  )
  await expect(verdictOf(page, 'write')).toHaveAccessibleName('Not run: environment')
  await expect(taskRow(page, 'write')).toContainText('Did not run: the notice above says why.')
  await expect(page.getByRole('main').getByText(/was not found on PATH/)).toHaveCount(1)
})
