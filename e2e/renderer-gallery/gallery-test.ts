import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, test as base, chromium, expect, type Page } from '@playwright/test'
import { build } from 'vite'
import { CONTENT_SECURITY_POLICY } from '../../src/api/content-security-policy.ts'
import { ACTION_MS } from '../support/app.ts'

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
export async function open(page: Page, scenario: string, theme = 'light', tab = ''): Promise<void> {
  const hash = tab.startsWith('#') ? tab : `#/w/backend/${tab}`
  await page.goto(`${ORIGIN}/?scenario=${scenario}&theme=${theme}${hash}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  if (scenario !== 'loading') await expect(page.getByText('Loading')).toHaveCount(0)
}

/** The dark theme differs only in colors; everything else was checked in the light theme. */
export async function expectNothingForAxe(page: Page, theme: string): Promise<void> {
  const axe = new AxeBuilder({ page })
  const { violations } = await (theme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n  ')}`)
  expect(found).toEqual([])
}

/** Whatever its width, the page scrolls only vertically. */
export async function expectNoSideScrolling(page: Page, where: string): Promise<void> {
  const overflow = await page.locator('main').evaluate((element) => element.scrollWidth - element.clientWidth)
  expect(overflow, where).toBeLessThanOrEqual(0)
}
