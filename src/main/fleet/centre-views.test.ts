import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FleetWorkspaceFacts, type Presence, unknownFacts } from '../../core/fleet/presence.ts'
import type { EventBody } from '../../core/record/events.ts'
import { encodeBody, encodeLine, GENESIS_HASH, hashLine } from '../ledger/line.ts'
import { finishedAttempt, noteEvent } from '../ledger/testing/sample-events.ts'
import type { FleetTimeline } from '../ports/fleet.ts'
import { createSimulatedClock, type SimulatedClock } from '../testing/simulated-clock.ts'
import { temporaryFolder } from '../testing/temporary-host.ts'
import { CentreStore, type HubMessage } from './centre-store.ts'
import { CentreViews } from './centre-views.ts'

const START_MS = Date.parse('2026-03-01T10:00:00.000Z')
const MINUTE_MS = 60_000

let root: string
let store: CentreStore
let clock: SimulatedClock
let views: CentreViews

beforeEach(async () => {
  root = await temporaryFolder()
  store = new CentreStore(join(root, 'fleet.sqlite'))
  clock = createSimulatedClock(START_MS)
  views = new CentreViews(store, clock)
})
afterEach(async () => {
  store.close()
  await rm(root, { recursive: true, force: true })
})

const presence = (atMs: number, group: string | null = null): Presence => ({
  v: 1,
  version: '1.2.3',
  at: new Date(atMs).toISOString(),
  group,
  labels: [],
  workspaces: 1,
  halted: [],
})

const facts = (id: string, tags: string[]): FleetWorkspaceFacts => ({
  ...unknownFacts(id),
  tags,
  agentId: 'claude',
  trust: 'approved',
})

/** The lines of a record, one a minute from `hour` on. */
const record = (
  workspace: string,
  place: number,
  events: readonly EventBody[],
  hour = 10,
): readonly HubMessage[] => {
  let prev = GENESIS_HASH
  return events.map((event, index) => {
    const at = new Date(Date.UTC(2026, 2, 1, hour, index)).toISOString()
    const data = encodeLine({ seq: index + 1, at, day: '2026-03-01' }, prev, encodeBody(event))
    const hash = hashLine(data)
    prev = hash
    return {
      workspace,
      place: place + index,
      data,
      header: (name: string) => (name === 'Pw-Hash' ? hash : ''),
    }
  })
}

/** The first line of a record. */
const line = (workspace: string, place: number): HubMessage => {
  const [first] = record(workspace, place, [noteEvent(workspace)])
  if (first === undefined) throw new Error('there is one')
  return first
}

test('a host is late after a minute of silence and down after five, by the hub’s clock and whatever its own says', async () => {
  // An hour ahead and an hour behind.
  views.heard('ahead', presence(START_MS + 60 * MINUTE_MS), START_MS)
  views.heard('behind', presence(START_MS - 60 * MINUTE_MS), START_MS)
  const heard = (): readonly unknown[] => views.hosts().map(({ heard: state }) => state)
  expect(views.hosts().map(({ host, clockOffsetSeconds }) => [host, clockOffsetSeconds])).toEqual([
    ['ahead', 3600],
    ['behind', -3600],
  ])
  const nobody = clock.sleep(60 * MINUTE_MS)
  await clock.advance(MINUTE_MS - 1)
  expect(heard()).toEqual(['heard', 'heard'])
  await clock.advance(1)
  expect(heard()).toEqual(['late', 'late'])
  await clock.advance(4 * MINUTE_MS)
  expect(heard()).toEqual(['down', 'down'])
  void nobody
})

