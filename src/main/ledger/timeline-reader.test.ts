import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import type { TimelineFilter } from '../../core/record/timeline-filter.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Timeline } from '../ports/timeline.ts'
import { finishedAttempt } from './testing/sample-events.ts'
import { type TemporaryLedger, temporaryLedger } from './testing/temporary-ledger.ts'
import { TimelineIndex } from './timeline-index.ts'
import { openTimeline } from './timeline-reader.ts'

let place: TemporaryLedger
let ledger: Ledger
let timeline: Timeline

beforeEach(async () => {
  place = await temporaryLedger()
})
afterEach(() => place.remove())

/** Only the test about the time limit uses the clock. */
const NO_LIMIT = Number.POSITIVE_INFINITY

/** Records a ledger of small segments, most of them compressed, and opens its timeline. */
async function recorded(events: readonly EventBody[], lookingMs = NO_LIMIT): Promise<void> {
  ledger = await place.open({ segmentBytes: 8_000 })
  for (const event of events) await ledger.append(event)
  timeline = await newTimeline(lookingMs)
}

function newTimeline(lookingMs = NO_LIMIT): Promise<Timeline> {
  return openTimeline({
    directory: place.directory,
    head: () => ledger.state.seq,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    lookingMs,
  })
}

/** Returns the ids of all pages in order. */
async function pagedThrough(filter: TimelineFilter, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ; cursor = ids.at(-1)) {
    const { entries } = await timeline.page({ filter, limit, ...(cursor !== undefined && { cursor }) })
    if (entries.length === 0) return ids
    ids.push(...entries.map(({ id }) => id))
  }
}

async function all(filter: TimelineFilter): Promise<string[]> {
  const ids: string[] = []
  for await (const entries of timeline.all(filter)) ids.push(...entries.map(({ id }) => id))
  return ids
}

const intervention = (type: 'no_files_detected' | 'agent_reinforced') =>
  ({
    event_type: type,
    severity: type === 'agent_reinforced' ? 'info' : 'critical',
    details: { claimed: 'status done' },
  }) as const

/** 60 attempts at three tasks, every fourth with two interventions, every fifth followed by feedback. */
const EVENTS: readonly EventBody[] = Array.from({ length: 60 }, (_, n): EventBody[] => [
  {
    type: 'attempt-started',
    attemptId: `a${n}`,
    cycle: n,
    taskId: `t${n % 3}`,
    agentId: 'x',
    timeoutSeconds: 1,
    required: true,
  },
  finishedAttempt(`a${n}`, {
    cycle: n,
    taskId: `t${n % 3}`,
    reasons: [n === 7 ? 'The NEEDLE lies "here"' : 'plain'],
    ...(n % 4 === 0 && {
      verdict: 'not_verified',
      groundTruthContradiction: true,
      interventions: [intervention('no_files_detected'), intervention('agent_reinforced')],
    }),
  }),
  ...(n % 5 === 0
    ? [
        {
          type: 'feedback-given' as const,
          attemptId: `a${n}`,
          taskId: `t${n % 3}`,
          feedback: 'up' as const,
          note: 'fine',
          points: 3,
        },
      ]
    : []),
]).flat()

test('pages follow one another without a gap or a repeat, across all segments, newest first', async () => {
  await recorded(EVENTS)
  const ids = await pagedThrough({}, 7)
  expect(ids).toHaveLength(60 + 15 * 2 + 12)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.map((id) => Number.parseInt(id, 10))).toEqual(
    ids.map((id) => Number.parseInt(id, 10)).toSorted((a, b) => b - a),
  )
  expect(await all({})).toEqual(ids)
  expect((await readdir(join(place.directory, 'ledger'))).length).toBeGreaterThan(4)
})

test('the ledger and a timeline may write the index of one segment at the same moment', async () => {
  await recorded([])
  const index = new TimelineIndex(1)
  const writing = await Promise.allSettled(Array.from({ length: 8 }, () => index.write(place.directory)))
  expect(writing.map(({ status }) => status)).toEqual(writing.map(() => 'fulfilled'))
  expect(await TimelineIndex.read(place.directory, 1)).not.toBeNull()
})

test("an attempt's verdict is followed by its interventions, with the ids they have elsewhere", async () => {
  await recorded([finishedAttempt('a', { interventions: [intervention('no_files_detected')] })])
  const { entries } = await timeline.page({ filter: {}, limit: 10 })
  expect(entries.map(({ id, kind, type }) => ({ id, kind, type }))).toEqual([
    { id: '1', kind: 'verdict', type: 'verified' },
    { id: '1-0', kind: 'intervention', type: 'no_files_detected' },
  ])
  expect(ledger.state.interventions[0]?.id).toBe('1-0')
})

