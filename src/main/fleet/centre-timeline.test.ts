import { beforeEach, expect, test } from 'vitest'
import { finishedAttempt, noteEvent } from '../ledger/testing/sample-events.ts'
import type { FleetTimeline } from '../ports/fleet.ts'
import type { CentreStore } from './centre-store.ts'
import type { CentreViews } from './centre-views.ts'
import { type OpenedViews, openViews, START_MS } from './testing/centre-views.ts'
import { facts, line, record } from './testing/sample-messages.ts'

let opened: OpenedViews
let store: CentreStore
let views: CentreViews

beforeEach(async () => {
  opened = await openViews()
  store = opened.store
  views = opened.views
})

test('the timeline is paged without gaps, even if everything happened at the same moment', async () => {
  const ids = Array.from({ length: 7 }, (_, index) => `job-${index}`)
  store.take(new Map([['one', ids.map((id, index) => line(id, index + 1))]]), 'now')
  const seen: string[] = []
  let cursor: string | null = null
  for (;;) {
    const page = await views.timeline.page({}, cursor, 3)
    seen.push(...page.map(({ workspace }) => workspace))
    const last = page.at(-1)
    if (last === undefined) break
    cursor = last.cursor
  }
  expect(seen).toEqual(ids.toReversed())
})

test('the timeline of every host is filtered by kind, severity and text', async () => {
  const failed = finishedAttempt('a-1', {
    verdict: 'not_verified',
    taskId: 'send_report',
    reasons: ['No Postman came'],
  })
  const kept = finishedAttempt('a-2', { verdict: 'verified', taskId: 'check_email' })
  store.take(
    new Map([
      ['one', record('job-1', 1, [noteEvent('hint'), failed])],
      ['two', record('job-2', 1, [kept])],
    ]),
    'now',
  )
  const found = async (filter: Parameters<FleetTimeline['page']>[0]): Promise<unknown> =>
    (await views.timeline.page(filter, null, 10)).map(({ entry }) => entry.attemptId)
  const [newest, ...others] = await views.timeline.page({ kinds: ['verdict'] }, null, 10)
  expect([newest, ...others].map((each) => each?.entry.attemptId)).toEqual(['a-1', 'a-2'])
  expect(await found({ kinds: ['gap'] })).toEqual([])
  expect(await found({ text: 'postMAN' })).toEqual(['a-1'])
  expect(await found({ text: 'postman', host: 'two' })).toEqual([])
  expect(await found({ kinds: ['verdict'], taskId: 'check_email' })).toEqual(['a-2'])
  const severity = newest?.entry.severity
  if (severity === undefined) throw new Error('there is one')
  expect(await found({ severity, kinds: ['verdict'] })).toContain('a-1')
})

test('a match is found however many entries come before it', async () => {
  const wanted = finishedAttempt('a-1', { taskId: 'rare_task' })
  const notes = Array.from({ length: 1_200 }, (_, index) => noteEvent(`n-${index}`))
  store.take(new Map([['one', [...record('job-1', 1, [wanted, ...notes])]]]), 'now')
  views.told('one', facts('job-1', ['nightly']))
  const found = await views.timeline.page({ taskId: 'rare_task', tag: 'nightly' }, null, 10)
  expect(found.map(({ entry }) => entry.attemptId)).toEqual(['a-1'])
})

test('entries that a host sends late count as new, in order of arrival and with their own time', async () => {
  store.take(new Map([['one', record('job-1', 1, [noteEvent('one')])]]), 'now')
  const { arrival } = views.timeline.arrivals({}, null)
  expect(views.timeline.arrivals({}, arrival)).toEqual({ entries: [], arrival, reach: 'all' })
  // Two hours older than the existing entries.
  store.take(new Map([['two', record('job-2', 1, [noteEvent('two')], 8)]]), 'now')
  const came = views.timeline.arrivals({}, arrival)
  expect(came.entries.map(({ host }) => host)).toEqual(['two'])
  expect(came).toMatchObject({ arrival: arrival + 1, reach: 'all' })
  expect(views.timeline.arrivals({ host: 'one' }, arrival)).toMatchObject({
    entries: [],
    arrival: arrival + 1,
  })
  expect((await views.timeline.page({}, null, 10)).map(({ host }) => host)).toEqual(['one', 'two'])
  const many = Array.from({ length: 700 }, (_, index) => noteEvent(`n-${index}`))
  store.take(new Map([['three', [...record('job-3', 1, many)]]]), 'now')
  const part = views.timeline.arrivals({}, came.arrival)
  expect(part).toMatchObject({ arrival: came.arrival + 500, reach: 'part' })
  expect(views.timeline.arrivals({}, part.arrival)).toMatchObject({ reach: 'all' })
  // The database has been rebuilt in the meantime.
  expect(views.timeline.arrivals({}, part.arrival + 10_000)).toMatchObject({ entries: [], reach: 'lost' })
})

test.each(['forgotten', 'rebuilt'] as const)(
  'a request for new entries reports them as unknown if the entries were %s, however many have arrived since',
  async (how) => {
    const notes = Array.from({ length: 40 }, (_, index) => noteEvent(`n-${index}`))
    store.take(new Map([['one', record('job-1', 1, notes)]]), 'now')
    const { arrival } = views.timeline.arrivals({}, null)
    if (how === 'forgotten') store.forget('one', START_MS + 1)
    else {
      const rebuilt = await opened.rebuilt(START_MS + 1)
      store = rebuilt.store
      views = rebuilt.views
    }
    expect(views.timeline.arrivals({}, arrival)).toMatchObject({ entries: [], reach: 'lost' })
    const again = views.timeline.arrivals({}, null)
    expect(views.timeline.arrivals({}, again.arrival)).toEqual(again)
    store.take(new Map([['one', record('job-1', 1, [...notes, ...notes])]]), 'now')
    const lost = views.timeline.arrivals({}, arrival)
    expect(lost).toMatchObject({ entries: [], reach: 'lost' })
    expect(views.timeline.arrivals({}, lost.arrival)).toMatchObject({ entries: [], reach: 'all' })
    expect(views.timeline.arrivals({}, again.arrival)).toMatchObject({ arrival: lost.arrival, reach: 'all' })
    expect(views.timeline.arrivals({}, again.arrival).entries).toHaveLength(80)
  },
)

test('an entry is found by its id, and the list continues after it', async () => {
  store.take(new Map([['one', record('job-1', 1, [noteEvent('a'), noteEvent('b'), noteEvent('c')])]]), 'now')
  const found = views.timeline.entry({ host: 'one', workspace: 'job-1', id: '2' })
  expect(found).toMatchObject({ host: 'one', workspace: 'job-1', entry: { id: '2' } })
  const behind = await views.timeline.page({}, found?.cursor ?? null, 10)
  expect(behind.map(({ entry }) => entry.id)).toEqual(['1'])
  expect(views.timeline.entry({ host: 'one', workspace: 'job-1', id: '9' })).toBeNull()
})
