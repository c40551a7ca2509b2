import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { jsonOf, writeFiles } from '../support/files.ts'
import { expectHeartbeatsDone, taskRow } from '../support/page.ts'
import { configurationOf, contractOf } from '../support/workspaces.ts'

/** Does its task, and prints messages like a compiler's about a file in the folder and about one that does not exist. */
const agent = `
import { mkdirSync, writeFileSync } from 'node:fs'
for await (const _ of process.stdin);
mkdirSync('out', { recursive: true })
writeFileSync('out/write.txt', 'written\\n')
console.log('src/sum.js:7:3 is never used, see lost/gone.js:2')
const report = { task_id: 'write', status: 'done', files: ['out/write.txt'], exit_signal: true }
console.log('\`\`\`heartbeat-report\\n' + JSON.stringify(report) + '\\n\`\`\`')
`

/** Records next to itself, in one atomic write, what it is asked to open. */
const editor = `
import { renameSync, writeFileSync } from 'node:fs'
const asked = new URL('asked.json', import.meta.url)
const part = new URL('asked.part', import.meta.url)
writeFileSync(part, JSON.stringify(process.argv.slice(2)))
renameSync(part, asked)
`

test('a file named in the output opens at its line in the operator’s editor', async ({ app, folder }) => {
  const { page } = app
  const directory = await writeFiles(join(folder, 'backend'), {
    'HEARTBEAT.md': contractOf('write'),
    'pulseward.toml': configurationOf('first'),
    'agent.mjs': agent,
    'count.txt': '1\n',
    'src/sum.js': '\n\n\n\n\n\nconst unused = 1\n',
  })
  const own = await writeFiles(join(folder, 'editor'), { 'editor.mjs': editor })
  const asked = () => jsonOf(join(own, 'asked.json'))

  await test.step('the editor is named in the settings', async () => {
    await page.evaluate(() => {
      location.hash = '#/settings'
    })
    const field = page.getByRole('textbox', { name: 'Editor' })
    await field.fill(`'${process.execPath}' '${join(own, 'editor.mjs')}' '{file}' at '{line}'`)
    await field.press('Enter')
    await expect
      .poll(async () => (await jsonOf(join(app.dataDirectory, 'settings.json'))) ?? {})
      .toMatchObject({ editor: [process.execPath, join(own, 'editor.mjs'), '{file}', 'at', '{line}'] })
  })

  const { exitCode, stderr } = await pulseward(folder, ['add', directory, '--trust'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  await page
    .getByRole('navigation', { name: 'Workspaces' })
    .getByRole('link', { name: /backend/ })
    .click()
  await expectHeartbeatsDone(page, 1)
  await taskRow(page, 'write').getByRole('button', { name: 'write', exact: true }).click()
  const output = page.getByRole('log', { name: 'Output of the agent' })
  await page.getByText('Output', { exact: true }).click()

  await test.step('a click opens the file there', async () => {
    await output.getByRole('button', { name: 'src/sum.js:7:3' }).click()
    await expect.poll(asked).toEqual([join(directory, 'src/sum.js'), 'at', '7'])
  })

  await test.step('a missing file is reported, and opens nothing', async () => {
    await output.getByRole('button', { name: 'lost/gone.js:2' }).click()
    await expect(page.getByRole('status', { name: 'Messages' })).toContainText('There is no lost/gone.js')
    expect(await asked()).toEqual([join(directory, 'src/sum.js'), 'at', '7'])
  })
})
