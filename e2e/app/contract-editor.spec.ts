import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { hostAddress, pageAddress } from '../support/api.ts'
import { type App, expect, openBrowser, test } from '../support/app.ts'
import { writeFiles } from '../support/files.ts'
import { expectNoSideScroll, expectNothingForAxe, resize } from '../support/page.ts'

const node = JSON.stringify(process.execPath)

const configuration = `[agent]
id = "scripted"
command = [${node}, "-e", ""]

[heartbeat]
interval_minutes = 600

[probes.email_count]
command = [${node}, "-p", "1 + 2"]
parse = "number"

[verification]
commands = ["npm test"]
`

/** Contains everything that an editor might lose: a byte order mark, both kinds of line break, and no break at the end. */
const CONTRACT = `\uFEFF# Inbox\r
\r
Answer kindly.\r
\r
## Tasks\r
\r
- [ ] sort | Sort the inbox | verify: email_count == 0\r
  - [ ] labels on all\r
* [ ] write | Write notes/today.md | optional | verify: changed("notes/today.md")\r
\r
## Notes\n
Nothing here changes.`

/** Opens the contract's screen of a workspace with the contract above, approved and paused; returns the file's path. */
async function openContract(
  app: App,
  folder: string,
  contract = CONTRACT,
  settings = configuration,
): Promise<string> {
  const directory = await writeFiles(join(folder, 'inbox'), {
    'HEARTBEAT.md': contract,
    'pulseward.toml': settings,
  })
  const { url, token } = await hostAddress(app.dataDirectory)
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  // Paused before it is approved, so that no heartbeat of the agent comes between.
  const { id } = await post('workspaces', { path: directory })
  await post('heartbeat/pause', { workspace: id })
  const { hash } = await (
    await fetch(`${url}/api/workspaces/${id}/trust`, { headers: { authorization: `Bearer ${token}` } })
  ).json()
  await post(`workspaces/${id}/trust`, { hash })
  await app.page.getByRole('link', { name: /^Contract/ }).click()
  await expect(text(app.page)).toBeVisible()
  return join(directory, 'HEARTBEAT.md')
}

function text(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Text of HEARTBEAT.md' })
}

function tasks(page: Page): Locator {
  return page.getByRole('list', { name: 'Tasks of the contract' }).locator('> li')
}

function problems(page: Page): Locator {
  return page.getByRole('list', { name: 'Diagnostics' }).getByRole('listitem')
}

/** Opens a task in the form, which moves the cursor to its line. */
async function openTask(page: Page, index: number): Promise<Locator> {
  const row = tasks(page).nth(index)
  await row.locator('button[aria-expanded="false"]').first().click()
  await expect(row.getByRole('textbox', { name: 'Id' })).toBeVisible()
  return row
}

/** Moves the cursor to the end of a line (counted from 1) of the text. */
async function cursorToEndOf(page: Page, line: number): Promise<void> {
  await page
    .locator('.cm-content[contenteditable=true] .cm-line')
    .nth(line - 1)
    .click()
  // Long lines wrap, so the end of the row may not be the end of the line.
  await page.keyboard.press('End')
  await page.keyboard.press('End')
}

/** A completion that the editor offers at the cursor. */
function option(page: Page, name: RegExp): Locator {
  return page.locator('.cm-tooltip-autocomplete').getByRole('option', { name })
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
}

