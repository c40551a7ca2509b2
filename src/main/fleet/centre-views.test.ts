import { beforeEach, expect, test } from 'vitest'
import { finishedAttempt, noteEvent } from '../ledger/testing/sample-events.ts'
import type { SimulatedClock } from '../testing/simulated-clock.ts'
import type { CentreStore } from './centre-store.ts'
import type { CentreViews } from './centre-views.ts'
import { openViews, START_MS } from './testing/centre-views.ts'
import { facts, line, presence, recordOfDays } from './testing/sample-messages.ts'

const MINUTE_MS = 60_000

let store: CentreStore
let clock: SimulatedClock
let views: CentreViews

beforeEach(async () => {
  const opened = await openViews()
  store = opened.store
  clock = opened.clock
  views = opened.views
})

test('a host is late after a minute of silence and down after five, by the hub’s clock whatever the host’s clock says', async () => {
  // One host's clock is an hour ahead, the other's an hour behind.
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

test('two instances with one key are a lasting finding, but an instance that joined again is not', () => {
  const from = (instance: string, atMs: number): boolean =>
    views.heard('build-1', { ...presence(atMs), instance }, atMs)
  expect([from('one', START_MS), from('one', START_MS + 15_000)]).toEqual([false, false])
  // The host joined again as another instance; the first goes silent.
  expect([from('two', START_MS + 30_000), from('two', START_MS + 45_000)]).toEqual([false, false])
  expect(views.hosts()[0]?.refused).toEqual([])
  expect(from('one', START_MS + 60_000)).toBe(true)
  const finding = [expect.objectContaining({ kind: 'two-instances', detail: 'two and one' })]
  expect(views.hosts()[0]?.refused).toEqual(finding)
  // Notified once, and shown in every view from then on, whichever instance was heard last.
  for (let look = 1; look <= 8; look += 1) {
    expect(from(look % 2 === 0 ? 'one' : 'two', START_MS + 60_000 + look * 15_000)).toBe(false)
    expect(views.hosts()[0]?.refused).toEqual(finding)
  }
})

test('workspaces, leaderboard and timeline are filtered by host, group and tag', async () => {
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

test('lines of several hosts are processed together, and a refused line of one host does not delay the others', () => {
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

test('a page of workspaces starts with those that need attention, and counts the rest of the filter', () => {
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

test('ranks count the last seven dates, no matter when a workspace last worked', async () => {
  const kept = (id: string) => finishedAttempt(id, { verdict: 'verified', points: 10 })
  store.take(
    new Map([
      // Idle for a month, after a good day.
      [
        'one',
        recordOfDays('idle', 1, [
          ['2026-01-31', kept('a-1')],
          ['2026-02-01', noteEvent('hint')],
        ]),
      ],
      [
        'two',
        recordOfDays('busy', 1, [
          ['2026-02-28', kept('a-2')],
          ['2026-03-01', noteEvent('hint')],
        ]),
      ],
      [
        'three',
        recordOfDays('busy', 1, [
          ['2026-02-28', kept('a-3')],
          ['2026-03-01', noteEvent('hint')],
        ]),
      ],
    ]),
    'now',
  )
  const ranks = () =>
    views.leaderboard({}).map(({ host, rank, share, days, verified }) => [host, rank, share, days, verified])
  const share = views.leaderboard({ host: 'two' })[0]?.share ?? 0
  expect(share).toBeGreaterThan(0)
  const expected = [
    ['three', 1, share, 1, 1],
    ['two', 1, share, 1, 1],
    ['one', null, null, 0, 0],
  ]
  expect(ranks()).toEqual(expected)
  // A page has the ranks of the whole leaderboard.
  expect(views.leaderboard({}, 1, 1)).toEqual([views.leaderboard({})[1]])
  expect(views.leaderboard({}, 1, 1)).toMatchObject([{ host: 'two', rank: 1 }])
  expect(views.summary({})).toMatchObject({ today: '2026-03-01' })
  // A host with a clock a year ahead does not hide other hosts' days; one in a time zone that is a day ahead shows its own day.
  const ahead = recordOfDays('ahead', 1, [
    ['2027-02-28', kept('a-4')],
    ['2027-03-01', noteEvent('hint')],
  ])
  store.take(new Map([['ahead', ahead]]), 'now')
  expect(ranks()).toEqual([...expected.slice(0, 2), ['ahead', null, null, 0, 0], expected[2]])
  store.take(new Map([['zone', recordOfDays('zone', 1, [['2026-03-02', noteEvent('hint')]])]]), 'now')
  expect(views.summary({})).toMatchObject({ today: '2026-03-02' })
})

test('days are ranked even if every host is days ahead of the center’s clock', () => {
  const ahead = recordOfDays('ahead', 1, [
    ['2026-03-02', finishedAttempt('a-1', { verdict: 'verified', points: 10 })],
    ['2026-03-03', noteEvent('hint')],
  ])
  store.take(new Map([['one', ahead]]), 'now')
  expect(views.summary({})).toMatchObject({ today: '2026-03-03' })
  expect(views.leaderboard({})).toMatchObject([{ host: 'one', rank: 1, days: 1, verified: 1 }])
})

test('a workspace is shown as its host last described it, and an invalid record is left out', async () => {
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

test('the first view of many records builds some of them at once, and yields while it builds the rest', async () => {
  const ids = Array.from({ length: 180 }, (_, index) => `job-${String(index).padStart(3, '0')}`)
  store.take(new Map([['one', ids.map((id, index) => line(id, index + 1))]]), 'now')
  const shown = (): readonly string[] => views.leaderboard({}).map(({ workspace }) => workspace)
  expect(shown().length).toBeLessThan(ids.length)
  // A record requested by its name is available without waiting.
  expect(views.workspace('one', 'job-179')).toMatchObject({ seq: 1 })
  await views.caughtUp()
  expect(shown().toSorted()).toEqual(ids)
  // Only changed records are read again.
  const before = new Map(views.workspaces({}).map((each) => [each.view.id, each.view]))
  views.told('one', { ...facts('job-007', []), name: 'Seven' })
  for (const { view } of views.workspaces({}))
    if (view.id === 'job-007') expect(view.name).toBe('Seven')
    else expect(view).toBe(before.get(view.id))
  // Discarding one host's history does not affect the others.
  store.take(new Map([['two', [line('job-2', 1)]]]), 'now')
  const kept = views.workspace('two', 'job-2')?.view
  expect(kept).toBeDefined()
  store.forget('one', START_MS)
  expect([...store.counts()]).toEqual([['two', 1]])
  expect(views.workspace('two', 'job-2')?.view).toBe(kept)
  expect(shown().length).toBeLessThan(ids.length)
  await views.caughtUp()
  expect(shown()).toEqual(['job-2'])
  expect(views.workspace('two', 'job-2')?.view).toBe(kept)
})
