import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHost, type Host } from '../main/host.ts'
import { openLedger } from '../main/ledger/ledger.ts'
import { sealStore } from '../main/ledger/seal.ts'
import { noteEvent } from '../main/ledger/testing/sample-events.ts'
import type { Notification } from '../main/ports/notifier.ts'
import { createSimulatedClock } from '../main/testing/simulated-clock.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * A host that runs for days over a record of several segments. If a byte of an old, closed segment changes, the next daily check finds it,
 * in a worker thread, and reports it. Nothing is reported about an intact record.
 */

const LONG_MS = 120_000
const HOUR_MS = 3_600_000
const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const START_MS = Date.parse('2026-11-20T10:00:00Z')

let cli: CliFixture
let ledgerFolder: string

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({ 'w/HEARTBEAT.md': '## Tasks\n- [ ] one | Do it | verify: exists("one")\n' })
  const { stdout } = await cli.run(['add', 'w', '--json'])
  const directory = join(cli.dataDirectory, 'workspaces', JSON.parse(stdout).id)
  ledgerFolder = join(directory, 'ledger')
  const ledger = await openLedger({
    directory,
    clock: { nowMs: () => START_MS, monotonicMs: () => 0, sleep: async () => {} },
    localDay: () => '2026-11-20',
    timestamp: () => '2026-11-20T10:00:00Z',
    log: SILENT,
    seals: sealStore(directory),
    segmentBytes: 2_000,
  })
  for (let count = 0; count < 40; count += 1) await ledger.append(noteEvent(`note ${count}`))
  await ledger.close()
})
afterEach(() => cli.close())

/** One dot for each time that the whole record was read. */
const looksPath = () => join(cli.root, 'looks')
const looks = async () => (await readFile(looksPath(), 'utf8').catch(() => '')).length

/** Creates a host whose record worker runs from the sources instead of the built file. */
async function hostOverDays(
  told: Notification[],
): Promise<{ host: Host; clock: ReturnType<typeof createSimulatedClock> }> {
  const built = join(cli.root, 'built')
  await mkdir(built)
  await writeFile(join(built, 'package.json'), '{ "type": "module" }')
  const script = join(import.meta.dirname, '../main/ledger/verify-record.ts')
  const lines = [
    `import ${JSON.stringify(script)}`,
    "import { appendFileSync } from 'node:fs'",
    `appendFileSync(${JSON.stringify(looksPath())}, '.')`,
  ]
  await writeFile(join(built, 'verify-record.js'), lines.join('\n'))
  const clock = createSimulatedClock(START_MS)
  const host = await createHost({
    dataDirectory: cli.dataDirectory,
    version: '1.2.3',
    clock,
    log: SILENT,
    notifier: { notify: (notice) => void told.push(notice) },
    pageDirectory: null,
    sampleDirectory: join(cli.root, 'sample'),
    port: 0,
    scheduled: true,
    reportServer: join(built, 'report-server.js'),
    worker: join(import.meta.dirname, '../main/worker.ts'),
  })
  return { host, clock }
}

/** Changes a byte in the middle of the oldest segment, which was compressed long ago. */
async function changeOldest(): Promise<void> {
  const [oldest = ''] = (await readdir(ledgerFolder)).filter((name) => name.startsWith('0')).sort()
  expect(oldest).toMatch(/\.gz$/)
  const path = join(ledgerFolder, oldest)
  const bytes = await readFile(path)
  const at = Math.floor(bytes.length / 2)
  const file = await open(path, 'r+')
  await file.write(Buffer.from([(bytes[at] ?? 0) ^ 0xff]), 0, 1, at)
  await file.close()
}

test('a byte changed in an old segment while the host runs is found and reported by the next day’s check', {
  timeout: LONG_MS,
}, async () => {
  const told: Notification[] = []
  const broken = () => told.filter(({ title }) => title.includes('is incomplete'))
  const { host, clock } = await hostOverDays(told)
  const hourly = async <T>(state: () => T | Promise<T>): Promise<T> => {
    await clock.advance(HOUR_MS)
    return state()
  }
  const patience = { timeout: LONG_MS }
  try {
    await expect.poll(() => hourly(looks), patience).toBeGreaterThan(1)
    expect(broken()).toEqual([])
    await changeOldest()
    await expect.poll(() => hourly(() => broken().length), patience).toBeGreaterThan(0)
    expect(broken()[0]?.body).toContain('doctor --accept')
    const { stdout } = await cli.run(['status', '--json', '--workspace', 'w'])
    const codes = (JSON.parse(stdout).notices as { code: string }[]).map(({ code }) => code)
    expect(codes).toContain('record-broken')
  } finally {
    await host.stop()
  }
})
