import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { textOf, writeFiles } from '../support/files.ts'
import { expectHeartbeatsDone, expectNothingForAxe, taskRow } from '../support/page.ts'
import { writeRiggedWorkspace } from '../support/rigging.ts'
import { writeWorkspace } from '../support/workspaces.ts'

/* Actions are offered only where they can do something, say what they do, and do it. */

const messages = (page: Page) => page.getByRole('status', { name: 'Messages' })

test('offers to restore files only if the attempt changed some', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const lying = '- [ ] lie | Write the report | required | verify: exists("out/report.md")'
  const halfway = '## Tasks\n\n- [ ] touch | Write a note | required | verify: exists("never.md")\n'
  const restore = page.getByRole('button', { name: /^Restore/u })
  const attempt = page.getByRole('article', { name: /^Attempt at /u })

  await test.step('a contradiction that changed no file', async () => {
    await pulseward(folder, ['add', await writeRiggedWorkspace(join(folder, 'sums'), lying), '--trust'])
    await expectHeartbeatsDone(page, 1)
    const card = page.getByRole('region', { name: 'Contradictions, not reviewed' })
    await expect(card.getByRole('button', { name: 'Seen', exact: true })).toBeVisible()
    await expect(restore).toHaveCount(0)
    await taskRow(page, 'lie').getByRole('button', { name: 'lie', exact: true }).click()
    await expect(attempt).toBeVisible()
    await expect(restore).toHaveCount(0)
  })

  await test.step('an attempt that left a file', async () => {
    const directory = await writeWorkspace(join(folder, 'notes'), 'touch')
    await writeFiles(directory, { 'HEARTBEAT.md': halfway })
    await pulseward(folder, ['add', directory, '--trust'])
    await page.getByRole('navigation', { name: 'Workspaces' }).getByRole('link', { name: /notes/u }).click()
    await expectHeartbeatsDone(page, 1)
    await taskRow(page, 'touch').getByRole('button', { name: 'touch', exact: true }).click()
    await attempt.getByRole('button', { name: 'Restore 1 file' }).press('Enter')
    await expect(messages(page)).toContainText('restored')
    await expect.poll(() => textOf(join(directory, 'out/touch.txt'))).toBe('')
  })
})

test('if every task is blocked, the primary action is to review them, not to run nothing', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'stuck'), 'write')
  await writeFiles(directory, {
    'HEARTBEAT.md':
      '## Tasks\n\n- [ ] report | Write it | required | verify: exists("never.md") | max_attempts: 1\n',
  })
  await pulseward(folder, ['add', directory, '--trust'])
  await expectHeartbeatsDone(page, 1)
  const review = page.getByRole('main').getByRole('button', { name: 'Review blocked', exact: true })
  await expect(review).toHaveClass(/primary/u)
  await expect(page.getByRole('button', { name: 'Run now' })).not.toHaveClass(/primary/u)
  await review.press('Enter')
  await expect(page.getByRole('heading', { name: '1 task with no attempts left' })).toBeVisible()
})

test('refused work is restored from the message that reports the refusal', { tag: '@page' }, async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = await writeRiggedWorkspace(
    join(folder, 'sums'),
    '- [ ] rig | Repair the sum | required | verify: changed("**")',
  )
  const readTest = () => readFile(join(directory, 'test/sum.test.mjs'), 'utf8')
  await pulseward(folder, ['add', directory, '--trust'])
  await expectHeartbeatsDone(page, 1)
  const row = page
    .getByRole('region', { name: 'Decisions' })
    .getByRole('listitem')
    .filter({ hasText: 'rig waits for your review' })
  await row.getByRole('button', { name: 'Refuse' }).click()
  await expect(messages(page)).toContainText('Refused, −15 points.')
  expect(await readTest()).toContain('-1)')
  await messages(page).getByRole('button', { name: 'Restore files' }).press('Enter')
  await expect(messages(page)).toContainText('Refused, −15 points. 1 file restored.')
  expect(await readTest()).toContain('3)')
  await expectNothingForAxe(app)
})

test('a suspended workspace that cannot be resumed yet says what is missing', { tag: '@page' }, async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = await writeRiggedWorkspace(
    join(folder, 'sums'),
    '- [ ] lie | Write the report | required | verify: exists("out/report.md")',
  )
  const toml = join(directory, 'pulseward.toml')
  const strict = 'stall_minutes = 7\nthreshold_false_completion = 1\naggressive_mode = true'
  await writeFiles(directory, {
    'pulseward.toml': (await readFile(toml, 'utf8')).replace('stall_minutes = 7', strict),
  })
  await pulseward(folder, ['add', directory, '--trust'])
  const panel = page.getByRole('region', { name: 'Suspension' })
  const resume = panel.getByRole('button', { name: 'Resume' })
  await expect(resume).toHaveAttribute('aria-disabled', 'true')
  await expect(resume).toHaveAccessibleDescription('Write a few words to resume')
  await expect(panel).toContainText('Write a few words to resume: they are kept in the record.')
  await resume.press('Enter')
  await expect(panel, 'pressed all the same it does nothing').toBeVisible()
  await page.getByRole('button', { name: 'Run now' }).focus()
  await expect(page.getByRole('tooltip')).toHaveText('Suspended for review: resume first.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await expectNothingForAxe(app)
  await panel.getByRole('textbox', { name: 'What you found' }).fill('The report goes elsewhere')
  await expect(resume).toHaveAttribute('aria-disabled', 'false')
  await resume.press('Enter')
  await expect(panel).toHaveCount(0)
})
