import { join } from 'node:path'
import { expect, openBrowser } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { expectHeartbeatsDone, score } from '../support/page.ts'
import { diskTest as test } from '../support/small-disk.ts'
import { writeWorkspace } from '../support/workspaces.ts'

test('on a full disk the page says what could not be kept, and goes on once there is space', async ({
  folder,
  disk,
  startHost,
}) => {
  const { url } = await startHost()
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'write'), '--trust'])
  const { page, close } = await openBrowser()
  await page.goto(url)
  await expectHeartbeatsDone(page, 1)
  const free = await disk.fill()
  const messages = page.getByRole('status', { name: 'Messages' })
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(messages).toContainText(/heartbeat could not run: .*the disk is full/)
  await expect(score(page)).toHaveText('10')
  await free()
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(score(page)).toHaveText('20')
  await close()
})
