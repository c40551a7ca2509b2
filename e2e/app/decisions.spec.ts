import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type App, expect, test } from '../support/app.ts'
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
import { writeRiggedWorkspace } from '../support/rigging.ts'

const RIG = '- [ ] rig | Repair the sum | required | verify: changed("**")'

/** Adds the folder, approves it, and waits for its first heartbeat on the page. */
async function begin({ page }: App, folder: string, directory: string): Promise<void> {
  const { exitCode, stderr } = await pulseward(folder, ['add', directory, '--trust'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  await expect(page.getByRole('heading', { level: 1, name: 'sums' })).toBeVisible()
  await expectHeartbeatsDone(page, 1)
}

const messages = (page: Page) => page.getByRole('status', { name: 'Messages' })

test('held work is visible, shows the difference and both check results, and can be answered and undone', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeRiggedWorkspace(join(folder, 'sums'), RIG)
  await begin(app, folder, directory)
  const inbox = page.getByRole('region', { name: 'Decisions' })
  const row = inbox.getByRole('listitem').filter({ hasText: 'rig waits for your review' })
  const review = page.getByRole('region', { name: 'Held for your review' })
  const readTest = () => readFile(join(directory, 'test/sum.test.mjs'), 'utf8')

  await test.step('row, sidebar and score show that it is held and scores no points', async () => {
    await expect(verdictOf(page, 'rig')).toHaveAccessibleName('Held')
    await expect(taskRow(page, 'rig').getByRole('link', { name: 'held for review' })).toBeVisible()
    await expect(row).toBeVisible()
    const accept = row.getByRole('button', { name: 'Accept' })
    await expect(accept).toHaveAccessibleName(/^Accept in /)
    await expect(accept).toHaveAccessibleDescription(/^rig waits for your review\./)
    await expect(page.getByRole('navigation', { name: 'Workspaces' })).toContainText(
      '2 decisions need your attention',
    )
    await expectNothingForAxe(app)
  })

  await test.step('one key refuses it, and another undoes the refusal', async () => {
    await row.getByRole('button', { name: 'Accept' }).focus()
    await page.keyboard.press('r')
    await expect(messages(page)).toContainText('Refused, −15 points.')
    await expect(messages(page).getByRole('button', { name: 'Restore files' })).toBeVisible()
    await expect(inbox).toBeHidden()
    await expect(verdictOf(page, 'rig')).toHaveAccessibleName('Not verified')
    await page.keyboard.press('Control+z')
    await expect(messages(page)).toContainText('held for review again')
    await expect(row).toBeVisible()
    await expect(verdictOf(page, 'rig')).toHaveAccessibleName('Held')
  })

  await test.step('its review shows both results and the lines that differ', async () => {
    await row.getByRole('button', { name: 'View' }).press('Enter')
    await expect(review).toContainText('As the agent left itVerified')
    await expect(review).toContainText('fails as it did in the base')
    await expect(review.getByRole('img', { name: 'does not equal' })).toBeVisible()
    await expect(review.getByRole('figure')).toContainText(/removed: -.*3\).*added: \+.*-1\)/s)
    await expectNothingForAxe(app)
    await resize(app, 480, 900)
    await expectNoSideScroll(page)
    await resize(app, 1280, 800)
  })

  await test.step('it is refused with a reason, as rigged, and its files are restored', async () => {
    expect(await readTest()).toContain('-1)')
    await review.getByRole('button', { name: 'Refuse…' }).press('Enter')
    const reason = review.getByRole('textbox', { name: 'Message to the agent' })
    await expect(reason).toBeFocused()
    await page.keyboard.type('Repair the sum, not its test.')
    await review.getByRole('checkbox', { name: 'The check was rigged' }).check()
    await page.keyboard.press('Escape')
    await expect(messages(page)).toContainText('What you wrote is kept')
    await expect(review.getByRole('button', { name: 'Refuse…' })).toBeFocused()
    await expect(reason).toBeHidden()
    await page.keyboard.press('Enter')
    await expect(reason).toHaveValue('Repair the sum, not its test.')
    await expect(review.getByRole('checkbox', { name: 'The check was rigged' })).toBeChecked()
    await expectNothingForAxe(app)
    await review.getByRole('button', { name: 'Refuse the work' }).click()
    await expect(messages(page)).toContainText('Refused as rigged, −45 points. 1 file restored.')
    expect(await readTest()).toContain('3)')
    const answered = page.getByRole('region', { name: 'Your review' })
    await expect(answered).toContainText('You refused it as rigged')
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await expect(score(page)).toHaveText('−45')
  })

  await test.step("the next prompt tells the agent why, with the operator's message", async () => {
    const notes = page.getByRole('region', { name: 'Messages to the agent', exact: true })
    await expect(notes.getByRole('listitem').filter({ hasText: 'on refusing held work' })).toContainText(
      'Not sent yet: added to the next prompt.',
    )
    await notes.getByRole('button', { name: 'Message to scripted…' }).press('Enter')
    await page.keyboard.type('Numbers may be negative.')
    await notes.getByRole('combobox', { name: 'About' }).selectOption('rig')
    await expectNothingForAxe(app)
    await notes.getByRole('button', { name: 'Send' }).click()
    await expect(notes.getByRole('listitem').filter({ hasText: 'Numbers may be negative.' })).toContainText(
      /About rig.*Not sent yet: added to the next prompt/,
    )
    await page.getByRole('button', { name: 'Run now' }).click()
    await expectHeartbeatsDone(page, 2)
    const prompts = await readFile(join(directory, '.git/prompts.txt'), 'utf8')
    expect(prompts).toContain('Repair the sum, not its test.')
    expect(prompts).toContain('Numbers may be negative.')
    await notes.getByRole('link', { name: 'this attempt' }).first().click()
    await expect(page.getByRole('region', { name: 'What you told the agent' })).toContainText(
      'Numbers may be negative.',
    )
    await page.getByRole('link', { name: 'Today', exact: true }).click()
  })

  await test.step('after Accept always, the task may change those files from then on', async () => {
    await row.getByRole('button', { name: 'View' }).click()
    await review.getByRole('button', { name: 'Accept always' }).click()
    await expect(messages(page)).toContainText('The task may now change test/sum.test.mjs.')
    expect(await readFile(join(directory, 'HEARTBEAT.md'), 'utf8')).toContain('may_change: test/sum.test.mjs')
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await expect(verdictOf(page, 'rig')).toHaveAccessibleName('Verified')
  })
})

