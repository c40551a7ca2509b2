import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { getApi, hostAddress } from '../support/api.ts'
import { expect, openBrowser, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { expectHeartbeatsDone, score } from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

/* What only a browser has: the address with its token, and a terminal beside it. */

/** Holds back the page's requests to addresses like `pattern` until the returned function is called. */
async function holdBack(page: Page, pattern: string): Promise<() => void> {
  let letGo = (): void => {}
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(pattern, async (route) => {
    await isLetGo
    await route.continue()
  })
  return letGo
}

test('the printed address signs the browser in, and the token does not stay in the address', async ({
  startHost,
}) => {
  const { url } = await startHost()
  const { page, close } = await openBrowser()
  const refused = await page.goto(new URL('/', url).href)
  expect(refused?.status()).toBe(401)
  await page.goto(url)
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  expect(page.url()).not.toContain('token')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await close()
})

test('the setup continues only once it is known which agents this machine has', async ({ app }) => {
  const { page } = app
  const letGo = await holdBack(page, '**/rpc/agents/discover*')
  await page.getByRole('button', { name: 'Add a folder' }).click()
  await expect(page.getByText('Looking for agents on this machine…')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Looking…' })).toHaveAttribute('aria-disabled', 'true')
  letGo()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('textbox', { name: 'Folder' })).toBeVisible()
})

test('a command asks the running host, and the page shows it', async ({ app, folder }) => {
  const { page, dataDirectory } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  await pulseward(folder, ['add', directory, '--trust'])
  await expectHeartbeatsDone(page, 1)

  const run = await pulseward(folder, ['run', '--once', '--json'], { cwd: directory })
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(JSON.parse(run.stdout)).toMatchObject({ cycle: 2, attempts: [{ verdict: 'verified', points: 10 }] })
  await expectHeartbeatsDone(page, 2)
  await expect(score(page)).toHaveText('20')

  const asked = await pulseward(folder, ['score', '--json'], { cwd: directory })
  expect(JSON.parse(asked.stdout)).toEqual(await getApi(dataDirectory, 'score'))
  await pulseward(folder, ['feedback', 'down'], { cwd: directory })
  await expect(score(page)).toHaveText('10')
})

test('changes in a heartbeat are pushed to the page: it requests nothing', async ({ app, folder }) => {
  const { page, dataDirectory } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write', 'draw')
  await pulseward(folder, ['add', directory, '--trust'])
  await expectHeartbeatsDone(page, 1)
  const { url, token } = await hostAddress(dataDirectory)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const runHeartbeat = async (): Promise<void> => {
    const answer = await fetch(`${url}/api/heartbeat/run`, { method: 'POST', headers, body: '{"wait":true}' })
    expect(answer.status).toBe(200)
  }
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // The keep-alive request, every 15 seconds.
    if (pathname !== '/rpc/settings/get') asked.push(pathname)
  })
  for (const count of [2, 3, 4, 5, 6]) {
    await runHeartbeat()
    await expectHeartbeatsDone(page, count)
    await expect(score(page)).toHaveText(String(20 * count))
  }
  expect(asked).toEqual([])

  // Data that a part of the screen fetches for itself is fetched when it has changed, not on each event of a heartbeat.
  await page.getByRole('link', { name: 'Agent', exact: true }).click()
  const profile = page.getByRole('region', { name: 'Profile' })
  await expect(profile).toContainText('Heartbeats6')
  asked.length = 0
  await runHeartbeat()
  await expect(profile).toContainText('Heartbeats7')
  expect(asked.filter((path) => path !== '/rpc/agents/figures' && path !== '/rpc/agents/list')).toEqual([])
})

test('the page shows the last known scores before its host answers', async ({ app, folder }) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, '<i>backend'), 'write')
  await pulseward(folder, ['add', directory, '--trust'])
  await expectHeartbeatsDone(page, 1)
  await expect(score(page)).toHaveText('10')
  const early = page.locator('#early')
  await expect(early).toHaveCount(0)

  const answer = await holdBack(page, '**/rpc/**')
  await page.reload()
  await expect(early).toContainText('<i>backend')
  await expect(early).toContainText(/10of \d+ target, as known on /)
  answer()
  await expect(score(page)).toHaveText('10')
  await expect(early).toHaveCount(0)

  // Only a workspace's screen shows them.
  await page.goto(`${page.url().split('#')[0]}#/settings`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await expect(early).toHaveCount(0)
})

