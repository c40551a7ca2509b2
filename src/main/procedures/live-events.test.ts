import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import { DEFAULT_SCORING } from '../../core/configuration/scoring.ts'
import { scoreView } from '../../core/read-model/score.ts'
import { fold } from '../../core/record/fold.ts'
import { resolveStanding } from '../../core/scoring/standing.ts'
import { createEventHub } from '../host/event-hub.ts'
import type { HostParts } from '../host/host-parts.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'
import { EventQueue, liveEvents } from './live-events.ts'

const output = (text: string): LiveEvent => ({
  type: 'attempt-output',
  workspace: 'one',
  attemptId: 'a',
  stream: 'stdout',
  text,
})
const state = fold([])
const standing = resolveStanding(state.score, DEFAULT_SCORING, 15)
const finished = (attemptId: string): LiveEvent => ({
  type: 'attempt-finished',
  workspace: 'one',
  attemptId,
  taskId: 't',
})
const updated = (workspace: string): LiveEvent => ({ type: 'workspace-updated', workspace, view: null })

function queued(events: readonly LiveEvent[]): LiveEvent[] {
  const queue = new EventQueue()
  for (const event of events) queue.push(event)
  const rest: LiveEvent[] = []
  for (let event = queue.shift(); event !== undefined; event = queue.shift()) rest.push(event)
  expect(queue.size).toBe(0)
  return rest
}

describe('the queue of a client', () => {
  it('keeps the order of events', () => {
    const events = [finished('a'), output('x'), updated('one'), output('y'), finished('b')]
    expect(queued(events)).toEqual(events)
  })

  it('keeps one "fetch again" for each workspace', () => {
    const changed: LiveEvent = { type: 'workspaces-changed' }
    const events = [updated('one'), updated('two'), updated('one'), changed, updated('two'), changed]
    expect(queued(events)).toEqual([updated('one'), updated('two'), changed])
  })

  it('keeps the newest score of each workspace', () => {
    const score = (points: number): LiveEvent => ({
      type: 'score-updated',
      workspace: 'one',
      score: scoreView(
        'one',
        { ...state, score: { ...state.score, today: { ...state.score.today, score: points } } },
        standing,
        null,
        'local',
      ),
    })
    expect(queued([score(1), score(2), score(3)])).toEqual([score(3)])
  })

  it('drops the oldest output first when there are too many events', () => {
    const outputs = Array.from({ length: 2000 }, (_, index) => output(String(index)))
    const rest = queued([finished('first'), ...outputs, finished('last')])
    expect(rest).toHaveLength(1000)
    expect(rest.slice(0, 2)).toEqual([finished('first'), output('1002')])
    expect(rest.at(-1)).toEqual(finished('last'))
  })

  it('drops the oldest output when there is too much text', () => {
    const rest = queued(['a', 'b', 'c'].map((letter) => output(letter.repeat(500_000))))
    expect(rest.map((event) => event.type === 'attempt-output' && event.text[0])).toEqual(['b', 'c'])
  })

  it('tells the client to fetch again when it had to drop anything else', () => {
    const rest = queued(Array.from({ length: 5000 }, (_, index) => finished(String(index))))
    expect(rest.length).toBeLessThanOrEqual(1001)
    expect(rest).toContainEqual(updated('one'))
    expect(rest.at(-1)).toEqual(finished('4999'))
  })
})

/** A host without workspaces. */
const emptyHost = (): Pick<HostParts, 'hub' | 'workspaces'> => ({
  hub: createEventHub({ info: () => {}, warn: () => {}, error: () => {} }),
  workspaces: {
    all: () => [],
    get: () => {
      throw new Error('There is none.')
    },
    add: () => Promise.reject(new Error('Not here.')),
    remove: () => Promise.reject(new Error('Not here.')),
    restore: () => Promise.reject(new Error('Not here.')),
    label: () => Promise.reject(new Error('Not here.')),
    move: () => Promise.reject(new Error('Not here.')),
    changed: () => {},
    stop: async () => {},
    begin: () => {},
    opening: () => [],
    unopened: () => [],
    noteUnopened: () => {},
    whenOpen: async () => {},
    whenFewAreOpen: async () => {},
  },
})

