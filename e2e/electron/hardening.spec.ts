import type { Page } from '@playwright/test'
import { expect, test } from '../support/app.ts'

/* Our page gets no capability it doesn't need, so an agent's output could do nothing with one if it ever ran in the page. */

test('the page is isolated, and is denied everything it doesn’t need', async ({ startDesktop }) => {
  // A camera whose use can be refused.
  const { app } = await startDesktop('--use-fake-device-for-media-stream')
  const { page, electron } = app
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()

  await test.step('sandboxed, isolated, without Node', async () => {
    const preferences = await electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>
      }
      return contents.getLastWebPreferences()
    })
    expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false })
    expect(preferences).not.toMatchObject({ webSecurity: false })
    const globals = await page.evaluate(() =>
      ['require', 'process', 'module', 'global', 'Buffer', 'electron', 'ipcRenderer'].filter(
        (name) => name in window,
      ),
    )
    expect(globals).toEqual([])
  })

  await test.step('no inline script, no eval', async () => {
    expect(await refusingDirective(page, 'inline')).toBe('script-src-elem')
    expect(await refusingDirective(page, 'eval')).toBe('script-src')
    expect(await page.evaluate(() => 'injected' in window)).toBe(false)
  })

  await test.step('no other hosts', async () => {
    expect(await refusingDirective(page, 'fetch')).toBe('connect-src')
    expect(await refusingDirective(page, 'image')).toBe('img-src')
    // There is no way around the policy either: the app answers every https request of the session itself.
    const status = await electron.evaluate(
      async ({ session }) => (await session.defaultSession.fetch('https://example.com/')).status,
    )
    expect(status).toBe(404)
    expect(await page.evaluate(async () => (await fetch('/..%2f..%2fpackage.json')).status)).toBe(404)
  })

  await test.step('no navigation, no new window', async () => {
    const before = page.url()
    for (const target of ['https://example.com/', `${new URL(before).origin}.example.com/`]) {
      // Listens before the click: click and event arrive through different channels, and either may be faster.
      await electron.evaluate(({ BrowserWindow }) => {
        const refused = new Promise((resolve) => {
          BrowserWindow.getAllWindows()[0]?.webContents.once('will-frame-navigate', (event) =>
            resolve([event.url, event.defaultPrevented]),
          )
        })
        Object.assign(globalThis, { refused })
      })
      await page.evaluate((url) => {
        const link = Object.assign(document.createElement('a'), { href: url })
        document.body.append(link)
        link.click()
        link.remove()
      }, target)
      const refused = () => (globalThis as unknown as { refused: Promise<[string, boolean]> }).refused
      expect(await electron.evaluate(refused)).toEqual([target, true])
      expect(page.url()).toBe(before)
    }
    expect(await page.evaluate(() => window.open('https://example.com/') === null)).toBe(true)
    expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })

  await test.step('no permissions', async () => {
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
    const refusals = await page.evaluate(async () => {
      const nameOf = (error: unknown) => (error instanceof Error ? error.name : String(error))
      return {
        camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'granted', nameOf),
        clipboard: await navigator.clipboard.readText().then(() => 'granted', nameOf),
        // The only thing that the page does with the clipboard.
        copying: await navigator.clipboard.writeText('copied').then(() => 'granted', nameOf),
        place: await new Promise((resolve) =>
          navigator.geolocation.getCurrentPosition(
            () => resolve('granted'),
            ({ code }) => resolve(code),
          ),
        ),
      }
    })
    expect(refusals).toEqual({
      camera: 'NotAllowedError',
      clipboard: 'NotAllowedError',
      copying: 'granted',
      place: 1,
    })
    expect(await electron.evaluate(({ clipboard }) => clipboard.readText())).toBe('copied')
  })

  // Runs in the page itself, because Playwright would wait for a refused navigation forever.
  expect(await page.evaluate(() => document.querySelector('h1')?.textContent)).toContain('Know what')
})

/** Returns the directive of the page's policy that blocks the attempt. */
function refusingDirective(page: Page, attempt: 'inline' | 'eval' | 'fetch' | 'image'): Promise<string> {
  return page.evaluate(
    (what) =>
      new Promise<string>((resolve) => {
        document.addEventListener(
          'securitypolicyviolation',
          ({ effectiveDirective }) => resolve(effectiveDirective),
          { once: true },
        )
        const attempts = {
          inline: () => {
            const script = document.createElement('script')
            script.textContent = 'window.injected = true'
            document.body.append(script)
          },
          // biome-ignore lint/security/noGlobalEval: what the policy must refuse
          eval: () => globalThis.eval('window.injected = true'),
          fetch: () => void fetch('https://example.com/').catch(() => undefined),
          image: () => Object.assign(new Image(), { src: 'https://example.com/pixel.png' }),
        }
        // Runs as the page's own task: the policy may not apply to what the test's connection evaluates.
        setTimeout(attempts[what])
      }),
    attempt,
  )
}
