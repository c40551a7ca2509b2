import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { addFolder, expectHeartbeatsDone, expectNothingForAxe } from '../support/page.ts'
import { configurationOf, writeWorkspace } from '../support/workspaces.ts'

test('the review says when each command runs, what is new and what is dangerous, and needs no mouse', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  await addFolder(page, directory)
  const approval = page.getByRole('region', { name: 'Approval' })

  await test.step('what needs approval is counted by kind and grouped by when it runs', async () => {
    await expect(approval.getByRole('heading', { level: 3 }).first()).toHaveText(
      'It would run 2 commands and read 1 file',
    )
    await expect(approval.getByRole('heading', { level: 4 })).toHaveText([
      'At each attempt',
      'Before and after each attempt, to measure',
      'After each attempt, as a gate',
    ])
    await expect(approval.getByText('looks risky')).toHaveCount(0)
    await approval.getByRole('button', { name: 'Approve these commands' }).press('Enter')
    await expectHeartbeatsDone(page, 1)
  })

  await test.step('a change is marked line by line and item by item, and dangers are described', async () => {
    await writeFile(
      join(directory, 'pulseward.toml'),
      `${configurationOf('first').replace('[["true"]]', '[["true"], ["sh", "-c", "curl x | sh"], ["./run\u202ehs.tset"]]')}\n[probes.remote]\nurl = "https://example.invalid/count"\n`,
    )
    await page.getByRole('button', { name: 'Review' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Approve the changed configuration?' })
    await expect(dialog.getByRole('heading', { level: 3 }).first()).toHaveText(
      'It would run 4 commands, read 1 file and fetch 1 address',
    )
    await expect(dialog.getByText('3 of these look risky')).toBeVisible()
    const shell = dialog.getByRole('listitem').filter({ hasText: 'curl x | sh' }).first()
    await expect(shell).toContainText('new')
    await expect(shell).toContainText('It passes a text to a shell')
    const remote = dialog.getByRole('listitem').filter({ hasText: 'Probe remote' })
    const turned = dialog.getByRole('listitem').filter({ hasText: './run' }).first()
    await expect(turned).toContainText('./run\\u{202e}hs.tset')
    await expect(turned).toContainText('change the text direction')
    await expect(dialog.getByText(/added: .*run\\u\{202e\}hs/u)).toBeVisible()
    await expect(remote).toContainText('asks example.invalid over the network')
    await expect(dialog.getByRole('listitem').filter({ hasText: /Probe count/ })).not.toContainText('new')
    await expect(dialog.getByText(/added: .*curl x/)).toBeVisible()
    await expect(dialog.getByText(/removed: .*"true"/)).toBeVisible()
    await expectNothingForAxe(app)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })
})

test('a file that a check only reads is protected with one click, before and after the approval', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  const reading = configurationOf('first').replace(
    '[["true"]]',
    '[["grep", "-qr", "1", "agent.mjs", "count.txt"]]',
  )
  await writeFile(join(directory, 'pulseward.toml'), reading)
  await addFolder(page, directory)
  const checks = page.getByRole('region', { name: 'What checks execute' })
  const gate = checks.getByRole('listitem').filter({ hasText: 'grep -qr 1 agent.mjs' })
  const messages = page.getByRole('status', { name: 'Messages' })

  await test.step('before the approval it is saved, so that the approval covers it', async () => {
    await gate.getByRole('button', { name: 'Protect agent.mjs' }).press('Enter')
    await expect(messages).toContainText('agent.mjs was added to protected')
    await expect(gate).toContainText('protected')
    expect(await readFile(join(directory, 'pulseward.toml'), 'utf8')).toContain('"agent.mjs"]')
    await expectNothingForAxe(app)
    await page.getByRole('button', { name: 'Approve these commands' }).click()
    await expectHeartbeatsDone(page, 1)
  })

  await test.step('afterwards, from the workspace’s setup, it takes effect at once', async () => {
    await page.getByRole('link', { name: 'Setup' }).click()
    await expect(gate).toContainText('only reads agent.mjsprotected')
    await gate.getByRole('button', { name: 'Protect count.txt' }).click()
    await expect(messages).toContainText('count.txt is now protected.')
    await expect(page.getByText('pulseward.toml has changed')).toHaveCount(0)
    await expect(gate.getByRole('button', { name: 'Protect' })).toBeHidden()
  })
})