describe('a workspace that a stream watches', () => {
  const STREAM = 'the-stream-of-a-test'
  let host: TemporaryHost
  beforeAll(async () => {
    host = await temporaryHost({ one: {}, two: {} })
  })
  afterAll(() => host.remove())

  /** Applies `change` and returns the workspace's next update. */
  async function nextUpdate(
    events: AsyncIterator<LiveEvent>,
    workspace: string,
    change: () => Promise<unknown>,
  ) {
    await change()
    for (;;) {
      const { done, value: event } = await events.next()
      if (done === true) throw new Error('The stream has ended.')
      if (event.type === 'workspace-updated' && event.workspace === workspace) return event
    }
  }

  it('is sent in full with each of its updates, until the stream watches another', async () => {
    const { client } = host
    const [one, two] = [host.id('one'), host.id('two')]
    const note = (workspace: string, text: string) => () => client.notes.add({ workspace, text })
    const events = await client.events({ stream: STREAM })
    const before = await client.workspaces.watch({ stream: STREAM, id: one })
    const { whole } = await nextUpdate(events, one, note(one, 'Mind the gap.'))
    expect(whole?.detail.notes.map(({ text }) => text)).toEqual(['Mind the gap.'])
    expect(whole?.number).toBeGreaterThan(before?.number ?? Number.POSITIVE_INFINITY)
    // Left out, because the time of the next heartbeat depends on the current time.
    const timeless = { next: null, score: null }
    expect({ ...whole?.detail, ...timeless }).toEqual({
      ...(await client.workspaces.get({ id: one })),
      ...timeless,
    })
    expect((await nextUpdate(events, two, note(two, 'Here too.'))).whole).toBeUndefined()

    await client.workspaces.watch({ stream: STREAM, id: two })
    expect((await nextUpdate(events, one, note(one, 'Again.'))).whole).toBeUndefined()
    expect((await nextUpdate(events, two, note(two, 'Again.'))).whole?.detail.notes).toHaveLength(2)
    await events.return?.()
  })

  it('is returned even if the stream is not open, and rejected if it does not exist', async () => {
    const { watch } = host.client.workspaces
    expect(await watch({ stream: STREAM, id: null })).toBeNull()
    expect((await watch({ stream: STREAM, id: host.id('one') }))?.detail.name).toBe('one')
    await expect(watch({ stream: STREAM, id: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('marks exactly the parts that changed as new', async () => {
    const { client } = host
    const id = host.id('one')
    const marks = async () => (await client.workspaces.get({ id })).marks
    const before = await marks()
    await client.notes.add({ workspace: id, text: 'Only a note.' })
    const { timeline, ...rest } = await marks()
    expect(rest).toEqual({ ...rest, ...before, timeline: undefined })
    expect(timeline).not.toBe(before.timeline)
    await writeFile(join(host.folder('one'), 'HEARTBEAT.md'), '## Tasks\n')
    expect((await marks()).contract).not.toBe(before.contract)
  })
})

describe('live events', () => {
  it('end immediately, with nothing left behind, if the reader is already gone', async () => {
    const host = emptyHost()
    const events = liveEvents(host, {}, [AbortSignal.abort()])
    expect(await events.next()).toEqual({ done: true, value: undefined })
    expect(host.hub.listenerCount()).toBe(0)
  })

  it('end for a waiting reader when either signal aborts', async () => {
    const host = emptyHost()
    const [gone, stopping] = [new AbortController(), new AbortController()]
    const events = liveEvents(host, {}, [gone.signal, stopping.signal])
    const pending = events.next()
    stopping.abort()
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(host.hub.listenerCount()).toBe(0)
  })

  it('pass each event to only one of several waiting readers', async () => {
    const host = emptyHost()
    const events = liveEvents(host, {}, [])
    const pending = [events.next(), events.next()]
    host.hub.emit(finished('a'))
    host.hub.emit(finished('b'))
    const values = (await Promise.all(pending)).map(({ value }) => value)
    expect(values).toEqual([finished('a'), finished('b')])
    await events.return?.()
  })
})
