import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { EventBody } from '../src/core/record/events.ts'
import type { TimelineFilter } from '../src/core/record/timeline-filter.ts'
import { openLedger } from '../src/main/ledger/ledger.ts'
import { finishedAttempt } from '../src/main/ledger/testing/sample-events.ts'
import { openTimeline } from '../src/main/ledger/timeline-reader.ts'
import type { Timeline, TimelinePage } from '../src/main/ports/timeline.ts'
import { type Benchmark, markdownTable, median } from './benchmark.ts'

const SIZES = [1_000, 100_000] as const
const BATCH = 250
const ROUNDS = 9
const PAGE = 100
const log = { info: () => undefined, warn: console.error, error: console.error }

/**
 * Asks ledgers of 1,000 and of 100,000 events in turn: the first page after a start without an index, the first page and one in the middle
 * with the index, and a filter that only the oldest event matches, by kind and by text. A ledger indexes each segment when it closes it, so
 * the page without an index is a one-time cost for records from an earlier version.
 */
export const timeline: Benchmark = {
  question:
    'Does a page of the timeline depend on the length of the ledger? The ratios of pages should be about 1.',
  options: '',
  run: async () => {
    const rows = (await timeAll()).map(({ name, small, large }) => row(name, [small, large]))
    console.log(markdownTable(['ms', ...SIZES.map((size) => `${size} events`), 'ratio'], rows))
  },
  measure: async () =>
    (await timeAll()).map(({ name, small, large, isByLength }) => ({
      bench: 'timeline',
      name: `${name}, ${SIZES[1].toLocaleString('en')} events`,
      value: large,
      unit: 'ms' as const,
      reference: isByLength ? null : { name: `${SIZES[0].toLocaleString('en')} events`, value: small },
      goal: name === INDEXING ? 500 : null,
    })),
}

const INDEXING = 'all of it indexed, once'

interface Timed {
  readonly name: string
  /** Milliseconds. */
  readonly small: number
  readonly large: number
  /** True if the time grows with the length of the ledger. */
  readonly isByLength?: boolean
}

async function timeAll(): Promise<readonly Timed[]> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-bench-'))
  try {
    for (const size of SIZES) await build(join(root, String(size)), size)
    const anew = await compare(root, 'first page, nothing indexed', firstPageAnew)
    // The last round has indexed part of the ledger for its first page.
    for (const size of SIZES) await rm(join(root, String(size), 'timeline'), { recursive: true, force: true })
    const [small, large] = await Promise.all(SIZES.map((size) => opened(root, size)))
    if (small === undefined || large === undefined) throw new Error('There are two sizes.')
    const both = [small, large] as const
    const byLength = async (name: string, time: (list: Timeline) => Promise<number>): Promise<Timed> => ({
      name,
      small: await time(small),
      large: await time(large),
      isByLength: true,
    })
    return [
      anew,
      await byLength(INDEXING, indexed),
      await inTurn('first page', both, () => ({ filter: {}, limit: PAGE })),
      await inTurn('page in the middle', both, (size) => ({
        filter: {},
        limit: PAGE,
        offset: Math.floor(size / 2),
      })),
      await inTurn('oldest event by kind', both, () => ({ filter: { kinds: ['trust'] }, limit: PAGE })),
      await byLength('oldest event by text, once', searched),
      await inTurn('the same text again', both, () => ({ filter: { text: 'oldest-of-all' }, limit: PAGE })),
    ]
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function build(directory: string, size: number): Promise<void> {
  const ledger = await openLedger({
    directory,
    clock: { nowMs: () => Date.UTC(2026, 2, 1), monotonicMs: () => performance.now(), sleep: async () => {} },
    localDay: (ms) => new Date(ms).toISOString().slice(0, 10),
    timestamp: (ms) => new Date(ms).toISOString(),
    log,
  })
  await ledger.append({ type: 'configuration-approved', hash: 'oldest-of-all' })
  for (let done = 1; done < size; done += BATCH) {
    const events = Array.from(
      { length: Math.min(BATCH, size - done) },
      (_, index): EventBody => finishedAttempt(`attempt-${done + index}`, { cycle: done + index }),
    )
    await ledger.append(...events)
  }
  await ledger.close()
}

function opened(root: string, size: number): Promise<Timeline> {
  return openTimeline({ directory: join(root, String(size)), head: () => size, log })
}

async function firstPageAnew(root: string, size: number): Promise<number> {
  await rm(join(root, String(size), 'timeline'), { recursive: true, force: true })
  const fresh = await opened(root, size)
  return timed(() => fresh.page({ filter: {}, limit: PAGE }))
}

function indexed(list: Timeline): Promise<number> {
  return untilComplete(list, {})
}

function searched(list: Timeline): Promise<number> {
  return untilComplete(list, { text: 'oldest-of-all' })
}

async function untilComplete(list: Timeline, filter: TimelineFilter): Promise<number> {
  return timed(async () => {
    while (!(await list.page({ filter, limit: 1 })).isComplete);
  })
}

async function inTurn(
  name: string,
  lists: readonly [Timeline, Timeline],
  query: (size: number) => Parameters<Timeline['page']>[0],
): Promise<Timed> {
  return compareTimes(name, (index) => timed(() => expectFound(lists[index], query(SIZES[index]))))
}

async function expectFound(list: Timeline, query: Parameters<Timeline['page']>[0]): Promise<TimelinePage> {
  const page = await list.page(query)
  if (page.entries.length === 0) throw new Error(`Nothing was found for ${JSON.stringify(query)}`)
  return page
}

function compare(root: string, name: string, time: (root: string, size: number) => Promise<number>) {
  return compareTimes(name, (index) => time(root, SIZES[index]))
}

async function compareTimes(name: string, time: (index: 0 | 1) => Promise<number>): Promise<Timed> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const index of [0, 1] as const) times[index].push(await time(index))
  }
  return { name, small: median(times[0]), large: median(times[1]) }
}

function row(name: string, times: readonly number[]): string[] {
  const [small = Number.NaN, large = Number.NaN] = times
  return [name, small.toFixed(1), large.toFixed(1), (large / small).toFixed(2)]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