test('an agent’s changes to contract and configuration are proposed, accepted in part and reverted', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeRiggedWorkspace(
    join(folder, 'sums'),
    '- [ ] edit | Write edit.md | required | verify: exists("edit.md")',
    '- [ ] setting | Write setting.md | required | verify: exists("setting.md")',
    '- [ ] hard | Write never.md | required | verify: exists("never.md")',
  )
  await begin(app, folder, directory)
  const inbox = page.getByRole('region', { name: 'Decisions' })
  const proposals = page.getByRole('region', { name: 'Proposals' })
  const contract = proposals
    .getByRole('article', { name: 'Change of HEARTBEAT.md' })
    .filter({ hasText: 'It was weakened.' })
  const addition = inbox.getByRole('listitem').filter({ hasText: 'HEARTBEAT.md' })
  const onDisk = (name: string) => readFile(join(directory, name), 'utf8')

  await test.step('the tasks are those in effect, and no banner asks to approve what the agent wrote', async () => {
    await expect(inbox.getByRole('listitem')).toHaveCount(3)
    await expect(page.getByText('pulseward.toml has changed')).toHaveCount(0)
    for (const accept of await inbox.getByRole('button', { name: 'Accept' }).all()) {
      await expect(accept).not.toHaveAccessibleName(/p-[0-9a-f]{8}/)
      await expect(accept).toHaveAccessibleDescription(
        /^(?:HEARTBEAT\.md|pulseward\.toml) was changed while /,
      )
    }
    await expect(verdictOf(page, 'hard')).toHaveAccessibleName('Not verified')
    await expect(taskRow(page, 'extra').getByRole('link', { name: 'added by an agent' })).toBeVisible()
  })

  await test.step('each change is described in a sentence and shown line by line', async () => {
    await inbox.getByRole('listitem').first().getByRole('button', { name: 'View' }).click()
    await expect(contract).toContainText('It was weakened.')
    await expect(
      contract
        .getByRole('listitem')
        .filter({ hasText: 'check changed from “exists("never.md")” to “exists(' }),
    ).toBeVisible()
    await contract.getByText('Line by line').click()
    await expect(contract.getByRole('figure')).toContainText(/removed: -.*never\.md.*added: \+/s)
    await expectNothingForAxe(app)
    await resize(app, 480, 900)
    await expectNoSideScroll(page)
    await resize(app, 1280, 800)
  })

  await test.step('one part is accepted, and the rest reverted', async () => {
    await contract.getByRole('checkbox', { name: /check changed/ }).uncheck()
    await contract.getByRole('button', { name: 'Accept 1 change' }).click()
    await expect(messages(page)).toContainText('1 change left to review')
    await expect(contract.getByRole('listitem')).toHaveCount(1)
    await contract.getByRole('button', { name: 'Revert' }).click()
    await expect(contract).toBeHidden()
    const text = await onDisk('HEARTBEAT.md')
    expect(text).toContain('hard | Write never.md | optional | verify: exists("never.md")')
    expect(text).toContain('extra | A task that it added')
  })

  await test.step('the configuration is reverted from its row, by key', async () => {
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await addition.getByRole('button').first().focus()
    await page.keyboard.press('a')
    await expect(addition).toBeHidden()
    await expect(taskRow(page, 'extra')).not.toContainText('added by an agent')
    await inbox.getByRole('button').first().focus()
    await page.keyboard.press('r')
    await expect(inbox).toBeHidden()
    expect(await onDisk('pulseward.toml')).toContain('stall_minutes = 7\n')
  })
})

