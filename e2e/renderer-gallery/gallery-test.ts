import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { type Browser, test as base, chromium, expect, type Page } from '@playwright/test'
import { build } from 'vite'
import { CONTENT_SECURITY_POLICY } from '../../src/api/content-security-policy.ts'
import { ACTION_MS } from '../support/app.ts'
import { expectNothingForAxe as expectNothingInEitherTheme } from '../support/page.ts'

const ORIGIN = 'http://gallery.localhost'
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

interface Gallery {
  readonly browser: Browser
  readonly directory: string
}

/** A page of the gallery, built once per worker; anything that the browser reports as an error fails the test. */
export const test = base.extend<{ gallery: Page }, { built: Gallery }>({
  built: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const directory = await mkdtemp(join(tmpdir(), 'pulseward-gallery-'))
      await build({
        configFile: join(import.meta.dirname, 'vite.config.ts'),
        build: { outDir: directory },
        logLevel: 'error',
      })
      const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM_PATH,
        args: ['--no-sandbox', '--disable-background-networking'],
      })
      await use({ browser, directory })
      await browser.close()
      await rm(directory, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  gallery: async ({ built }, use) => {
    const context = await built.browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(ACTION_MS)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.route(`${ORIGIN}/**`, async (route) => {
      const path = new URL(route.request().url()).pathname
      const file = join(built.directory, path === '/' ? 'index.html' : path)
      await route.fulfill({
        body: await readFile(file),
        contentType: TYPES[extname(file)] ?? 'application/octet-stream',
        headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY },
      })
    })
    await use(page)
    await context.close()
    expect(complaints).toEqual([])
  },
})

/** Opens a scenario at its first workspace; `tab` is the rest of the address, such as `timeline`, or a full one (`#/overview`). */
export async function open(page: Page, scenario: string, tab = ''): Promise<void> {
  const hash = tab.startsWith('#') ? tab : `#/w/backend/${tab}`
  await page.goto(`${ORIGIN}/?scenario=${scenario}${hash}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  if (scenario !== 'loading') await expect(page.getByText('Loading')).toHaveCount(0)
}

/** Expects axe to find nothing on what is shown, in either theme; the light one is shown afterwards. */
export async function expectNothingForAxe(page: Page): Promise<void> {
  await expectNothingInEitherTheme({ page })
  await page.emulateMedia({ reducedMotion: 'reduce' })
}

/** The narrowest window that is supported, in px: what opens and can be clicked there can be in a wider one. */
export const NARROW = { width: 360, height: 700 }

/** Expects the page to scroll only vertically in windows of every layout, widened and narrowed as a person does. */
export async function expectNoSideScrolling(page: Page, where: string): Promise<void> {
  const before = page.viewportSize() ?? NARROW
  for (const width of [1280, 800, 700, 480, NARROW.width]) {
    await page.setViewportSize({ width, height: NARROW.height })
    const overflow = () =>
      page.locator('main').evaluate((element) => element.scrollWidth - element.clientWidth)
    // What measures itself is drawn again a moment after the window has changed.
    await expect.poll(overflow, { message: `${where} at ${width} px` }).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize(before)
}
