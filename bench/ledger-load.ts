import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { openLedger } from '../src/main/ledger/ledger.ts'
import { loadLedger } from '../src/main/ledger/load.ts'
import { listSegments } from '../src/main/ledger/segments.ts'
import { snapshotPath } from '../src/main/ledger/snapshot.ts'
import { finishedAttempt } from '../src/main/ledger/testing/sample-events.ts'
import { type Benchmark, median } from './benchmark.ts'

const SIZES = [1_000, 1_000_000] as const
const BATCH = 250
/** Events after the newest snapshot; they are folded again after a kill. */
const TAIL = 200

/**
 * Loads ledgers of 1,000 and of 1,000,000 events in turn, after a clean stop and after a kill (when the snapshot lags by some events), and
 * prints the median times and their ratio. Also prints a full replay, which happens only if a snapshot is broken.
 */
export const ledgerLoad: Benchmark = {
  question: 'Does loading a ledger depend on the length of its history? The ratio should be about 1.',
  options: '',
  run: async () => {
    for (const [name, small, large] of await compareAll(true)) {
      console.log(
        `${name}: ${SIZES[0]} events ${small.toFixed(1)} ms, ${SIZES[1]} events ${large.toFixed(1)} ms, ratio ${(large / small).toFixed(2)}`,
      )
    }
  },
  measure: async () =>
    (await compareAll(false)).map(([name, small, large]) => ({
      bench: 'ledger-load',
      name: `loading ${SIZES[1].toLocaleString('en')} events, ${name}`,
      value: large,
      unit: 'ms' as const,
      reference: { name: `${SIZES[0].toLocaleString('en')} events`, value: small },
      goal: 1.2,
    })),
}

type Compared = readonly [name: string, smallMs: number, largeMs: number]

async function compareAll(withReplay: boolean): Promise<readonly Compared[]> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-bench-'))
  try {
    for (const size of SIZES) await build(root, size)
    const stopped = await compare(root, 'stopped', 21)
    const killed = await compare(root, 'killed', 21)
    if (!withReplay) return [stopped, killed]
    for (const size of SIZES) await rm(snapshotPath(ledgerDirectory(root, 'killed', size)))
    return [stopped, killed, await compare(root, 'replay', 1, 'killed')]
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

function ledgerDirectory(root: string, ending: string, size: number): string {
  return join(root, ending, String(size), 'ledger')
}

async function build(root: string, size: number): Promise<void> {
  const [stopped, killed] = [ledgerDirectory(root, 'stopped', size), ledgerDirectory(root, 'killed', size)]
  await append(stopped, size, 0)
  const older = await readFile(snapshotPath(stopped))
  await append(stopped, TAIL, size)
  await cp(stopped, killed, { recursive: true })
  await writeFile(snapshotPath(killed), older)
}

async function append(ledgerDirectory: string, count: number, from: number): Promise<void> {
  const ledger = await openLedger({
    directory: dirname(ledgerDirectory),
    clock: { nowMs: () => Date.UTC(2026, 2, 1), monotonicMs: () => performance.now(), sleep: async () => {} },
    localDay: (ms) => new Date(ms).toISOString().slice(0, 10),
    timestamp: (ms) => new Date(ms).toISOString(),
    log: { info: () => undefined, warn: console.error, error: console.error },
  })
  for (let done = 0; done < count; done += BATCH) {
    await ledger.append(...attempts(Math.min(BATCH, count - done), from + done))
  }
  await ledger.close()
}

function attempts(count: number, from: number) {
  return Array.from({ length: count }, (_, index) => finishedAttempt(`attempt-${from + index}`))
}

async function compare(root: string, name: string, rounds: number, ending = name): Promise<Compared> {
  const times = new Map<number, number[]>(SIZES.map((size) => [size, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const size of SIZES) times.get(size)?.push(await timeLoading(ledgerDirectory(root, ending, size)))
  }
  return [name, median(times.get(SIZES[0]) ?? []), median(times.get(SIZES[1]) ?? [])]
}

async function timeLoading(directory: string): Promise<number> {
  const start = performance.now()
  await loadLedger(directory, await listSegments(directory))
  return performance.now() - start
}
