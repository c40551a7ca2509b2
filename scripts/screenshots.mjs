/*
 * `npm run screenshots [-- NAME …]`: makes the pictures of docs/screenshots anew: every screen in light and dark, at 1280×800 and
 * 480×700, from real hosts. `empty` has no workspace, `usual` the sample after a heartbeat, `full` 30 workspaces, 60 tasks and 100,000
 * events. Needs Chromium (CHROMIUM_PATH, or `chromium` on the PATH). WebP, because twelve dozen PNGs would be 20 MB.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { fillDataFolder } from '../bench/full-data-folder.ts'
import { systemClock } from '../src/main/host/system-clock.ts'
import { createHost } from '../src/main/host.ts'
import { ensureBuilt } from './ensure-built.mjs'

const root = join(import.meta.dirname, '..')
const pictures = join(root, 'docs/screenshots')
const QUALITY = 72
const VIEWPORTS = {
  wide: { width: 1280, height: 800 },
  narrow: { width: 480, height: 700 },
}
const TABS = ['today', 'contract', 'timeline', 'blocked', 'agent', 'setup']

/** Addresses of a host's screens by name. */
function screensOf(kind, workspace, attempt) {
  if (kind === 'empty') return { welcome: '', settings: '#/settings', 'first-run': '#/setup' }
  const tabs = TABS.map((tab) => [tab, `#/w/${workspace}/${tab}`])
  const others = {
    overview: '#/overview',
    attempt: `#/w/${workspace}/attempt/${attempt}`,
    palette: `#/w/${workspace}`,
  }
  return { ...Object.fromEntries(tabs), ...others }
}

async function startHost(dataDirectory) {
  const quiet = () => {}
  return createHost({
    dataDirectory,
    version: '0.1.0',
    clock: systemClock,
    log: { info: quiet, warn: quiet, error: console.error },
    notifier: { notify: quiet },
    pageDirectory: join(root, 'out/renderer'),
    sampleDirectory: join(root, 'resources/sample'),
    reportServer: join(root, 'out/main/report-server.js'),
    scheduled: false,
    port: 0,
  })
}

/** Brings a host to the state that is looked at. Answers with its first workspace. */
const prepare = {
  empty: async () => null,
  usual: async (host) => {
    const { id } = await host.service.openSample()
    await host.service.runNow(id, true)
    await host.service.runNow(id, true)
    return id
  },
  full: async (host) => host.service.listWorkspaces()[0].id,
}

async function settle(page) {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"], [class*="skeleton"]') === null &&
      !/^Loading/mu.test(document.querySelector('main')?.innerText ?? 'Loading'),
  )
  // What has come is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

async function takePicture(page, encoder, name) {
  const png = await page.screenshot()
  // Chromium writes WebP itself; Playwright's own pictures are PNG or JPEG.
  const webp = await encoder.evaluate(
    async ([data, quality]) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      canvas.getContext('2d').drawImage(bitmap, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: quality / 100 })
      return [...new Uint8Array(await blob.arrayBuffer())]
    },
    [png.toString('base64'), QUALITY],
  )
  await writeFile(join(pictures, `${name}.webp`), Uint8Array.from(webp))
}

await ensureBuilt(root)
const wanted = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'pulseward-screenshots-'))
if (wanted.length === 0) await rm(pictures, { recursive: true, force: true })
await mkdir(pictures, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking'],
})
const encoder = await browser.newPage()
try {
  for (const kind of Object.keys(prepare)) {
    if (wanted.length > 0 && !wanted.some((name) => name.startsWith(kind))) continue
    const data = join(folder, kind)
    if (kind === 'full') {
      const size = { workspaces: 30, tasks: 60, events: Number(process.env.SCREENSHOT_EVENTS ?? 100_000) }
      await fillDataFolder(data, join(folder, 'folders'), { ...size, nowMs: Date.now() })
    }
    const host = await startHost(data)
    const workspace = await prepare[kind](host)
    const attempts =
      workspace === null ? [] : (await host.service.attempts(workspace, 20, undefined)).attempts
    const attempt = (attempts.find((each) => each.groundTruthContradiction) ?? attempts[0])?.attemptId
    for (const [viewportName, viewport] of Object.entries(VIEWPORTS)) {
      for (const colorScheme of ['light', 'dark']) {
        const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
        const page = await context.newPage()
        await page.goto(host.server.pageAddress())
        await settle(page)
        for (const [screen, address] of Object.entries(screensOf(kind, workspace, attempt))) {
          const name = `${kind}-${screen}-${viewportName}-${colorScheme}`
          if (wanted.length > 0 && !wanted.some((each) => name.startsWith(each))) continue
          await page.evaluate((hash) => {
            location.hash = hash
          }, address)
          await settle(page)
          if (screen === 'palette') {
            await page.keyboard.press('ControlOrMeta+k')
            await page.getByRole('dialog', { name: 'Find anything' }).waitFor()
          }
          await takePicture(page, encoder, name)
          if (screen === 'palette') await page.keyboard.press('Escape')
        }
        await context.close()
      }
    }
    await host.stop()
  }
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
