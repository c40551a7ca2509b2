import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { expectHeartbeatsDone, expectNoSideScroll, expectNothingForAxe, resize } from '../support/page.ts'

const AGENT = `import { writeFileSync } from 'node:fs'
writeFileSync('hello.txt', 'hello')
writeFileSync('world.txt', 'world')
console.log('task_id: greet\\nstatus: done')
`

test('verified work of an isolated workspace is reviewed and lands on a click, and dropped work is queued again', async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = join(folder, 'shop')
  await writeFiles(directory, {
    'agent.mjs': AGENT,
    'HEARTBEAT.md': '# Shop\n\n## Tasks\n\n- [ ] greet | Write a greeting | verify: exists("hello.txt")\n',
    'pulseward.toml': `[agent]\ncommand = [${JSON.stringify(process.execPath)}, "agent.mjs"]\n\n[workspace]\nisolation = "worktree"\n`,
  })
  const git = (...args: string[]) => execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '--all')
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'start')
  git('config', 'user.name', 'T')
  git('config', 'user.email', 't@example.org')
  await pulseward(folder, ['add', directory, '--trust'])
  await page.getByRole('navigation', { name: 'Workspaces' }).getByRole('link', { name: /shop/ }).click()
  await expectHeartbeatsDone(page, 1)

  await page
    .getByRole('navigation', { name: 'Workspace screens' })
    .getByRole('link', { name: /^Landing/ })
    .click()
  const queue = page.getByRole('region', { name: 'In the queue' })
  await expect(queue.getByRole('listitem')).toContainText('greet')
  await queue.getByRole('button', { name: 'Difference of greet' }).click()
  await expect(queue.getByRole('figure', { name: 'Difference of greet' })).toContainText('world')

  await queue.getByRole('button', { name: 'Drop greet' }).click()
  const past = page.getByRole('region', { name: 'Landed and dropped' })
  await expect(past).toContainText('Dropped')
  await page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
  await queue.getByRole('button', { name: 'Land greet' }).click()
  await expect(past).toContainText('Landed')
  expect(git('log', '-1', '--format=%B', 'main')).toContain('Pulseward-Task: greet')
  expect(await readFile(join(directory, 'hello.txt'), 'utf8')).toBe('hello')
})

/** Changes the file that the operator changes at the same time; nothing is in the way of the other task. */
const CLASHING_AGENT = `import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const task = /^##+ Task (\\S+)/m.exec(prompt)[1]
writeFileSync(task === 'clash' ? 'README.md' : 'hello.txt', 'the agent\\n')
if (task === 'clash') {
  writeFileSync(process.argv[2] + '/README.md', 'the operator\\n')
  execFileSync('git', ['-C', process.argv[2], 'commit', '--quiet', '--all', '--message', 'Mine'])
}
console.log('task_id: ' + task + '\\nstatus: done')
`

test('a conflict names both sides, and heading and tab show the same count of waiting work', async ({
  app,
  folder,
}) => {
  const { page } = app
  const directory = join(folder, 'shop')
  const agent = join(folder, 'agent.mjs')
  await writeFiles(folder, { 'agent.mjs': CLASHING_AGENT })
  await writeFiles(directory, {
    'README.md': 'Hello\n',
    'HEARTBEAT.md':
      '## Tasks\n\n- [ ] greet | Greet | verify: exists("hello.txt")\n- [ ] clash | Change it | verify: changed("README.md")\n',
    'pulseward.toml': `[agent]\ncommand = ${JSON.stringify([process.execPath, agent, directory])}\nsandbox = "off"\n\n[workspace]\nisolation = "worktree"\n`,
  })
  const git = (...args: string[]) => execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'T')
  git('config', 'user.email', 't@example.org')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'start')
  await pulseward(folder, ['add', directory, '--trust'])
  await page.getByRole('navigation', { name: 'Workspaces' }).getByRole('link', { name: /shop/ }).click()
  await expectHeartbeatsDone(page, 1)
  const tab = page
    .getByRole('navigation', { name: 'Workspace screens' })
    .getByRole('link', { name: /^Landing/ })
  await tab.click()
  const queue = page.getByRole('region', { name: 'In the queue' })
  const conflict = queue.getByRole('listitem').filter({ hasText: 'Conflict' })
  await expect(conflict).toContainText('clash')
  await expect(queue.getByRole('heading', { level: 2 })).toHaveText('2 changes on the way, 1 waits for you')
  await expect(tab).toHaveText(/^Landing\s*1/u)
  await expect(queue).toContainText('It waits for you to land it on main')
  await expect(queue.getByText('pulseward landing')).toHaveCount(0)
  await conflict.getByRole('button', { name: 'Difference of clash' }).press('Enter')
  const sides = conflict.getByRole('figure', { name: 'Both sides of clash' })
  await expect(sides).toContainText(
    /<<<<<<< the target\s*the operator\s*=======\s*the agent\s*>>>>>>> this attempt/u,
  )
  for (const width of [1280, 480]) {
    await resize(app, width, 800)
    await expectNoSideScroll(page)
    await expectNothingForAxe(app)
  }
})

test('the change that a hook makes is shown before it is made', async ({ app, folder }) => {
  const { page } = app
  const directory = join(folder, 'shop')
  await writeFiles(directory, {
    'HEARTBEAT.md': '# Shop\n\n## Tasks\n',
    'pulseward.toml': `[agent]\ncommand = [${JSON.stringify(process.execPath)}, "agent.mjs"]\n`,
  })
  await pulseward(folder, ['add', directory, '--trust'])
  await page.getByRole('navigation', { name: 'Workspaces' }).getByRole('link', { name: /shop/ }).click()
  await page
    .getByRole('navigation', { name: 'Workspace screens' })
    .getByRole('link', { name: 'Setup' })
    .click()
  await page
    .getByRole('navigation', { name: 'Sections of the setup' })
    .getByRole('button', { name: 'Sessions' })
    .click()
  const programs = page.getByRole('region', { name: 'Programs' })
  await expect(programs.getByRole('listitem')).toHaveCount(8)
  await programs.getByRole('button', { name: 'Install… the hook in Cursor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Install the hook in Cursor' })
  await expect(dialog.getByRole('figure')).toContainText('stop --agent cursor')
  await expectNothingForAxe(app)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(programs.getByRole('button', { name: 'Install… the hook in Cursor' })).toBeVisible()
})
