import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DesktopApp, expect, root, test } from '../support/app.ts'

/*
 * Electron's security checklist (https://www.electronjs.org/docs/latest/tutorial/security), with one step per point, numbered as there.
 * Point 19, fuses, is about a packaged app: only the request is checked here. `npm run package` checks the built program and fails if a
 * fuse is wrong.
 */

function sources(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .join('\n')
}

function preferencesOf({ electron }: DesktopApp): Promise<Record<string, unknown>> {
  return electron.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>
    }
    return contents.getLastWebPreferences()
  })
}

test("Electron's security checklist", async ({ startDesktop }) => {
  const { app } = await startDesktop()
  const { page, electron } = app
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible()
  const preferences = await preferencesOf(app)
  const main = sources('src/main')

  await test.step('1. only secure content is loaded', async () => {
    expect(new URL(page.url()).protocol).toBe('https:')
    expect(await page.evaluate(() => window.isSecureContext)).toBe(true)
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect(loaded.filter((name) => new URL(name).origin !== new URL(page.url()).origin)).toEqual([])
  })

  await test.step('2, 3, 4. no Node, isolated, sandboxed', () => {
    expect(preferences).toMatchObject({ nodeIntegration: false, contextIsolation: true, sandbox: true })
    expect(preferences.nodeIntegrationInWorker ?? false).toBe(false)
    expect(preferences.nodeIntegrationInSubFrames ?? false).toBe(false)
  })

  await test.step('5. permissions are refused', async () => {
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
  })

  await test.step('6, 8, 9, 10. no protection is turned off, no experimental feature turned on', () => {
    expect(preferences.webSecurity ?? true).toBe(true)
    expect(preferences.allowRunningInsecureContent ?? false).toBe(false)
    expect(preferences.experimentalFeatures ?? false).toBe(false)
    expect(preferences.enableBlinkFeatures ?? '').toBe('')
  })

  await test.step('7. a strict content security policy', async () => {
    const policy = await page.evaluate(async () =>
      (await fetch(location.pathname)).headers.get('content-security-policy'),
    )
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
  })

  await test.step('11, 12. no webviews', async () => {
    expect(preferences.webviewTag).toBe(false)
    const attached = await page.evaluate(() => {
      const view = document.createElement('webview')
      document.body.append(view)
      const isView = 'loadURL' in view
      view.remove()
      return isView
    })
    expect(attached).toBe(false)
  })

  await test.step('13. no navigation, of the window or of a frame in it', async () => {
    const before = page.url()
    const refused = electron.evaluate(
      ({ BrowserWindow }) =>
        new Promise<boolean>((resolve) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents
          contents?.on('will-frame-navigate', (event) => {
            // The app's own listener ran before this one.
            if (!event.isMainFrame) resolve(event.defaultPrevented)
          })
        }),
    )
    await page.evaluate(() => {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      // As an agent's content would if it got into the page and past the policy, which refuses it as well.
      const link = Object.assign(document.createElement('a'), {
        href: 'https://example.com/',
        target: 'inner',
      })
      frame.name = 'inner'
      document.body.append(link)
      link.click()
      link.remove()
    })
    const outcome = await Promise.race([
      refused,
      // If the policy refused it before Electron was asked, nothing navigated either.
      page.waitForTimeout(2_000).then(() => null),
    ])
    expect(outcome).not.toBe(false)
    expect(page.frames().map((frame) => frame.url())).not.toContain('https://example.com/')
    await page.evaluate(() => document.querySelector('iframe')?.remove())
    expect(page.url()).toBe(before)
    const listened = await electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      return ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'].filter(
        (name) => (contents?.listenerCount(name as never) ?? 0) > 0,
      )
    })
    expect(listened).toHaveLength(4)
  })

  await test.step('14. no new windows', async () => {
    expect(await page.evaluate(() => window.open('https://example.com/') === null)).toBe(true)
    expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })

  await test.step('15. nothing from others is opened outside the app', () => {
    expect(main).not.toContain('openExternal')
  })

  await test.step('16. a supported version of Electron', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const major = Number(/\d+/.exec(devDependencies.electron)?.[0])
    expect(major).toBeGreaterThanOrEqual(45)
  })

  await test.step('17. messages from a page are accepted only over the port it was given', () => {
    expect(main).not.toMatch(/ipcMain\b/)
  })

  await test.step('18. no file:// page', async () => {
    expect(page.url()).not.toMatch(/^file:/)
    expect(main).not.toMatch(/loadFile\(|file:\/\//)
  })

  await test.step('19. the fuses are configured', () => {
    const config = readFileSync(join(root, 'packaging/electron-builder.yml'), 'utf8')
    for (const fuse of [
      'enableEmbeddedAsarIntegrityValidation',
      'onlyLoadAppFromAsar',
      'enableCookieEncryption',
    ])
      expect(config).toContain(`  ${fuse}: true\n`)
    for (const fuse of ['runAsNode', 'enableNodeOptionsEnvironmentVariable', 'enableNodeCliInspectArguments'])
      expect(config).toContain(`  ${fuse}: false\n`)
  })

  await test.step('20. the page gets no Electron API', async () => {
    const names = ['require', 'process', 'electron', 'ipcRenderer', 'electronAPI']
    expect(await page.evaluate((all) => all.filter((name) => name in window), names)).toEqual([])
    expect(readFileSync(join(root, 'src/preload/index.ts'), 'utf8')).not.toContain('exposeInMainWorld')
  })
})
