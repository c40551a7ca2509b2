import { join } from 'node:path'
import { pageAddress } from '../support/api.ts'
import { type App, expect, openBrowser, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { verdictOf } from '../support/page.ts'

const AGENT = join(import.meta.dirname, '../cli/acp-agent.mjs')

/** A workspace whose agent asks before it writes, and whose first heartbeat has begun. */
async function begin({ page }: App, folder: string): Promise<void> {
  const directory = await writeFiles(join(folder, 'asked'), {
    'HEARTBEAT.md': '## Tasks\n\n- [ ] job | Write made.txt | required | verify: changed("made.txt")\n',
    'pulseward.toml': `[agent]\nid = "stranger"\nkind = "acp"\ncommand = ${JSON.stringify([process.execPath, AGENT, 'asking'])}\npermission_timeout_seconds = 50\n`,
  })
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  expect(await pulseward(folder, ['add', directory, '--trust'])).toMatchObject({ exitCode: 0 })
}

test('an agent that asks waits for the operator, and the answer takes effect', async ({ app, folder }) => {
  const { page } = app
  await begin(app, folder)
  const request = page.getByRole('article', { name: 'stranger asks to change files' })
  await expect(request).toContainText('asked · job')
  await expect(request).toContainText(/made\.txt/u)
  await request.getByRole('button', { name: 'Allow once' }).click()
  await expect(request).toBeHidden()
  await expect(verdictOf(page, 'job')).toHaveAccessibleName('Verified')
})

test('two windows show the same request, and the first answer removes it from both', async ({
  app,
  folder,
}) => {
  test.skip(app.electron !== null, 'the desktop app has one window')
  const { page } = app
  const { page: second, close } = await openBrowser()
  await second.goto(await pageAddress(app.dataDirectory))
  await begin(app, folder)
  const requests = [page, second].map((window) =>
    window.getByRole('article', { name: 'stranger asks to change files' }),
  )
  for (const request of requests) await expect(request).toBeVisible()
  await requests[1]?.getByRole('button', { name: 'Deny' }).click()
  for (const request of requests) await expect(request).toBeHidden()
  await expect(page.getByText('It was denied a tool').first()).toBeVisible()
  await close()
})
