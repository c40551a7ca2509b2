import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { build, preview } from 'vite'
import { type Benchmark, markdownTable, median } from './benchmark.ts'
import type { Keystroke } from './keystroke-page/page.ts'

const LINES = 1_000
const ROUNDS = 12
/** Key presses in one editor before switching to the other. The first pair is a warm-up. */
const PRESSES = 12

/** Presses real keys in the real editor, in Chromium, with and without the linter in turn. */
export const keystroke: Benchmark = {
  question:
    'How long from a keystroke to its diagnostics in a contract of 1,000 lines? Within one frame (16.7 ms) of the same editor without the linter.',
  options: `[--lines ${LINES}] [--rounds ${ROUNDS}] [--json]`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        lines: { type: 'string', default: String(LINES) },
        rounds: { type: 'string', default: String(ROUNDS) },
        json: { type: 'boolean', default: false },
      },
    })
    const measured = await measure(Number(values.lines), Number(values.rounds))
    console.log(values.json ? JSON.stringify(measured, null, 2) : table(measured))
  },
}

interface Measured {
  readonly lines: number
  readonly without: readonly Keystroke[]
  readonly linted: readonly Keystroke[]
}

async function measure(lines: number, rounds: number): Promise<Measured> {
  const outDir = await mkdtemp(join(tmpdir(), 'pulseward-keystroke-'))
  const root = join(import.meta.dirname, 'keystroke-page')
  try {
    await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true, target: 'chrome130' } })
    const server = await preview({ root, logLevel: 'error', build: { outDir }, preview: { port: 0 } })
    try {
      return await measureInBrowser(server.resolvedUrls?.local[0] ?? '', lines, rounds)
    } finally {
      await server.close()
    }
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}

async function measureInBrowser(url: string, lines: number, rounds: number): Promise<Measured> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 700 } })
    await page.goto(url)
    const without: Keystroke[] = []
    const linted: Keystroke[] = []
    for (let round = 0; round < rounds; round++) {
      without.push(...(await press(page, lines, false)))
      linted.push(...(await press(page, lines, true)))
    }
    return { lines, without, linted }
  } finally {
    await browser.close()
  }
}

/** Alternately makes an error and fixes it. */
async function press(page: Page, lines: number, lint: boolean): Promise<readonly Keystroke[]> {
  const source = contractOf(lines)
  const line =
    source.split('\n').findIndex((each, index) => index > lines / 2 && each.startsWith('- [ ]')) + 1
  await page.evaluate(([text, at, linted]) => window.mount(text, at, linted), [source, line, lint] as const)
  const presses: Keystroke[] = []
  for (let count = 0; count < PRESSES; count++) {
    const wrong = count % 2 === 0
    // Await the answer only after pressing the key, because the request must not run while the key is being handled.
    const answer = page.evaluate((isWrong) => window.next(isWrong), wrong)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))))
    await page.keyboard.press(wrong ? 'x' : 'Backspace')
    presses.push(await answer)
  }
  return presses.slice(2)
}

/** Returns a contract with this many lines as people write them, with criteria and all kinds of checks. */
function contractOf(lines: number): string {
  const hints = [
    'email_count == 0',
    'changed("src/**")',
    'task_completed',
    'exists("out/report.md") && email_count > 2',
  ]
  const tasks: string[] = ['# Contract', '', '## Tasks', '']
  for (let index = 0; tasks.length < lines; index++) {
    const hint = hints[index % hints.length]
    tasks.push(
      `- [ ] task_${index} | Do the part ${index} of the work | required | verify: ${hint} | max_attempts: 3`,
      `  - [ ] the part ${index} is written down`,
    )
  }
  return `${tasks.slice(0, lines).join('\n')}\n`
}

function table({ lines, without, linted }: Measured): string {
  const row = (name: string, times: readonly number[]): readonly string[] => [
    name,
    median(times).toFixed(1),
    percentile95(times).toFixed(1),
  ]
  const shown = without.map(({ character }) => character)
  const diagnosed = linted.flatMap(({ diagnostics }) => diagnostics ?? [])
  const rows = [
    row('without the linter: the character', shown),
    row(
      'with the linter: the character',
      linted.map(({ character }) => character),
    ),
    row('with the linter: its diagnostics', diagnosed),
  ]
  const more = median(diagnosed) - median(shown)
  const verdict = more <= 16.7 ? 'within one frame' : 'more than one frame'
  return `${lines} lines, ${shown.length} key presses each, ms to the end of the frame that showed it\n\n${markdownTable(
    ['', 'median', '95 %'],
    rows,
  )}\n\nDiagnostics come ${more.toFixed(1)} ms after the bare character (median): ${verdict} of 16.7 ms.`
}

function percentile95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN
}
