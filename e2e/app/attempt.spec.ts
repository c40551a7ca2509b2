import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { addFolder, expectHeartbeatsDone, expectNothingForAxe, score } from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

test('an attempt shows its prompt, diff and output, and takes thumbs by key and with a note', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  const git = (...args: string[]) => execFileSync('git', ['-C', directory, ...args])
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'start')
  await addFolder(page, directory)
  await page.getByRole('button', { name: 'Approve these commands' }).click()
  await expectHeartbeatsDone(page, 1)

  await page.getByRole('link', { name: 'Timeline' }).click()
  const verdict = page.getByRole('feed').getByRole('article', { name: 'Verified: write' })
  await verdict.getByRole('button', { name: 'Verified' }).click()
  await verdict.getByRole('link', { name: 'View attempt' }).click()
  const attempt = page.getByRole('article', { name: 'Attempt at write' })

  await test.step('the replay is open: a claim leads to the line that made it and the change that supports it', async () => {
    const rows = attempt.getByRole('list', { name: 'What happened when' }).getByRole('listitem')
    await expect(rows.filter({ hasText: 'Working on write' })).toBeVisible()
    await attempt.getByRole('button', { name: /claimed out\/write.txt/ }).focus()
    await expect(rows.and(page.locator('[data-mark=said]'))).toContainText('out/write.txt')
    await expect(rows.and(page.locator('[data-mark=shown]'))).toContainText('out/write.txt')
  })

  await test.step('its changes are restored, and redone', async () => {
    await attempt.getByRole('button', { name: 'Restore 1 file' }).click()
    const messages = page.getByRole('status', { name: 'Messages' })
    await expect(messages).toContainText('1 file restored.')
    await expect(attempt.getByText('Its files were restored.')).toBeVisible()
    expect(existsSync(join(directory, 'out/write.txt'))).toBe(false)
    await messages.getByRole('button', { name: /^Undo/ }).click()
    await expect(messages).toContainText('1 file redone.')
    expect(existsSync(join(directory, 'out/write.txt'))).toBe(true)
  })

  await test.step('the long parts expand one by one', async () => {
    await attempt.getByText('Prompt', { exact: true }).click()
    await expect(attempt.getByRole('figure', { name: 'Prompt of the agent' })).toContainText('Task write')
    await attempt.getByText('What changed in 1 file').click()
    await expect(attempt.getByRole('figure', { name: 'Difference of the files' })).toContainText(
      /# new out\/write\.txt.*added: \+first at \d+/s,
    )
    await attempt.getByRole('button', { name: 'Side by side' }).click()
    await expect(attempt.getByRole('figure', { name: 'Difference of the files' })).toContainText(
      /added: \+first/,
    )
    await attempt.getByText('Output', { exact: true }).click()
    await expect(attempt.getByRole('log')).toContainText('Working on write')
    await attempt.getByRole('searchbox', { name: 'Find' }).fill('HEARTBEAT-report')
    await expect(attempt.getByRole('group', { name: 'Search the output' }).getByRole('status')).toHaveText(
      '1 of 1',
    )
    await expectNothingForAxe(app)
  })

  await test.step('a thumb given by mistake is undone within the minute', async () => {
    await page.keyboard.press('Escape')
    await attempt.getByText('Started', { exact: true }).click()
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const down = attempt.getByRole('button', { name: 'Thumbs down for write' })
    const messages = page.getByRole('status', { name: 'Messages' })
    await page.keyboard.press('-')
    await expect(messages).toContainText('Thumbs down, −10 points')
    await expect(messages.getByRole('link', { name: 'Note to the agent' })).toBeVisible()
    await expect(down).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('Control+z')
    await expect(down).toHaveAttribute('aria-pressed', 'false')
    await expect(messages).not.toContainText('Thumbs down')
  })

  await test.step('keys give a thumb, the same one only once, and a thumb takes a note', async () => {
    await page.keyboard.press('Escape')
    await attempt.getByText('Started', { exact: true }).click()
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const up = attempt.getByRole('button', { name: 'Thumbs up for write' })
    const down = attempt.getByRole('button', { name: 'Thumbs down for write' })
    await page.keyboard.press('+')
    await expect(up).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('+')
    const opener = attempt.getByRole('button', { name: 'Thumbs with a note…' })
    const note = attempt.getByRole('textbox', { name: 'Note' })
    await opener.press('Enter')
    await expect(note).toBeFocused()
    await page.keyboard.type('Only half of it + more')
    await page.keyboard.press('Escape')
    await expect(note).toBeHidden()
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(note).toHaveValue('Only half of it + more')
    await attempt.getByRole('button', { name: 'Thumbs down with this note' }).click()
    await expect(attempt.getByText('Only half of it + more')).toBeVisible()
    await expect(down).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('-')
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await expect(score(page)).toHaveText('3')
  })

  await test.step('links lead from one attempt at a task to the next', async () => {
    await page.getByRole('button', { name: 'Run now' }).click()
    await expectHeartbeatsDone(page, 2)
    await page.getByRole('link', { name: 'Timeline' }).click()
    await expect(
      page.getByRole('feed').getByRole('article', { name: 'Thumbs down: write' }).first(),
    ).toContainText('Only half of it + more')
    const verdicts = page.getByRole('feed').getByRole('article', { name: 'Verified: write' })
    // The newest entries are shown while the host still counts, and only those near the visible ones are drawn.
    await expect(page.getByRole('feed')).toHaveAttribute('aria-busy', 'false')
    await expect(async () => {
      await page.getByRole('feed').getByRole('article').last().scrollIntoViewIfNeeded()
      const first = page.getByRole('article', { name: 'Contract read for the first time' })
      await expect(first).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await verdicts.last().scrollIntoViewIfNeeded()
    await verdicts.last().getByRole('button', { name: 'Verified' }).click()
    await verdicts.last().getByRole('link', { name: 'View attempt' }).click()
    await expect(page.getByText('in heartbeat 1')).toBeVisible()
    await page.getByRole('link', { name: 'Next attempt' }).click()
    await expect(page.getByText('in heartbeat 2')).toBeVisible()
    await page.getByRole('link', { name: 'Previous attempt' }).click()
    await expect(page.getByText('in heartbeat 1')).toBeVisible()
  })
})