test.each<[string, TimelineFilter, number]>([
  ['kinds', { kinds: ['feedback'] }, 12],
  ['several kinds', { kinds: ['feedback', 'verdict'] }, 72],
  ['types', { types: ['contradiction', 'agent_reinforced'] }, 30],
  ['severities', { severity: 'critical' }, 30],
  ['tasks', { taskId: 't1', kinds: ['verdict'] }, 20],
  ['cycles', { cycle: 8 }, 3],
  ['words in any case and with quotes', { text: 'needle lies "HERE"' }, 1],
  ["words in a verdict's name", { text: 'contradict' }, 15],
  ['words in a note', { text: 'FINE' }, 12],
  ['unknown tasks', { taskId: 'nowhere' }, 0],
])('%s narrow the list, and count, pages and full list agree', async (_, filter, count) => {
  await recorded(EVENTS)
  expect(await timeline.page({ filter, limit: 5 })).toMatchObject({ total: count, isComplete: true })
  expect(await pagedThrough(filter, 5)).toHaveLength(count)
  expect(await all(filter)).toHaveLength(count)
})

test('any position of the list can be requested, even while the ledger grows', async () => {
  await recorded(EVENTS)
  const ids = await pagedThrough({}, 50)
  const { head } = await timeline.page({ filter: {}, limit: 1 })
  await ledger.append({ type: 'resumed' }, { type: 'resumed' })
  const page = await timeline.page({ filter: {}, limit: 4, offset: 61, upTo: head })
  expect(page).toMatchObject({ offset: 61, total: ids.length })
  expect(page.entries.map(({ id }) => id)).toEqual(ids.slice(61, 65))
  const newer = await timeline.page({ filter: {}, limit: 4, after: head })
  expect(newer.total).toBe(2)
  expect(newer.entries).toHaveLength(2)
})

test('an entry is found at its position, also within a filter, unless it is filtered out', async () => {
  await recorded(EVENTS)
  const ids = await pagedThrough({ kinds: ['intervention'] }, 50)
  const at = ids[20] ?? ''
  const page = await timeline.page({ filter: { kinds: ['intervention'] }, limit: 5, at })
  expect(page).toMatchObject({ foundAt: 20, offset: 18 })
  expect(page.entries[2]?.id).toBe(at)
  expect(await timeline.page({ filter: { kinds: ['verdict'] }, limit: 5, at })).toMatchObject({
    foundAt: null,
  })
  expect(await timeline.page({ filter: {}, limit: 5, at: '99999' })).toMatchObject({
    foundAt: null,
    offset: 0,
  })
})

test('a call that runs out of time returns what it has found, and the next calls continue to the end', async () => {
  await recorded(EVENTS, 0)
  const first = await timeline.page({ filter: {}, limit: 5 })
  expect(first.isComplete).toBe(false)
  expect(first.entries).toHaveLength(5)
  let last = first
  for (let calls = 0; calls < 100 && !last.isComplete; calls++) {
    const next = await timeline.page({ filter: {}, limit: 5 })
    expect(next.total).toBeGreaterThan(last.total)
    last = next
  }
  expect(last).toMatchObject({ isComplete: true, total: 102 })
})

test("a closed segment's index equals the one built on request", async () => {
  await recorded(EVENTS)
  await ledger.close()
  const directory = join(place.directory, 'timeline')
  const written = async (): Promise<readonly (readonly [string, string])[]> => {
    const names = (await readdir(directory)).toSorted()
    return Promise.all(
      names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const),
    )
  }
  const atClosing = await written()
  const segments = await readdir(join(place.directory, 'ledger'))
  expect(atClosing).toHaveLength(segments.filter((name) => name.endsWith('.gz')).length)
  await rm(directory, { recursive: true })
  timeline = await newTimeline()
  await timeline.page({ filter: {}, limit: 1 })
  expect(await written()).toEqual(atClosing)
})

test('another start uses the written indexes and rebuilds damaged ones', async () => {
  await recorded(EVENTS)
  const ids = await pagedThrough({}, 50)
  const directory = join(place.directory, 'timeline')
  const [first = '', second = ''] = await readdir(directory)
  await writeFile(join(directory, first), 'no index\n')
  await rm(join(directory, second))
  timeline = await newTimeline()
  expect(await pagedThrough({}, 50)).toEqual(ids)
})

test('what is appended after a page is in the next one', async () => {
  await recorded([{ type: 'resumed' }])
  expect((await timeline.page({ filter: {}, limit: 5 })).total).toBe(1)
  await ledger.append({ type: 'paused', until: null })
  const { entries, total } = await timeline.page({ filter: {}, limit: 5 })
  expect(total).toBe(2)
  expect(entries[0]).toMatchObject({ kind: 'pause', type: 'paused' })
})

test('a compressed segment that cannot be read does not hide the others', async () => {
  await recorded(EVENTS)
  await ledger.close()
  const directory = join(place.directory, 'ledger')
  const packed = (await readdir(directory)).filter((name) => name.endsWith('.gz'))
  await writeFile(join(directory, packed[0] ?? ''), 'no gzip')
  timeline = await newTimeline()
  const { total, isComplete } = await timeline.page({ filter: {}, limit: 5 })
  expect(isComplete).toBe(true)
  expect(total).toBeGreaterThan(50)
})