test('a contract is edited in text and form at once, corrected, tried and saved, and no other byte changes', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const file = await openContract(app, folder)
  await expect(tasks(page)).toHaveCount(2)

  await test.step('an error shows at once where it was typed, and in the list', async () => {
    await cursorToEndOf(page, 7)
    await page.keyboard.type(' | max_attempts: none')
    await expect(page.locator('.cm-lintRange-error')).toHaveText('max_attempts: none')
    await expect(problems(page)).toHaveCount(1)
    await expect(problems(page)).toContainText('max_attempts must be a whole number')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
  })

  await test.step('its quick fix corrects it, and the form follows', async () => {
    await problems(page).getByRole('button', { name: 'Set max_attempts: 3' }).click()
    await expect(problems(page)).toHaveCount(0)
    await expect(text(page)).toContainText('email_count == 0 | max_attempts: 3')
    await expect(tasks(page).first().getByRole('textbox', { name: 'Attempts' })).toHaveValue('3')
  })

  await test.step('an unknown probe is corrected to the nearest name', async () => {
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    const row = tasks(page).first()
    await row.getByRole('combobox', { name: 'Check', exact: true }).fill('mail_count == 0')
    await expect(problems(page)).toContainText('There is no probe called "mail_count"')
    await row.getByRole('button', { name: 'Change mail_count to email_count' }).click()
    await expect(row.getByRole('combobox', { name: 'Check', exact: true })).toHaveValue('email_count == 0')
  })

  await test.step('keywords, probes, functions and approved commands are completed', async () => {
    await cursorToEndOf(page, 9)
    await page.keyboard.press('Enter')
    await page.keyboard.type('- [ ] read | Read it | req')
    await option(page, /^required/).click()
    await page.keyboard.type(' | ver')
    await option(page, /^verify:/).click()
    await page.keyboard.type('ema')
    await option(page, /^email_count/).click()
    await page.keyboard.type(' == 0 || suc')
    await option(page, /^succeeds/).click()
    await page.keyboard.type('np')
    await option(page, /^npm test/).click()
    await expect(text(page)).toContainText(
      'read | Read it | required | verify: email_count == 0 || succeeds("npm test")',
    )
    await expect(tasks(page)).toHaveCount(3)
  })

  await test.step('undo goes back through the changes of both views, and redo forward', async () => {
    const row = await openTask(page, 1)
    await row.getByRole('textbox', { name: 'Description' }).fill('Write it down')
    await expect(text(page)).toContainText('write | Write it down | optional')
    await row.getByRole('combobox', { name: 'Counts as' }).selectOption('required')
    await expect(text(page)).toContainText('write | Write it down | required')
    await page.keyboard.press('Control+z')
    await expect(row.getByRole('combobox', { name: 'Counts as' })).toHaveValue('optional')
    await text(page).press('Control+z')
    await expect(row.getByRole('textbox', { name: 'Description' })).toHaveValue('Write notes/today.md')
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect(text(page)).toContainText('write | Write it down | optional')
    await page.getByRole('button', { name: 'Undo' }).click()
  })

  await test.step('tasks are checked off, moved by key and by drag, given criteria, added and removed', async () => {
    await tasks(page).nth(2).getByRole('checkbox', { name: 'Checked: read' }).click()
    await expect(text(page)).toContainText('[x] read')
    await page.getByRole('button', { name: /^Move read/ }).press('ArrowUp')
    await expect(tasks(page).nth(1)).toContainText('read')
    await expect(page.getByRole('button', { name: /^Move read: place 2 of 3/ })).toBeFocused()
    await drag(page, page.getByRole('button', { name: /^Move read/ }), tasks(page).first())
    await expect(tasks(page).first()).toContainText('read')
    const row = await openTask(page, 2)
    await row.getByRole('textbox', { name: 'New criterion' }).fill('dated')
    await page.keyboard.press('Enter')
    await expect(text(page)).toContainText('  * [ ] dated')
    await page.getByRole('button', { name: 'Add a task' }).click()
    await expect(tasks(page).nth(3).getByRole('textbox', { name: 'Id' })).toHaveValue('new_task')
    await tasks(page).nth(3).getByRole('button', { name: 'Remove' }).click()
    await expect(tasks(page)).toHaveCount(3)
  })

  await test.step('the saved file contains the edits, and every other byte is unchanged', async () => {
    await save(page)
    const [head, , foot] = [CONTRACT.split('- [ ] sort')[0], null, CONTRACT.split('\r\n\r\n## Notes')[1]]
    const read = '* [x] read | Read it | required | verify: email_count == 0 || succeeds("npm test")\r\n'
    const sort = '- [ ] sort | Sort the inbox | verify: email_count == 0\r\n  - [ ] labels on all\r\n'
    const write =
      '* [ ] write | Write notes/today.md | optional | verify: changed("notes/today.md")\r\n  * [ ] dated'
    await expect
      .poll(() => readFile(file, 'utf8'))
      .toBe(`${head}${read.replace('* ', '- ')}${sort}${write}\r\n\r\n## Notes${foot}`)
  })
})

