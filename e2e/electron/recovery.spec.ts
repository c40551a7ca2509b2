import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { getApi } from '../support/api.ts'
import { expect, test } from '../support/app.ts'
import { textOf } from '../support/files.ts'

/* The app recovers from a page that crashed or stopped responding. */

/** Returns what `script` evaluates to in the first window's page; nothing while no page can answer. */
function inPage(electron: ElectronApplication, script: string): Promise<string> {
  return electron.evaluate(
    ({ BrowserWindow }, code) =>
      Promise.race([
        BrowserWindow.getAllWindows()[0]
          ?.webContents.executeJavaScript(code)
          .catch(() => ''),
        new Promise<string>((resolve) => setTimeout(() => resolve(''), 500)),
      ]),
    script,
  )
}

/** Crashes the page's process and waits until it has ended, so that any later request reaches a new one. */
const crash = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        contents?.once('render-process-gone', () => resolve())
        contents?.forcefullyCrashRenderer()
      }),
  )

test('a page that lost its process reopens on the same screen, and says so', async ({ startDesktop }) => {
  const { app } = await startDesktop()
  const { electron, page } = app
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await page.evaluate(() => {
    window.location.hash = '#/settings'
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await crash(electron)
  await expect.poll(() => inPage(electron, 'document.body.innerText')).toContain('was reloaded')
  await expect.poll(() => inPage(electron, 'location.href')).toMatch(/index\.html#\/settings$/u)
  await expect.poll(() => inPage(electron, 'document.querySelector("h1")?.innerText')).toBe('Settings')
})

test('a page that does not answer is offered a reload, and one that keeps crashing is left alone', async ({
  startDesktop,
}) => {
  const { app } = await startDesktop()
  const { electron, page } = app
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  await electron.evaluate(({ dialog, BrowserWindow }) => {
    const asked: string[] = []
    Object.assign(globalThis, { asked })
    // The first answer is "Reload", all others "Leave it".
    dialog.showMessageBox = ((_window: unknown, { message }: { message: string }) =>
      Promise.resolve({ response: asked.push(message) === 1 ? 0 : 1 })) as never
    BrowserWindow.getAllWindows()[0]?.emit('unresponsive')
  })
  const text = () => inPage(electron, 'document.body.innerText')
  await expect.poll(text).toContain('The page was reloaded')
  for (let ends = 2; ends <= 3; ends += 1) {
    await crash(electron)
    await expect.poll(text).toContain('crashed and was reloaded')
  }
  await crash(electron)
  const asked = () => electron.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)
  await expect
    .poll(asked)
    .toEqual(['The page of Pulseward does not answer.', 'The page of Pulseward ends again and again.'])
})

/** Causes an unhandled promise rejection in the main process. */
const mistake = (electron: ElectronApplication, words: string): Promise<void> =>
  electron.evaluate((_electron, message) => {
    void Promise.reject(new Error(message))
  }, words)

test('a bug in the main process is reported and stops nothing, not even quitting', async ({
  startDesktop,
  folder,
}) => {
  const { app, stop } = await startDesktop()
  const log = () => textOf(join(folder, 'data/pulseward.log'))
  await expect(app.page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  // The dialog stays unanswered: the host continues anyway, and no second dialog opens.
  await mistake(app.electron, 'lost')
  await mistake(app.electron, 'lost as well')
  await expect.poll(log).toContain('lost as well')
  expect(await getApi(app.dataDirectory, 'workspaces')).toEqual([])
  await app.electron.evaluate(({ app: each }) => {
    each.once('before-quit', () => void Promise.reject(new Error('lost at the end')))
  })
  await stop()
  expect(await log()).toContain('lost at the end')
})