test('a contract that the agent removed asks one question, and is back once it is answered', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeRiggedWorkspace(
    join(folder, 'sums'),
    '- [ ] lose | Write lose.md | required | verify: exists("lose.md")',
  )
  await begin(app, folder, directory)
  await expect(page.getByRole('region', { name: 'Decisions' }).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('link', { name: /^Contract/ }).click()
  const contract = page.getByRole('region', { name: 'Contract', exact: true })
  await expect(contract.getByText('Revert the change above to bring it back.')).toBeVisible()
  await expect(contract.getByRole('button', { name: 'Create' })).toHaveCount(0)
  await expect(contract.getByRole('button', { name: 'Restore' })).toHaveCount(0)
  await expectNothingForAxe(app)
  await contract.getByRole('button', { name: 'Revert' }).click()
  await expect(page.getByRole('textbox', { name: 'Text of HEARTBEAT.md' })).toContainText('lose')
  await expect(contract.getByText('The contract cannot be shown.')).toBeHidden()
})

test('a configuration that the agent garbled is called what it is, and reverted', { tag: '@page' }, async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = await writeRiggedWorkspace(
    join(folder, 'sums'),
    '- [ ] garble | Write garble.md | required | verify: exists("garble.md")',
  )
  await begin(app, folder, directory)
  const row = page.getByRole('region', { name: 'Decisions' }).getByRole('listitem')
  await expect(row).toContainText(
    'pulseward.toml is no longer valid TOML, so none of its settings can be read.',
  )
  await row.getByRole('button', { name: 'Accept' }).click()
  await expect(messages(page)).toContainText('pulseward.toml')
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: 'Revert' }).click()
  await expect(row).toBeHidden()
  expect(await readFile(join(directory, 'pulseward.toml'), 'utf8')).toContain('stall_minutes = 7\n')
})

test('the contradiction opens large on its own screen, with a message to the agent and a link to the attempt', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = await writeRiggedWorkspace(
    join(folder, 'sums'),
    '- [ ] honest | Read the notes | required | verify: exists("never.md")',
    '- [ ] lie | Write the report | required | verify: exists("out/report.md")',
  )
  await begin(app, folder, directory)
  const lie = page.getByRole('region', { name: 'Contradictions, not reviewed' })

  await test.step('claim and measurement come first, side by side', async () => {
    await expect(lie).toContainText(/lie.*−45.*heartbeat 1/s)
    await expect(lie.getByRole('listitem').first()).toContainText('claimed out/report.md')
    await expect(lie.getByRole('img', { name: 'does not equal' }).first()).toBeVisible()
    const [first, second] = await Promise.all([lie.boundingBox(), score(page).boundingBox()])
    expect(first?.y).toBeLessThan(second?.y ?? 0)
    await expectNothingForAxe(app)
    await resize(app, 480, 900)
    await expectNoSideScroll(page)
    await resize(app, 1280, 800)
  })

  await test.step('it stays unreviewed until it is seen, which can be undone', async () => {
    const shields = page.locator('svg[data-unreviewed=true]')
    await expect(lie).toContainText('1 contradiction, not reviewed')
    await expect(shields.first()).toBeVisible()
    await lie.getByRole('button', { name: 'Seen' }).click()
    await expect(lie).toBeHidden()
    await expect(page.getByRole('region', { name: 'The gravest contradiction of today' })).toBeVisible()
    await expect(shields).toHaveCount(0)
    await messages(page).getByRole('button', { name: /^Undo/ }).click()
    await expect(lie).toBeVisible()
    await expect(shields.first()).toBeVisible()
  })

  await test.step('a message to the agent is written on the same screen', async () => {
    await lie.getByRole('button', { name: 'Message to the agent…' }).press('Enter')
    await page.keyboard.press('Escape')
    await expect(lie.getByRole('button', { name: 'Message to the agent…' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.type('The report is a file,')
    await page.keyboard.press('Escape')
    await expect(messages(page)).toContainText('What you wrote to scripted is kept')
    await expect(lie.getByRole('button', { name: 'Message to the agent…' })).toBeFocused()
    await page.keyboard.press('Enter')
    const field = lie.getByRole('textbox')
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('The report is a file,')
    await page.keyboard.press('End')
    await page.keyboard.type(' not a sentence.')
    await lie.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('region', { name: 'Messages to the agent', exact: true })).toContainText(
      /The report is a file.*About lie/s,
    )
  })

  await test.step('it is no longer a contradiction once it is overruled', async () => {
    await lie.getByRole('link', { name: 'View attempt' }).click()
    await page.getByRole('button', { name: 'Overrule…' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('It is on the share')
    await page.getByRole('button', { name: 'Overrule the verdict' }).click()
    await expect(page.locator('q').getByText('It is on the share')).toBeVisible()
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await expect(taskRow(page, 'lie')).toBeVisible()
    await expect(lie).toBeHidden()
    await expect(page.getByRole('region', { name: 'The gravest contradiction of today' })).toBeHidden()
  })
})
