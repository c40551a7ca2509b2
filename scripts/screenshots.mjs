/*
 * `npm run screenshots`: makes the pictures of docs/screenshots anew from the real app, served over a fresh data folder with
 * the sample. Needs Chromium (CHROMIUM_PATH, or `chromium` on the PATH).
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from '@playwright/test'
import { ensureBuilt } from './ensure-built.mjs'

const root = join(import.meta.dirname, '..')
const pictures = join(root, 'docs/screenshots')

async function addressOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url !== undefined) return url
  }
  throw new Error('pulseward serve ended without printing an address')
}

async function picture(browser, url, name, options) {
  const page = await browser.newPage({ reducedMotion: 'reduce', ...options })
  await page.goto(url)
  await page.locator('li[data-task]').first().waitFor()
  await page.screenshot({ path: join(pictures, `${name}.png`) })
  await page.close()
}

await ensureBuilt(root)
const folder = await mkdtemp(join(tmpdir(), 'pulseward-screenshots-'))
const child = spawn(
  process.execPath,
  [join(root, 'bin/pulseward'), 'serve', '--sample', '--data-dir', join(folder, 'data')],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  const url = await addressOf(child)
  const page = await browser.newPage()
  await page.goto(url)
  await page
    .getByRole('button', { name: 'Run now' })
    .and(page.locator(':enabled'))
    .waitFor({ timeout: 60_000 })
  await page.close()
  const wide = { viewport: { width: 1280, height: 900 } }
  await picture(browser, url, 'workspace', { ...wide, colorScheme: 'light' })
  await picture(browser, url, 'workspace-dark', { ...wide, colorScheme: 'dark' })
  await picture(browser, url, 'workspace-narrow', {
    viewport: { width: 480, height: 700 },
    colorScheme: 'light',
  })
} finally {
  await browser.close()
  child.kill('SIGTERM')
  await new Promise((resolve) => child.on('exit', resolve))
  await rm(folder, { recursive: true, force: true })
}
