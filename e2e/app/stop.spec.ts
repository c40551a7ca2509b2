import { join } from 'node:path'
import { getApi } from '../support/api.ts'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { agentsOf } from '../support/processes.ts'
import { writeWorkspace } from '../support/workspaces.ts'

/* A click stops a running agent, whatever it was about to claim, and nothing is scored. */

interface Attempts {
  readonly attempts: { readonly outcome: string; readonly verdict: string | null; readonly points: number }[]
}

test('a run is stopped from row, header, palette, pause and command line; nothing is scored', async ({
  app,
  folder,
}) => {
  const { page } = app
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'hold'), '--trust'])
  const runNow = page.getByRole('button', { name: 'Run now' })
  const stopped = async (count: number): Promise<void> => {
    await expect(runNow).toBeVisible()
    await expect.poll(() => agentsOf(folder)).toEqual([])
    const { attempts } = await getApi<Attempts>(app.dataDirectory, 'attempts')
    expect(attempts).toHaveLength(count)
    expect(attempts[0]).toMatchObject({ outcome: 'stopped', verdict: null, points: 0 })
  }
  const running = async (): Promise<void> => {
    await expect(page.getByText('Working on hold')).toBeVisible()
  }

  await test.step('from the row of the task', async () => {
    await running()
    await page.getByRole('button', { name: 'Stop hold now' }).click()
    await expect(page.getByRole('status', { name: 'Messages' })).toContainText('nothing is scored')
    await stopped(1)
  })

  await test.step('from the header', async () => {
    await runNow.click()
    await running()
    await page.getByRole('button', { name: 'Stop now' }).click()
    await stopped(2)
  })

  await test.step('from the palette', async () => {
    await runNow.click()
    await running()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('stop now')
    await page.keyboard.press('Enter')
    await stopped(3)
  })

  await test.step('from the command line', async () => {
    await runNow.click()
    await running()
    const answer = await pulseward(folder, ['stop', '--json'])
    expect(answer).toMatchObject({ exitCode: 0, stderr: '' })
    expect(JSON.parse(answer.stdout)).toMatchObject({ taskId: 'hold', outcome: 'stopped' })
    await stopped(4)
    expect(await pulseward(folder, ['stop'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Nothing is running in backend.'),
    })
  })

  await test.step('with a pause, whose dialog says what keeps running', async () => {
    await runNow.click()
    await running()
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText('The running heartbeat finishes first.')).toBeVisible()
    await page.getByRole('menuitem', { name: 'Stop now and pause until I resume' }).click()
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
    await stopped(5)
  })
})
