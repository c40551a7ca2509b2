import { join } from 'node:path'
import { expect, openBrowser } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { expectHeartbeatsDone, score } from '../support/page.ts'
import { diskTest as test } from '../support/small-disk.ts'
import { writeWorkspace } from '../support/workspaces.ts'

test('on a full disk the page says what could not be saved, and continues once there is space', async ({
  folder,
  disk,
  startHost,
}) => {
  const { url } = await startHost()
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'write'), '--trust'])
  const { page, close } = await openBrowser()
  await page.goto(url)
  await expectHeartbeatsDone(page, 1)
  const messages = page.getByRole('status', { name: 'Messages' })
  const run = page.getByRole('button', { name: 'Run now' })
  const filled: (() => Promise<void>)[] = []
  // The rest of the ledger's last block may fit the beginning of one more heartbeat, which then finishes on the reserved space.
  await expect(async () => {
    filled.push(await disk.fill())
    await run.click()
    await expect(messages).toContainText(/heartbeat could not run: .*the disk is full/, { timeout: 5000 })
  }).toPass()
  const points = Number(await score(page).textContent())
  for (const free of filled) await free()
  await run.click()
  await expect(score(page)).toHaveText(String(points + 10))
  await close()
})