test('the last thumb shows, although the attempt cannot be fetched in between', async ({ app, folder }) => {
  const { page } = app
  const directory = await writeWorkspace(join(folder, 'backend'), 'write')
  await pulseward(folder, ['add', directory, '--trust'])
  await expectHeartbeatsDone(page, 1)
  await page.getByRole('link', { name: 'Timeline', exact: true }).click()
  const verdict = page.getByRole('feed').getByRole('article', { name: 'Verified: write' })
  await verdict.getByRole('button', { name: 'Verified' }).click()
  await verdict.getByRole('link', { name: 'View attempt' }).click()
  const attempt = page.getByRole('article', { name: 'Attempt at write' })
  const up = attempt.getByRole('button', { name: 'Thumbs up for write' })
  const down = attempt.getByRole('button', { name: 'Thumbs down for write' })
  await expect(up).toHaveAttribute('aria-pressed', 'false')

  const answer = await holdBack(page, '**/rpc/attempts/get')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('+')
  await expect(up).toHaveAttribute('aria-pressed', 'true')
  await attempt.getByRole('button', { name: 'Thumbs with a note…' }).click()
  await attempt.getByRole('textbox', { name: 'Note' }).fill('Only half of it')
  await attempt.getByRole('button', { name: 'Thumbs down with this note' }).click()
  await expect(down).toHaveAttribute('aria-pressed', 'true')
  answer()
  await expect(attempt.getByText('Only half of it')).toBeVisible()
  await expect(down).toHaveAttribute('aria-pressed', 'true')
  // The same thumb only once; the one with the note counts.
  await page.keyboard.press('-')
  await page.getByRole('link', { name: 'Timeline', exact: true }).click()
  await expect(page.getByRole('feed').getByRole('article', { name: 'Thumbs down: write' })).toHaveCount(1)
})

test('the page says that the host is lost, disables its actions, and finds the next host automatically', async ({
  startHost,
}) => {
  const first = await startHost()
  const { page, close } = await openBrowser()
  await page.goto(first.url)
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  first.child.kill('SIGKILL')
  await expect(page.getByText('Connection lost.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeDisabled()
  await startHost()
  await expect(page.getByText('Connection lost.')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeEnabled()
  await close()
})

test('a screen first opened while the host is gone loads from the next one, and the rest of the page stays', async ({
  startHost,
}) => {
  const first = await startHost('--sample')
  const { page, close } = await openBrowser()
  await page.goto(first.url)
  await expect(page.getByRole('heading', { level: 1, name: 'sample' })).toBeVisible()
  first.child.kill('SIGKILL')
  await expect(page.getByText('Connection lost.')).toBeVisible()

  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByText('It could not be opened. Is Pulseward still running?')).toBeVisible()
  const sidebar = page.getByRole('navigation', { name: 'Workspaces' })
  await sidebar.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('alert')).toContainText('It loads once Pulseward answers again.')
  await sidebar.getByRole('link', { name: 'sample' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'sample' })).toBeVisible()
  // The tab's name includes the number of problems if the host went away before the sample was approved.
  await page.getByRole('link', { name: /^Contract/ }).click()
  await expect(page.getByRole('alert')).toContainText('This part of the page could not be loaded.')

  await startHost()
  await expect(page.getByRole('textbox', { name: 'Text of HEARTBEAT.md' })).toBeVisible()
  await sidebar.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  // With its styles, too.
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog', { name: 'Find anything' })).toHaveCSS('border-radius', '12px')
  await close()
})

test('a host that hangs is reported although its connections stay open, and is back once it continues', async ({
  startHost,
}) => {
  const host = await startHost()
  const { page, close } = await openBrowser()
  await page.clock.install()
  await page.goto(host.url)
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeEnabled()
  host.child.kill('SIGSTOP')
  const lost = page.getByText('Connection lost.')
  // It is asked every 15 seconds, and has 30 seconds to answer.
  await expect(async () => {
    await page.clock.fastForward(16_000)
    await expect(lost).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(page.getByText('Pulseward does not answer.')).toBeVisible()
  host.child.kill('SIGCONT')
  await expect(async () => {
    await page.clock.fastForward(1_000)
    await expect(lost).toBeHidden({ timeout: 500 })
  }).toPass()
  await close()
})