test('workspaces, leaderboard and timeline are chosen by host, group and tag', async () => {
  views.heard('one', presence(START_MS, 'ci'), START_MS)
  views.heard('two', presence(START_MS), START_MS)
  views.told('one', facts('job-1', ['nightly']))
  views.told('two', facts('job-2', ['nightly', 'mail']))
  store.take(
    new Map([
      ['one', [line('job-1', 1)]],
      ['two', [line('job-2', 1)]],
    ]),
    'now',
  )
  const seen = async (filter: Parameters<CentreViews['workspaces']>[0]): Promise<unknown> => {
    const names = views.workspaces(filter).map(({ view }) => view.name)
    expect(views.leaderboard(filter).map(({ name }) => name)).toEqual(names)
    const entries = await views.timeline.page(filter, null, 10)
    expect(entries.map(({ workspace }) => workspace).toSorted()).toEqual(names)
    return names
  }
  expect(await seen({})).toEqual(['job-1', 'job-2'])
  expect(await seen({ tag: 'nightly' })).toEqual(['job-1', 'job-2'])
  expect(await seen({ tag: 'mail' })).toEqual(['job-2'])
  expect(await seen({ group: 'ci' })).toEqual(['job-1'])
  expect(await seen({ host: 'two', tag: 'nightly' })).toEqual(['job-2'])
  expect(await seen({ host: 'one', tag: 'mail' })).toEqual([])
})

test('lines of several hosts are taken together, and a refused one of one host holds up nobody', () => {
  const broken = { ...line('job-1', 1), data: Buffer.from('rubbish') }
  const refused = store.take(
    new Map([
      ['one', [broken, line('job-1', 2)]],
      ['two', [line('job-2', 1)]],
    ]),
    'now',
  )
  expect([...refused]).toEqual([
    ['one', ['not-a-line']],
    ['two', []],
  ])
  expect([...store.counts()]).toEqual([
    ['one', 1],
    ['two', 1],
  ])
  expect(store.position('one').place).toBe(2)
})

test('a page of workspaces has who needs the operator first, and the rest of the filter is counted', () => {
  views.heard('one', presence(START_MS, 'ci'), START_MS)
  views.told('one', facts('calm', []))
  views.told('one', { ...facts('asking', ['mail']), trust: 'unapproved' })
  store.take(new Map([['one', [line('calm', 1), line('asking', 2)]]]), 'now')
  const names = (...page: number[]): unknown => views.workspaces({}, ...page).map(({ view }) => view.name)
  expect(names()).toEqual(['asking', 'calm'])
  expect(names(0, 1)).toEqual(['asking'])
  expect(names(1, 5)).toEqual(['calm'])
  expect(names(2, 5)).toEqual([])
  expect(views.summary({ tag: 'mail' })).toMatchObject({
    problem: null,
    workspaces: 1,
    asking: 1,
    answer: { lead: 'Not known yet.' },
    choices: { hosts: ['one'], groups: ['ci'], tags: ['mail'] },
  })
  expect(views.figures().map(({ labels }) => labels)).toEqual([
    { host: 'one', workspace: 'asking' },
    { host: 'one', workspace: 'calm' },
  ])
})

test('a workspace is shown by the newest word of its host, and a record that is none is not there', async () => {
  store.take(new Map([['one', [line('job-1', 1)]]]), 'now')
  expect(views.workspace('one', 'job-1')).toMatchObject({
    host: 'one',
    seq: 1,
    view: { name: 'job-1', tags: [] },
  })
  views.told('one', { ...facts('job-1', ['nightly']), name: 'Nightly job' })
  expect(views.workspace('one', 'job-1')).toMatchObject({ view: { name: 'Nightly job', tags: ['nightly'] } })
  expect(await views.timeline.page({}, null, 1)).toMatchObject([{ name: 'Nightly job' }])
  expect(views.workspace('two', 'job-1')).toBeNull()
})

