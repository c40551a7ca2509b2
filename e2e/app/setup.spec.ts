import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import {
  expectHeartbeatsDone,
  expectNoSideScroll,
  expectNothingForAxe,
  resize,
  taskRow,
} from '../support/page.ts'

test('an empty folder becomes a workspace step by step, and nothing is written before the end', async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = join(folder, 'notes')
  await mkdir(join(directory, 'inbox'), { recursive: true })
  const next = page.getByRole('button', { name: 'Next' })
  const heading = (name: string) => page.getByRole('heading', { level: 2, name })

  await test.step('agents on this machine are found, and a custom program works too', async () => {
    await page.getByRole('button', { name: 'Add a folder' }).click()
    await expect(heading('Which agent does the work?')).toBeVisible()
    // Agents that are not installed are expanded only if no other is.
    await page.locator('details').evaluateAll((all) => {
      for (const details of all) (details as HTMLDetailsElement).open = true
    })
    await page
      .getByRole('radio', { name: /not found here/ })
      .first()
      .check()
    await expect(page.getByRole('button', { name: /^Copy / })).toBeVisible()
    // The narrowest that a window can be.
    await resize(app, 380, 700)
    await expectNoSideScroll(page)
    await page.getByRole('radio').first().focus()
    await expect(next, 'the way on is in sight above a long list').toBeInViewport({ ratio: 1 })
    await resize(app, 1180, 800)
    await page.getByRole('radio', { name: /My own program/ }).check()
    await expect(next).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('textbox', { name: 'Command' }).fill(`"${process.execPath}" --version`)
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('not a name')
    await expect(name).toHaveAttribute('aria-invalid', 'true')
    await expect(next).toHaveAttribute('aria-disabled', 'true')
    await name.fill('version-teller')
    await expectNothingForAxe(app)
    await next.click()
  })

  await test.step('a problem with a folder is shown beside the field', async () => {
    await expect(heading('In which folder?')).toBeFocused()
    const field = page.getByRole('textbox', { name: 'Folder' })
    await field.fill(join(folder, 'nowhere'))
    await next.click()
    await expect(field).toHaveAccessibleDescription(/There is no folder .*nowhere/)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expectNothingForAxe(app)
  })

  await test.step('a folder that contains everything is added only after confirming what that means', async () => {
    await page.getByRole('textbox', { name: 'Folder' }).fill('/')
    await next.click()
    const warning = page.getByRole('status').filter({ hasText: '/ is the top of the file system' })
    await expect(warning).toContainText('Choose the folder of one project instead, such as')
    await expect(heading('In which folder?')).toBeVisible()
    await expectNothingForAxe(app)
    await page.getByRole('button', { name: 'Use it anyway' }).click()
    await expect(heading('What should the agent do?')).toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('textbox', { name: 'Folder' }).fill(folder)
    await expect(warning).toHaveCount(0)
    await expect(next).toBeVisible()
  })

  if (app.electron !== null) {
    await test.step('in the desktop app a folder is chosen in the system’s dialog', async () => {
      await app.electron?.evaluate(({ dialog }, chosen) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] })
      }, folder)
      await page.getByRole('button', { name: 'Choose…' }).click()
      await expect(page.getByRole('textbox', { name: 'Folder' })).toHaveValue(folder)
    })
  }

  await test.step('a path is completed from existing folders', async () => {
    await page.getByRole('textbox', { name: 'Folder' }).fill(join(folder, 'no'))
    await page.getByRole('region', { name: 'Folders' }).getByRole('button', { name: 'notes' }).click()
    await expect(
      page.getByRole('region', { name: 'Folders' }).getByRole('button', { name: 'inbox' }),
    ).toBeVisible()
    await next.click()
  })

  await test.step('a starter is chosen by kind of work, edited, and checked while typing', async () => {
    await page.getByRole('radio', { name: /Inbox and notes/ }).check()
    const contract = page.getByRole('textbox', { name: 'Text of HEARTBEAT.md' })
    await expect(contract).toHaveValue(/sort_inbox/)
    await contract.fill('## Tasks\n\n- [ ] one | One | verify: exists("one.txt")\n- [ ] one | Twice\n')
    await expect(page.getByRole('region', { name: 'HEARTBEAT.md' })).toContainText(/4:\d+.*one/)
    await contract.fill('## Tasks\n\n- [ ] one | One | verify: exists("one.txt")\n')
    await expectNothingForAxe(app)
    await next.click()
  })

  await test.step('the dry run measures every check, without an agent', async () => {
    await page.getByRole('button', { name: 'Try it now' }).click()
    await expect(page.getByRole('region', { name: 'Findings' })).toContainText('1 task tried')
    await expect(page.getByRole('region', { name: 'Findings' })).toContainText('fails now')
    await expectNothingForAxe(app)
    await next.click()
  })

  await test.step('each step can go back without losing anything', async () => {
    for (const _step of [4, 3]) await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByRole('textbox', { name: 'Text of HEARTBEAT.md' })).toHaveValue(/one\.txt/)
    await page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: 'Agent' }).click()
    await expect(page.getByRole('textbox', { name: 'Command' })).toHaveValue(/--version/)
    for (let step = 1; step < 5; step += 1) {
      await expect(next).toHaveAttribute('aria-disabled', 'false')
      await next.click()
    }
  })

  await test.step('nothing is written before the last button', async () => {
    await expect(page.getByRole('region', { name: 'How the score works' })).toBeVisible()
    await expect(page.getByText('It would run 1 command and read 1 file')).toBeVisible()
    expect(await readdir(directory)).toEqual(['inbox'])
    await expectNothingForAxe(app)
    await resize(app, 480, 700)
    await expectNoSideScroll(page)
    await resize(app, 1180, 800)
  })

  await test.step('the last button writes, approves and starts', async () => {
    await page.getByRole('button', { name: 'Approve and start' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'notes' })).toBeVisible()
    await expect(page.getByRole('link', { name: /version-teller/ })).toBeVisible()
    await expect(taskRow(page, 'one')).toBeVisible()
    expect((await readdir(directory)).sort()).toEqual(['HEARTBEAT.md', 'inbox', 'pulseward.toml'])
    expect(await readFile(join(directory, 'pulseward.toml'), 'utf8')).toContain('"--version"]')
  })
})