test('a path that the sandbox blocked can be allowed from the attempt', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'cache'), 'fill')
  // Ends as a program does that hits a blocked path; what this machine's sandbox really allows is not tested here.
  await writeFile(
    join(directory, 'agent.mjs'),
    `console.error("Error: EROFS: read-only file system, open '/srv/shared cache/index.json'"); process.exitCode = 1\n`,
  )
  await addFolder(page, directory)
  await page.getByRole('button', { name: 'Approve these commands' }).click()
  await expectHeartbeatsDone(page, 1)
  await page.getByRole('link', { name: 'Timeline' }).click()
  const row = page.getByRole('feed').getByRole('article', { name: /: fill$/ })
  await row.getByRole('button').first().click()
  await row.getByRole('link', { name: 'View attempt' }).click()
  const attempt = page.getByRole('article', { name: 'Attempt at fill' })
  await expect(attempt.getByRole('list', { name: 'Reasons' })).toContainText(
    'sandbox, or a read-only file system, blocked a write to /srv/shared cache/index.json',
  )
  await attempt.getByRole('link', { name: 'Allow this path…' }).click()
  const field = page.getByRole('textbox', { name: 'Writable outside the workspace' })
  await expect(field).toHaveValue('/srv/shared cache/index.json')
  expect(await readFile(join(directory, 'pulseward.toml'), 'utf8')).not.toContain('writable')

  await test.step('the path is filled in only once, and not again after Discard', async () => {
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(field).toHaveValue('')
    await expect(page.getByText('Saved and approved.')).toBeVisible()
  })

  await test.step('saved, the path is in the file and approved', async () => {
    await page.goBack()
    await attempt.getByRole('link', { name: 'Allow this path…' }).click()
    await page.getByRole('button', { name: 'Save…' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(/added: .*shared cache/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Save and approve' }).click()
    await expect(dialog).toBeHidden()
    expect(await readFile(join(directory, 'pulseward.toml'), 'utf8')).toContain(
      'writable = ["/srv/shared cache/index.json"]',
    )
  })
})
