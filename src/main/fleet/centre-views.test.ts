import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FleetWorkspaceFacts, type Presence, unknownFacts } from '../../core/fleet/presence.ts'
import { encodeBody, encodeLine, GENESIS_HASH, hashLine } from '../ledger/line.ts'
import { noteEvent } from '../ledger/testing/sample-events.ts'
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

/** The first line of a record. */
const line = (workspace: string, place: number): HubMessage => {
  const envelope = { seq: 1, at: '2026-03-01T10:00:00.000+00:00', day: '2026-03-01' }
  const data = encodeLine(envelope, GENESIS_HASH, encodeBody(noteEvent(workspace)))
  return { workspace, place, data, header: (name) => (name === 'Pw-Hash' ? hashLine(data) : '') }
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

test('workspaces, leaderboard and timeline are chosen by host, group and tag', () => {
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
  const seen = (filter: Parameters<CentreViews['workspaces']>[0]): unknown => {
    const names = views.workspaces(filter).map(({ view }) => view.name)
    expect(views.leaderboard(filter).map(({ name }) => name)).toEqual(names)
    const entries = views.timeline(filter, null, 10)
    expect(entries.map(({ workspace }) => workspace).toSorted()).toEqual(names)
    return names
  }
  expect(seen({})).toEqual(['job-1', 'job-2'])
  expect(seen({ tag: 'nightly' })).toEqual(['job-1', 'job-2'])
  expect(seen({ tag: 'mail' })).toEqual(['job-2'])
  expect(seen({ group: 'ci' })).toEqual(['job-1'])
  expect(seen({ host: 'two', tag: 'nightly' })).toEqual(['job-2'])
  expect(seen({ host: 'one', tag: 'mail' })).toEqual([])
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

test('a workspace is shown by the newest word of its host, and a record that is none is not there', () => {
  store.take(new Map([['one', [line('job-1', 1)]]]), 'now')
  expect(views.workspace('one', 'job-1')).toMatchObject({
    host: 'one',
    seq: 1,
    view: { name: 'job-1', tags: [] },
  })
  views.told('one', { ...facts('job-1', ['nightly']), name: 'Nightly job' })
  expect(views.workspace('one', 'job-1')).toMatchObject({ view: { name: 'Nightly job', tags: ['nightly'] } })
  expect(views.timeline({}, null, 1)[0]?.name).toBe('Nightly job')
  expect(views.workspace('two', 'job-1')).toBeNull()
})

test('the timeline is paged without a gap, though everything happened at the same moment', () => {
  const ids = Array.from({ length: 7 }, (_, index) => `job-${index}`)
  store.take(new Map([['one', ids.map((id, index) => line(id, index + 1))]]), 'now')
  const seen: string[] = []
  let cursor: string | null = null
  for (;;) {
    const page = views.timeline({}, cursor, 3)
    seen.push(...page.map(({ workspace }) => workspace))
    const last = page.at(-1)
    if (last === undefined) break
    cursor = last.cursor
  }
  expect(seen).toEqual(ids.toReversed())
})