test('existing files of a folder stay unchanged, and one that appears during setup is not overwritten', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = join(folder, 'mine')
  await mkdir(directory)
  await writeFile(
    join(directory, 'HEARTBEAT.md'),
    '# Mine\n\n## Tasks\n\n- [ ] own | Own | verify: exists("own.txt")\n',
  )
  const next = page.getByRole('button', { name: 'Next' })
  await page.getByRole('button', { name: 'Add a folder' }).click()
  await page.getByRole('radio', { name: /My own program/ }).check()
  await page.getByRole('textbox', { name: 'Command' }).fill(`"${process.execPath}" --version`)
  await next.click()
  await page.getByRole('textbox', { name: 'Folder' }).fill(directory)
  await next.click()
  const contract = page.getByRole('textbox', { name: 'Text of HEARTBEAT.md' })
  await expect(contract).toHaveValue(/own\.txt/)
  await expect(contract).not.toBeEditable()
  await expect(next).toHaveAttribute('aria-disabled', 'false')
  await next.click()
  await next.click()
  await writeFile(join(directory, 'pulseward.toml'), '# theirs\n')
  await page.getByRole('button', { name: 'Approve and start' }).click()
  await expect(page.getByRole('alert')).toContainText('pulseward.toml already exists')
  expect(await readFile(join(directory, 'pulseward.toml'), 'utf8')).toBe('# theirs\n')
})

test('in a git repository the agent can work in a worktree, and only verified work lands', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const directory = join(folder, 'shop')
  await mkdir(directory)
  await writeFile(join(directory, 'readme.txt'), 'shop\n')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', directory, '-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args])
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
  await writeFile(join(folder, 'agent.sh'), 'echo hello > hello.txt\n')
  const next = page.getByRole('button', { name: 'Next' })
  await page.getByRole('button', { name: 'Add a folder' }).click()
  await page.getByRole('radio', { name: /My own program/ }).check()
  await page.getByRole('textbox', { name: 'Command' }).fill(`sh "${join(folder, 'agent.sh')}"`)
  await next.click()
  await page.getByRole('textbox', { name: 'Folder' }).fill(directory)
  await next.click()
  const choice = page.getByRole('group', { name: 'Where the agent works' })
  await expect(choice.getByRole('radio', { name: /In your folder/ })).toBeChecked()
  await choice.getByRole('radio', { name: /In a worktree/ }).check()
  await page
    .getByRole('textbox', { name: 'Text of HEARTBEAT.md' })
    .fill('## Tasks\n\n- [ ] greet | Greet | verify: exists("hello.txt")\n')
  await expectNothingForAxe(app)
  await resize(app, 380, 700)
  await expectNoSideScroll(page)
  await resize(app, 1180, 800)
  await expect(next).toHaveAttribute('aria-disabled', 'false')
  await next.click()
  await next.click()
  await page.getByRole('button', { name: 'Approve and start' }).click()
  await expectHeartbeatsDone(page, 1)
  expect(await readFile(join(directory, 'pulseward.toml'), 'utf8')).toMatch(
    /\[workspace\]\nisolation = "worktree"/,
  )
  const queue = page.getByRole('region', { name: 'In the queue' })
  await page
    .getByRole('navigation', { name: 'Workspace screens' })
    .getByRole('link', { name: /^Landing/ })
    .click()
  await expect(queue).toContainText('greet')
  expect(await readdir(directory)).not.toContain('hello.txt')
  await queue.getByRole('button', { name: 'Land greet' }).click()
  await expect(page.getByRole('region', { name: 'Landed and dropped' })).toContainText('Landed')
  expect(await readFile(join(directory, 'hello.txt'), 'utf8')).toBe('hello\n')
})
