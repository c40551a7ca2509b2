import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { getApi, hostAddress } from '../support/api.ts'
import { expect, markedEnvironment, openBrowser, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { score, verdictOf } from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

/** Gives a thumbs up as a program without a terminal that has the token; returns the response's status. */
async function thumb(folder: string, dataDirectory: string): Promise<number> {
  const { url, token } = await hostAddress(dataDirectory)
  const script = `fetch(process.argv[1] + '/api/score/feedback', { method: 'POST', body: '{"feedback":"up"}',
    headers: { authorization: 'Bearer ' + process.argv[2], 'content-type': 'application/json' } }).then((answer) => console.log(answer.status))`
  const child = spawn(process.execPath, ['-e', script, url, token], {
    // A separate session, so that no terminal is among its ancestors.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: markedEnvironment(folder),
  })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  await once(child, 'close')
  return Number(said)
}

function question(page: Page) {
  return page.getByRole('article', { name: /asks to change score or trust$/ })
}

test('a request that cannot be traced waits for the operator while an attempt runs', async ({
  app,
  folder,
}) => {
  const { page, dataDirectory } = app
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'hold'), '--trust'])
  await expect(verdictOf(page, 'hold')).toHaveAccessibleName('Running')

  const refused = thumb(folder, dataDirectory)
  await expect(question(page)).toContainText('POST /api/score/feedback')
  await expect(question(page)).toContainText('it may be the agent’s')
  await expect(question(page).getByRole('button', { name: 'Always…' })).toBeHidden()
  await question(page).getByRole('button', { name: 'Deny' }).click()
  expect(await refused).toBe(403)
  await expect(question(page)).toBeHidden()
  await expect(score(page)).toHaveText('0')

  const allowed = thumb(folder, dataDirectory)
  await question(page).getByRole('button', { name: 'Allow once' }).click()
  expect(await allowed).toBe(200)
  await expect(question(page)).toBeHidden()
})

test('a workspace whose data cannot be read is reported on the page, with the way out', async ({
  folder,
  startHost,
}) => {
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  await pulseward(folder, ['add', directory])
  const { workspaces } = JSON.parse((await pulseward(folder, ['list', '--json'])).stdout)
  const file = join(folder, 'data/workspaces', workspaces[0].id, 'workspace.json')
  await writeFile(file, '{"id": ')

  const { url } = await startHost()
  const { page, close } = await openBrowser()
  await page.goto(url)
  const sidebar = page.getByRole('navigation', { name: 'Workspaces' })
  await expect(sidebar).toContainText(
    /backend: could not be opened.*workspace\.json cannot be used.*pulseward add DIR/,
  )
  await pulseward(folder, ['add', directory])
  await expect(sidebar.getByRole('link', { name: /backend/ })).toBeVisible()
  await expect(sidebar).not.toContainText('could not be opened')
  expect(await getApi<unknown[]>(join(folder, 'data'), 'workspaces')).toHaveLength(1)
  await close()
})
