/*
 * `npm run screenshots [-- NAME …]`: regenerates the pictures of docs/screenshots: every screen in light and dark, at 1280×800
 * and 480×700, from real hosts, in the states of screenshots/kinds.mjs. `SCREENSHOT_EVENTS` sets the length of the history in
 * `full`. Needs Chromium (CHROMIUM_PATH, or `chromium` on the PATH). The pictures are WebP, because PNGs would take 20 MB.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { systemClock } from '../src/main/host/system-clock.ts'
import { createHost } from '../src/main/host.ts'
import { ensureBuilt } from './ensure-built.mjs'
import { KINDS } from './screenshots/kinds.mjs'
import { trayPicture, writeContradiction } from './screenshots/moving.mjs'
import { toWebp } from './screenshots/webp.mjs'

const root = join(import.meta.dirname, '..')
const kept = join(root, 'docs/screenshots')
const VIEWPORTS = {
  wide: { width: 1280, height: 800 },
  narrow: { width: 480, height: 700 },
}

function startHost(dataDirectory, options = {}) {
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
    ...options,
  })
}

async function settle(page) {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"], [class*="skeleton"]') === null &&
      !/^Loading/mu.test(document.querySelector('main')?.innerText ?? 'Loading'),
  )
  // Wait until everything loaded is drawn, in its own font.
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
}

const wanted = process.argv.slice(2)
const isWanted = (name) => wanted.length === 0 || wanted.some((each) => name.startsWith(each))

async function takeScreens(browser, encoder, host, kind, screens) {
  for (const [viewportName, viewport] of Object.entries(VIEWPORTS)) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
      // Opening an attempt marks it as seen, and the pictures after it would show that.
      await context.route('**/rpc/attempts/seen', (route) => route.abort())
      const page = await context.newPage()
      await page.goto(host.server.pageAddress())
      await settle(page)
      for (const [screen, { address, then, after, size }] of Object.entries(screens)) {
        const name = `${kind}-${screen}-${size === null ? `${viewportName}-` : ''}${colorScheme}`
        // A picture with its own size is taken only once.
        if (!isWanted(name) || (size !== null && viewportName !== 'wide')) continue
        await page.setViewportSize(size ?? viewport)
        await page.evaluate((hash) => {
          location.hash = hash
        }, address)
        await settle(page)
        await then(page)
        await writeFile(join(pictures, `${name}.webp`), await toWebp(encoder, await page.screenshot()))
        await after(page)
        await page.keyboard.press('Escape')
      }
      await context.close()
    }
  }
}

async function takeKind(browser, encoder, folder, kind) {
  const { fill, open, prepare } = KINDS[kind]
  const data = join(folder, kind)
  await fill?.(data, folder)
  const opened = await open?.(folder, startHost)
  if (opened === null) {
    console.error(`Left out: ${kind} needs something that is not available here.`)
    return
  }
  const host = await startHost(data, opened?.options)
  try {
    const screens = await prepare(host, { folder, root, opened })
    if (kind === 'caught' && isWanted('contradiction')) {
      const page = await browser.newPage({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.goto(host.server.pageAddress())
      await settle(page)
      await writeContradiction(page, encoder, join(pictures, 'contradiction.webp'))
      await page.close()
    }
    await takeScreens(browser, encoder, host, kind, screens)
  } finally {
    await host.stop()
    await opened?.close()
  }
}

await ensureBuilt(root)
const folder = await mkdtemp(join(tmpdir(), 'pulseward-screenshots-'))
// Delete the old pictures only after all are taken, so that a failure loses none.
const pictures = join(folder, 'pictures')
await mkdir(pictures)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  const encoder = await browser.newPage()
  if (isWanted('tray')) {
    const page = await browser.newPage()
    await writeFile(join(pictures, 'tray.webp'), await toWebp(encoder, await trayPicture(page, root)))
    await page.close()
  }
  for (const kind of Object.keys(KINDS)) {
    const isAsked = isWanted(`${kind}-`) || wanted.some((name) => name.startsWith(kind))
    if (isAsked || (kind === 'caught' && isWanted('contradiction')))
      await takeKind(browser, encoder, folder, kind)
  }
  if (wanted.length === 0) await rm(kept, { recursive: true, force: true })
  await cp(pictures, kept, { recursive: true })
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