/** Drags with the pointer, in steps as a hand does. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (start === null || end === null) throw new Error('Nothing to drag')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(start.x + start.width / 2, start.y - 10, { steps: 5 })
  await page.mouse.move(end.x + 60, end.y + end.height / 2, { steps: 10 })
  await expect(page.locator('[data-target="true"]')).toBeVisible()
  await page.mouse.up()
}

test('a task is tried while it is being edited: its check measured, its prompt shown, at its own address', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  await openContract(app, folder)
  await page.evaluate(() => {
    location.hash = `${location.hash}/write`
  })
  const write = tasks(page).nth(1)
  await expect(write.getByRole('textbox', { name: 'Id' })).toHaveValue('write')
  await expect(text(page)).toBeFocused()

  await test.step('the check is measured without an agent, with its values', async () => {
    const row = await openTask(page, 0)
    await row.getByRole('combobox', { name: 'Check', exact: true }).fill('email_count == 3')
    await row.getByRole('button', { name: 'Try this check now' }).click()
    const finding = row.getByRole('region', { name: 'Check of sort' })
    await expect(finding).toContainText('Passes now')
    await expect(finding.getByRole('definition')).toHaveText('3')
    await row.getByRole('combobox', { name: 'Check', exact: true }).fill('email_count')
    await row.getByRole('button', { name: 'Try this check now' }).click()
    await expect(finding).toContainText('Needs a claim')
    await expect(finding).toContainText('The agent has to claim what email_count reads')
  })

  await test.step('the prompt is made from the current, unsaved text', async () => {
    const row = tasks(page).first()
    await row.getByRole('button', { name: 'Preview the prompt' }).click()
    const prompt = row.getByRole('region', { name: 'Prompt for sort' })
    await expect(prompt).toContainText('Answer kindly.')
    await expect(prompt).toContainText('Report the value `email_count`.')
    await row.getByRole('textbox', { name: 'Description' }).fill('Sort all of it')
    await expect(prompt).toContainText('Sort all of it')
    await expectNothingForAxe(app)
  })

  await test.step('a narrow window shows one view at a time, and all of it', async () => {
    await resize(app, 480, 700)
    await expectNoSideScroll(page)
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await expect(text(page)).toBeVisible()
    await expectNoSideScroll(page)
    await expectNothingForAxe(app)
  })
})

test('a change on disk is loaded; it never overwrites unsaved edits, nor do they overwrite it', async ({
  app,
  folder,
}) => {
  const { page } = app
  const base = '# Inbox\n\n## Tasks\n\n- [ ] sort | Sort it | verify: email_count == 0\n\n## End\n\nFin.\n'
  const file = await openContract(app, folder, base)
  const conflict = page.getByRole('region', { name: 'Changed on disk' })

  await test.step('a change on disk is loaded while there are no unsaved edits', async () => {
    await writeFile(file, base.replace('Sort it', 'Sort them'))
    await expect(text(page)).toContainText('Sort them')
    await expect(tasks(page).first()).toContainText('Sort them')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  })

  await test.step('changes that don’t overlap are merged', async () => {
    await cursorToEndOf(page, 1)
    await page.keyboard.type(' and more')
    await writeFile(file, base.replace('Sort it', 'Sort them').replace('Fin.', 'The end.'))
    await expect(conflict).toBeVisible()
    await expect(conflict.getByRole('radio', { name: 'Both (merged)' })).toBeChecked()
    await expect(conflict).toContainText('The end.')
    await expectNothingForAxe(app)
    await conflict.getByRole('button', { name: 'Take both' }).click()
    await expect(conflict).toBeHidden()
    await save(page)
    expect(await readFile(file, 'utf8')).toBe(
      base.replace('Inbox', 'Inbox and more').replace('Sort it', 'Sort them').replace('Fin.', 'The end.'),
    )
  })

  await test.step('when both changed one line, theirs is taken, and undo brings ours back', async () => {
    await cursorToEndOf(page, 1)
    await page.keyboard.type(' mine')
    await appendFile(file, '')
    await writeFile(file, base.replace('Inbox', 'Theirs'))
    await expect(conflict).toContainText('Both changed the same lines')
    await expect(conflict.getByRole('radio')).toHaveCount(2)
    await page.keyboard.press('Control+s')
    expect(await readFile(file, 'utf8')).toBe(base.replace('Inbox', 'Theirs'))
    await conflict.getByRole('radio', { name: 'On disk' }).check()
    await conflict.getByRole('button', { name: 'Take the one on disk' }).click()
    await expect(text(page)).toContainText('# Theirs')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(text(page)).toContainText('# Inbox and more mine')
  })

  await test.step('ours is kept, and replaces theirs only when it is saved', async () => {
    await writeFile(file, base.replace('Inbox', 'Theirs again'))
    await expect(conflict).toBeVisible()
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await expect(conflict).toBeHidden()
    expect(await readFile(file, 'utf8')).toContain('Theirs again')
    await save(page)
    expect(await readFile(file, 'utf8')).toContain('# Inbox and more mine')
  })

  await test.step('a deleted file can be written again', async () => {
    await cursorToEndOf(page, 1)
    await page.keyboard.type('!')
    await rm(file)
    await page.getByRole('button', { name: 'Write the file again' }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    expect(await readFile(file, 'utf8')).toContain('# Inbox and more mine!')
  })

  await test.step('a file that is not UTF-8 is shown, but not written', async () => {
    await writeFile(file, Buffer.concat([Buffer.from(base), Buffer.from([0xff, 0xfe])]))
    await expect(page.getByText('Read only', { exact: true })).toBeVisible()
    await cursorToEndOf(page, 1)
    await page.keyboard.type('lost')
    await expect(text(page)).not.toContainText('lost')
    await writeFile(file, base)
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  })
})

test('a deleted contract is restored to the version last in effect, or created', { tag: '@page' }, async ({
  app,
  folder,
}) => {
  const { page } = app
  const file = await openContract(app, folder)
  await expect(text(page)).toBeVisible()
  await page.goto('about:blank')
  await rm(file)
  await page.goto(await pageAddress(app.dataDirectory))
  const notice = page.getByRole('region', { name: 'Notices' })
  await expect(notice).toContainText('HEARTBEAT.md. Write your tasks there')
  await notice.getByRole('button', { name: 'View contract' }).click()
  const problem = page.getByRole('main').getByText('The contract cannot be shown.')
  await expect(problem).toBeVisible()
  // Shown once, by the screen, without a notice above it.
  await expect(page.getByText(/^There is no .*HEARTBEAT\.md/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create' })).toBeVisible()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(text(page)).toContainText('sort | Sort the inbox')
  expect(await readFile(file, 'utf8')).toBe(CONTRACT)
  await expect(page.getByText('The contract cannot be shown.')).toBeHidden()
})

test('a draft survives closing the tab and a reload, and two windows stay in sync', { tag: '@page' }, async ({
  app,
  folder,
}) => {
  const { page } = app
  const file = await openContract(
    app,
    folder,
    '## Tasks\n\n- [ ] sort | Sort it | verify: email_count == 0\n',
  )

  await test.step('leaving the tab loses neither the text nor the undo history', async () => {
    const row = await openTask(page, 0)
    await row.getByRole('textbox', { name: 'Description' }).fill('Sort all')
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await expect(text(page)).toBeHidden()
    await page.getByRole('link', { name: /^Contract/ }).click()
    await expect(text(page)).toContainText('Sort all')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(text(page)).toContainText('Sort it')
    await page.getByRole('button', { name: 'Redo' }).click()
  })

  await test.step('a reload brings the draft back, with a notice and a way to discard it', async () => {
    await page.reload()
    await expect(text(page)).toContainText('Sort all')
    await expect(page.getByText(/Your unsaved changes of .* are back/)).toBeVisible()
    expect(await readFile(file, 'utf8')).toContain('Sort it')
    await page.getByRole('button', { name: 'Discard the draft' }).click()
    await expect(text(page)).toContainText('Sort it')
    await page.reload()
    await expect(text(page)).toContainText('Sort it')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  })

  await test.step('a save in one window shows in the other', async () => {
    const other = await openBrowser()
    try {
      await other.page.goto(`${await pageAddress(app.dataDirectory)}${new URL(page.url()).hash}`)
      await expect(text(other.page)).toContainText('Sort it')
      const row = await openTask(other.page, 0)
      await row.getByRole('textbox', { name: 'Description' }).fill('Sort from there')
      await save(other.page)
      await expect(text(page)).toContainText('Sort from there')
      await cursorToEndOf(page, 1)
      await page.keyboard.type(' ')
      await save(page)
      await expect(other.page.getByText('Saved', { exact: true })).toBeVisible()
      await expect.poll(() => readFile(file, 'utf8')).toContain('## Tasks \n')
    } finally {
      await other.close()
    }
  })

  await test.step('windows of one browser share the draft while it is edited', async () => {
    const browser = page.context().browser()
    // A second Electron window is not part of the same browser context.
    if (app.electron !== null || browser === null) return
    const context = await browser.newContext()
    const [one, two] = [await context.newPage(), await context.newPage()]
    await one.goto(`${await pageAddress(app.dataDirectory)}${new URL(page.url()).hash}`)
    await expect(text(one)).toBeVisible()
    await two.goto(one.url())
    await openTask(two, 0)
    await tasks(two).first().getByRole('textbox', { name: 'Description' }).fill('Sort together')
    await expect(text(one)).toContainText('Sort together')
    await expect(one.getByText('Unsaved changes')).toBeVisible()
    await one.getByRole('button', { name: 'Discard changes' }).click()
    await expect(text(two)).toContainText('Sort from there')
    await context.close()
  })
})

test('files a task may change, checks of its criteria and a name without a probe are set in the form', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const file = await openContract(
    app,
    folder,
    '# Inbox\n\n## Tasks\n\n- [ ] sort | Sort the inbox | required | verify: unread\n  - [ ] labels on all\n',
  )
  const row = await openTask(page, 0)

  await test.step('the globs are in the task’s line, and the prompt lists them for the agent', async () => {
    await row.getByRole('textbox', { name: /^May change/ }).fill('test/**, docs/{a,b}.md')
    await expect(text(page)).toContainText('may_change: test/** | may_change: docs/{a,b}.md')
    await row.getByRole('combobox', { name: 'Files' }).selectOption('never')
    await expect(text(page)).toContainText('files: never')
    await row.getByRole('combobox', { name: 'Files' }).selectOption('auto')
    await expect(text(page)).not.toContainText('files: never')
    await row.getByRole('button', { name: 'Preview the prompt' }).click()
    await expect(row.getByRole('region', { name: 'Prompt for sort' })).toContainText('test/**')
    await row.getByRole('button', { name: 'Hide the prompt' }).click()
  })

  await test.step('a criterion has its own check', async () => {
    const hint = row.getByRole('textbox', { name: 'Check of criterion 1' })
    await hint.fill('email_count == 3')
    await expect(text(page)).toContainText('- [ ] labels on all | verify: email_count == 3')
    await expect(row.getByRole('textbox', { name: 'Criterion 1', exact: true })).toHaveValue('labels on all')
  })

  await test.step('the keyword is completed, as often as needed', async () => {
    await cursorToEndOf(page, 5)
    await page.keyboard.type(' | may')
    await option(page, /^may_change:/).click()
    await page.keyboard.type('e2e/**')
    await expect(row.getByRole('textbox', { name: /^May change/ })).toHaveValue(
      'test/**, docs/{a,b}.md, e2e/**',
    )
  })

  await test.step('a name without a probe is defined after a trial that shows its value', async () => {
    await row.getByRole('button', { name: 'Define unread…' }).click()
    const form = row.getByRole('form', { name: 'Define unread' })
    await form.getByRole('textbox', { name: 'Program' }).fill('no-such-program-anywhere')
    await form.getByRole('button', { name: 'Try it' }).click()
    await expect(form.getByRole('alert')).toContainText('no-such-program-anywhere')
    await form.getByRole('textbox', { name: 'Program' }).fill(`${process.execPath} -p "6 * 7"`)
    await form.getByRole('textbox', { name: 'Program' }).press('Enter')
    await expect(form.getByRole('status')).toHaveText('unread is 42 now.')
    await expectNothingForAxe(app)
    await resize(app, 480, 900)
    await expectNoSideScroll(page)
    await resize(app, 1280, 800)
    await form.getByRole('button', { name: 'Write and approve it' }).click()
    await expect(page.getByRole('status', { name: 'Messages' })).toContainText(
      'unread is defined, and approved',
    )
    await expect(row.getByRole('button', { name: 'Define unread…' })).toBeHidden()
    await expect(problems(page)).toHaveCount(0)
    await row.getByRole('button', { name: 'Try this check now' }).click()
    await expect(row.getByRole('region', { name: 'Check of sort' })).toContainText('42')
  })

  await test.step('once saved, it is the operator’s contract', async () => {
    await save(page)
    expect(await readFile(file, 'utf8')).toContain(
      'verify: unread | may_change: test/** | may_change: docs/{a,b}.md | may_change: e2e/**\n  - [ ] labels on all | verify: email_count == 3\n',
    )
  })
})

test('a misspelled word, key or heading is reported with what was probably meant, and fixed by a click', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const file = await openContract(
    app,
    folder,
    '# Inbox\n\n## Tasks\n\n- [ ] sort | Sort it | requird\n- [ ] test | Test it | verify: tests.faild == 0\n',
    `${configuration}\n[probes.tests]\ncommand = ["npm", "test"]\nparse = "vitest"\n`,
  )
  const line = (words: string) => problems(page).filter({ hasText: words })

  await test.step('a misspelled field', async () => {
    await expect(line('Did you mean "required"?')).toHaveCount(1)
    await line('requird').getByRole('button', { name: 'Write required' }).click()
    await expect(text(page)).toContainText('sort | Sort it | required')
    await expect(line('requird')).toHaveCount(0)
  })

  await test.step('a key that no report has', async () => {
    await expect(line('did you mean "failed"?')).toHaveCount(1)
    await expect(line('did you mean "failed"?').getByRole('img')).toHaveAccessibleName('warning')
    await line('did you mean "failed"?')
      .getByRole('button', { name: 'Change faild to failed' })
      .press('Enter')
    await expect(text(page)).toContainText('verify: tests.failed == 0')
    await expect(line('faild')).toHaveCount(0)
  })

  await test.step('a heading that is not the section', async () => {
    await writeFile(file, '# Inbox\n\n## 📋 Tasks\n\n- [ ] sort | Sort it | verify: email_count == 0\n')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(text(page)).toContainText('📋 Tasks')
    await expect(line('Did you mean "## Tasks"?')).toHaveCount(1)
    await expectNothingForAxe(app)
    await line('Did you mean "## Tasks"?').getByRole('button', { name: 'Write “## Tasks”' }).click()
    await expect(tasks(page)).toHaveCount(1)
    await expect(problems(page)).toHaveCount(0)
    await save(page)
    expect(await readFile(file, 'utf8')).toContain('\n## Tasks\n')
  })
})
