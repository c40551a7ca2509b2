import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { build } from 'vite'
import { type Benchmark, markdownTable, median } from './benchmark.ts'

const ORIGIN = 'http://gallery.localhost'
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const SCENARIOS = { 100: 'hundred', 100000: 'full' } as const
const ROUNDS = 5
const SCROLLED_MS = 4_000

interface Scrolled {
  readonly longPerSecond: number
  readonly medianFrameMs: number
}

/**
 * Scrolls the real page over lists of 100 and of 100,000 entries in turn, 60 px per frame, back and forth at the ends of the
 * list, and counts the frames that took longer than 50 ms. The page's fixtures answer immediately, so only the page is
 * measured.
 */
export const timelineScroll: Benchmark = {
  question:
    'Does a timeline of 100,000 entries scroll as smoothly as one of 100? Long frames should be no more.',
  options: '(CHROMIUM_PATH names the browser)',
  run: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'pulseward-bench-'))
    try {
      await build({
        configFile: join(import.meta.dirname, '../e2e/renderer-gallery/vite.config.ts'),
        build: { outDir: directory },
        logLevel: 'error',
      })
      const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM_PATH,
        args: ['--no-sandbox', '--disable-background-networking'],
      })
      await compare(browser, directory)
      await browser.close()
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
}

async function compare(browser: Browser, directory: string): Promise<void> {
  const results = new Map<string, Scrolled[]>(Object.keys(SCENARIOS).map((size) => [size, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [size, scenario] of Object.entries(SCENARIOS))
      results.get(size)?.push(await scroll(browser, directory, scenario))
  }
  const rows = [...results].map(([size, rounds]) => [
    size,
    median(rounds.map(({ longPerSecond }) => longPerSecond)).toFixed(2),
    rounds.map(({ longPerSecond }) => longPerSecond.toFixed(2)).join(' '),
    median(rounds.map(({ medianFrameMs }) => medianFrameMs)).toFixed(1),
  ])
  console.log(markdownTable(['entries', 'frames > 50 ms a second', 'each round', 'median frame ms'], rows))
}

async function scroll(browser: Browser, directory: string, scenario: string): Promise<Scrolled> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.route(`${ORIGIN}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname
    const file = join(directory, path === '/' ? 'index.html' : path)
    await route.fulfill({ body: await readFile(file), contentType: TYPES[extname(file)] ?? 'text/plain' })
  })
  await page.goto(`${ORIGIN}/?scenario=${scenario}#/w/backend/timeline`)
  await page.locator('article[aria-posinset="1"]').waitFor()
  const frames = await page.evaluate(scrolledFrames, SCROLLED_MS)
  await context.close()
  const long = frames.filter((frame) => frame > 50).length
  return { longPerSecond: long / (SCROLLED_MS / 1000), medianFrameMs: median(frames) }
}

/** Runs in the page: returns the lengths of the frames while scrolling for this long, without the first half second. */
function scrolledFrames(forMs: number): Promise<number[]> {
  const main = document.getElementById('content')
  if (main === null) throw new Error('The page has no main element.')
  const frames: number[] = []
  const WARM_MS = 500
  return new Promise((resolve) => {
    let began: number | null = null
    let before = 0
    let step = 60
    const frame = (now: number) => {
      began ??= now
      if (before > 0 && now - began > WARM_MS) frames.push(now - before)
      before = now
      const at = main.scrollTop
      main.scrollTop = at + step
      if (main.scrollTop === at) step = -step
      if (now - began > forMs + WARM_MS) resolve(frames)
      else requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}