test('the timeline is paged without a gap, though everything happened at the same moment', async () => {
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

test('the timeline is narrowed by kind, severity and text, on each host alike', async () => {
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

test('what is looked for is found however much lies before it', async () => {
  const wanted = finishedAttempt('a-1', { taskId: 'rare_task' })
  const notes = Array.from({ length: 1_200 }, (_, index) => noteEvent(`n-${index}`))
  store.take(new Map([['one', [...record('job-1', 1, [wanted, ...notes])]]]), 'now')
  views.told('one', facts('job-1', ['nightly']))
  const found = await views.timeline.page({ taskId: 'rare_task', tag: 'nightly' }, null, 10)
  expect(found.map(({ entry }) => entry.attemptId)).toEqual(['a-1'])
})

test('what a host sends late is among what came since, in the order of its coming and with its place in time', async () => {
  store.take(new Map([['one', record('job-1', 1, [noteEvent('one')])]]), 'now')
  const { arrival } = views.timeline.arrivals({}, null)
  expect(views.timeline.arrivals({}, arrival)).toEqual({ entries: [], arrival, reach: 'all' })
  // Two hours older than what is there.
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
  // Its database was made anew since.
  expect(views.timeline.arrivals({}, part.arrival + 10_000)).toMatchObject({ entries: [], reach: 'lost' })
})

test.each(['forgotten', 'made anew'] as const)(
  'who asks for what came since is told that nobody knows it where the entries were %s, however many have come again',
  async (how) => {
    const notes = Array.from({ length: 40 }, (_, index) => noteEvent(`n-${index}`))
    store.take(new Map([['one', record('job-1', 1, notes)]]), 'now')
    const { arrival } = views.timeline.arrivals({}, null)
    if (how === 'forgotten') store.forget('one')
    else {
      store.close()
      await rm(join(root, 'fleet.sqlite'))
      store = new CentreStore(join(root, 'fleet.sqlite'))
      views = new CentreViews(store, clock)
    }
    expect(views.timeline.arrivals({}, arrival)).toMatchObject({ entries: [], reach: 'lost' })
    const anew = views.timeline.arrivals({}, null)
    expect(views.timeline.arrivals({}, anew.arrival)).toEqual(anew)
    store.take(new Map([['one', record('job-1', 1, [...notes, ...notes])]]), 'now')
    const lost = views.timeline.arrivals({}, arrival)
    expect(lost).toMatchObject({ entries: [], reach: 'lost' })
    expect(views.timeline.arrivals({}, lost.arrival)).toMatchObject({ entries: [], reach: 'all' })
    expect(views.timeline.arrivals({}, anew.arrival)).toMatchObject({ arrival: lost.arrival, reach: 'all' })
    expect(views.timeline.arrivals({}, anew.arrival).entries).toHaveLength(80)
  },
)

test('an entry is found by its address, and the list goes on behind it', async () => {
  store.take(new Map([['one', record('job-1', 1, [noteEvent('a'), noteEvent('b'), noteEvent('c')])]]), 'now')
  const found = views.timeline.entry({ host: 'one', workspace: 'job-1', id: '2' })
  expect(found).toMatchObject({ host: 'one', workspace: 'job-1', entry: { id: '2' } })
  const behind = await views.timeline.page({}, found?.cursor ?? null, 10)
  expect(behind.map(({ entry }) => entry.id)).toEqual(['1'])
  expect(views.timeline.entry({ host: 'one', workspace: 'job-1', id: '9' })).toBeNull()
})

test('the first look at many records makes some of them at once, and all of them with turns in between', async () => {
  const ids = Array.from({ length: 180 }, (_, index) => `job-${String(index).padStart(3, '0')}`)
  store.take(new Map([['one', ids.map((id, index) => line(id, index + 1))]]), 'now')
  const shown = (): readonly string[] => views.leaderboard({}).map(({ workspace }) => workspace)
  expect(shown().length).toBeLessThan(ids.length)
  // One that is asked for by name is there, whatever its turn is.
  expect(views.workspace('one', 'job-179')).toMatchObject({ seq: 1 })
  await views.caughtUp()
  expect(shown().toSorted()).toEqual(ids)
  // What changed is what is read again.
  const before = new Map(views.workspaces({}).map((each) => [each.view.id, each.view]))
  views.told('one', { ...facts('job-007', []), name: 'Seven' })
  for (const { view } of views.workspaces({}))
    if (view.id === 'job-007') expect(view.name).toBe('Seven')
    else expect(view).toBe(before.get(view.id))
  store.forget('one')
  expect(shown().length).toBeLessThan(ids.length)
  await views.caughtUp()
  expect(shown()).toEqual([])
})
