import { ORPCError } from '@orpc/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiClient } from '../../../api/client.ts'
import type { LiveEvent } from '../../../api/schemas/live-event.ts'
import type { Score } from '../../../core/read-model/score.ts'
import type { WorkspaceDetail } from '../../../core/read-model/workspace.ts'
import type { AppStore } from './app-state.ts'
import { createAppStore } from './app-store.ts'

/** A host in memory: its stream can be fed and cut, its answers delayed. */
function fakeHost() {
  const score = { score: 82, target: 91 } as Score
  const attempt = { attemptId: 'a1', taskId: 't', feedback: null } as WorkspaceDetail['attempts'][number]
  const detail = { id: 'ws', name: 'ws', score, attempts: [attempt] } as WorkspaceDetail
  const calls = { status: 0, watch: 0 }
  let looks = 0
  const whole = (detail: WorkspaceDetail) => ({ number: ++looks, detail })
  const host = {
    detail,
    calls,
    answerStatus: async () => {},
    answerWatch: async () => {},
    others: [] as WorkspaceDetail[],
    feedback: async () => ({ delta: 3, score: 85 }),
    reachable: true,
  }
  let stream = newStream()
  const api = {
    status: async () => {
      calls.status++
      const { others } = host
      await host.answerStatus()
      return { version: '1', workspaces: [host.detail, ...others], opening: [], unopened: [] }
    },
    workspaces: {
      watch: async ({ id }: { id: string | null }) => {
        calls.watch++
        await host.answerWatch()
        return id === null ? null : whole(host.detail)
      },
    },
    score: { feedback: () => host.feedback() },
    events: async () => {
      if (!host.reachable) throw new TypeError('Failed to fetch')
      stream = newStream()
      return stream.events()
    },
  } as unknown as ApiClient
  const store = createAppStore(api)
  const send = (event: LiveEvent) => stream.push(event)
  return { host, store, send, whole, cut: () => stream.push(null) }
}

function newStream() {
  const queue: (LiveEvent | null)[] = []
  let wake = () => {}
  return {
    push(event: LiveEvent | null) {
      queue.push(event)
      wake()
    },
    async *events() {
      for (;;) {
        const event = queue.shift()
        if (event === null) return
        if (event !== undefined) yield event
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}

/** Lets everything pending or due within `ms` happen, in fake time. */
const settle = (ms = 100) => vi.advanceTimersByTimeAsync(ms)

let stop = () => {}
async function started(store: AppStore & { start(): () => void }): Promise<void> {
  stop = store.start()
  store.getState().watch('ws')
  await settle()
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('fetches what the host has once it answers', async () => {
  const { store } = fakeHost()
  await started(store)
  const { connection, version, workspaces, details } = store.getState()
  expect({ connection, version }).toEqual({ connection: { kind: 'online' }, version: '1' })
  expect(workspaces.map(({ id }) => id)).toEqual(['ws'])
  expect(details.ws?.score.score).toBe(82)
})

test('fetches what is likely to be on screen in parallel with the list, and shows both together', async () => {
  const { host, store } = fakeHost()
  let answer = () => {}
  host.answerStatus = () => new Promise((resolve) => (answer = resolve))
  store.setState({ watchedId: 'ws' })
  stop = store.start()
  await settle()
  expect([host.calls.watch, store.getState().version]).toEqual([1, null])
  answer()
  await settle()
  expect(store.getState().details.ws?.score.score).toBe(82)
  expect(host.calls.watch, 'once').toBe(1)
})

test('delays the list a moment for what is on screen, but no longer', async () => {
  const { host, store } = fakeHost()
  const shown: [string | null, number | undefined][] = []
  store.subscribe(({ version, details }) => shown.push([version, details.ws?.score.score]))
  let answer = () => {}
  host.answerWatch = () => new Promise((resolve) => (answer = resolve))
  store.setState({ watchedId: 'ws' })
  stop = store.start()
  await settle(50)
  answer()
  await settle(1)
  expect(shown.at(-1)).toEqual(['1', 82])
  expect(shown.filter(([version]) => version !== null).map(([, score]) => score)).not.toContain(undefined)
  stop()

  const { host: slow, store: other } = fakeHost()
  slow.answerWatch = () => new Promise(() => {})
  other.setState({ watchedId: 'ws' })
  stop = other.start()
  await settle()
  expect([other.getState().version, other.getState().details.ws]).toEqual(['1', undefined])
})

test('takes an update of the workspace on screen without fetching anything', async () => {
  const { host, store, send, whole } = fakeHost()
  await started(store)
  const before = { ...host.calls }
  const detail = { ...host.detail, name: 'renamed', tasks: [] }
  send({ type: 'workspace-updated', workspace: 'ws', view: detail, whole: whole(detail) })
  await settle()
  const { details, workspaces } = store.getState()
  expect([details.ws, workspaces[0]?.name]).toEqual([detail, 'renamed'])
  expect(host.calls).toEqual(before)
})

test('ignores an answer that was overtaken by an update', async () => {
  const { host, store, send, whole } = fakeHost()
  await started(store)
  const [older, newer] = [whole(host.detail), whole({ ...host.detail, name: 'newer' })]
  for (const look of [newer, older])
    send({ type: 'workspace-updated', workspace: 'ws', view: look.detail, whole: look })
  await settle()
  expect(store.getState().details.ws?.name).toBe('newer')
})

test("keeps a workspace's update that arrived while the list was fetched", async () => {
  const { host, store, send } = fakeHost()
  await started(store)
  const old = host.detail
  let answer = () => {}
  host.answerStatus = () => new Promise((resolve) => (answer = resolve))
  const refreshed = store.getState().refresh()
  send({ type: 'workspace-updated', workspace: 'ws', view: { ...old, name: 'pushed' } })
  await settle()
  answer()
  host.answerStatus = async () => {}
  await refreshed
  expect(store.getState().workspaces[0]?.name).toBe('pushed')
  host.detail = { ...old, name: 'fetched' }
  await store.getState().refresh()
  expect(store.getState().workspaces[0]?.name).toBe('fetched')
})

test('does not let an outdated list replace what is on screen', async () => {
  const { host, store, send, whole } = fakeHost()
  const older = host.detail
  const now = { ...older, name: 'running' }
  host.detail = now
  host.answerStatus = async () => {
    await new Promise((resolve) => setTimeout(resolve, 10))
    host.detail = older
  }
  store.setState({ watchedId: 'ws' })
  const update = whole(now)
  stop = store.start()
  await settle()
  // It was sent before the workspace on screen was fetched, and arrived later.
  send({ type: 'workspace-updated', workspace: 'ws', view: now, whole: update })
  await settle()
  const { workspaces, details } = store.getState()
  expect([workspaces[0]?.name, details.ws?.name]).toEqual(['running', 'running'])
})

test('keeps an update of a workspace that is not in any list yet', async () => {
  const { host, store, send } = fakeHost()
  await started(store)
  const added = { ...host.detail, id: 'added', name: 'as it was added' }
  host.others = [added]
  let answer = () => {}
  host.answerStatus = () => new Promise((resolve) => (answer = resolve))
  send({ type: 'workspaces-changed' })
  await settle()
  host.others = [{ ...added, name: 'running' }]
  send({ type: 'workspace-updated', workspace: 'added', view: { ...added, name: 'running' } })
  await settle()
  host.answerStatus = async () => {}
  answer()
  await settle()
  expect(store.getState().workspaces.map(({ name }) => name)).toEqual(['ws', 'running'])
})

test('stops watching a screen that is left', async () => {
  const { host, store } = fakeHost()
  await started(store)
  const { watch } = host.calls
  store.getState().watch(null)
  await settle()
  expect(host.calls.watch).toBe(watch + 1)
  expect(store.getState().detailProblems).toEqual({})
})

test('takes an update of a workspace that is not on screen without fetching anything', async () => {
  const { host, store, send } = fakeHost()
  await started(store)
  const { status, watch } = host.calls
  const [first] = store.getState().workspaces
  if (first === undefined) throw new Error('There is one.')
  store.setState({ workspaces: [first, { ...first, id: 'another' }] })
  send({
    type: 'workspace-updated',
    workspace: 'another',
    view: { ...first, id: 'another', shield: 'lockdown' },
  })
  await settle()
  expect(store.getState().workspaces.map(({ shield }) => shield)).toEqual([first.shield, 'lockdown'])
  expect([host.calls.status, host.calls.watch]).toEqual([status, watch])
})

test('fetches the sidebar after an update without content, which means that events were missed', async () => {
  const { host, store, send } = fakeHost()
  await started(store)
  const before = host.calls.status
  send({ type: 'workspace-updated', workspace: 'another', view: null })
  await settle()
  expect(host.calls.status).toBe(before + 1)
})

test('collects output in order under its attempt', async () => {
  const { store, send } = fakeHost()
  await started(store)
  for (const text of ['one\ntw', 'o\n', 'three']) {
    send({ type: 'attempt-output', workspace: 'ws', attemptId: 'a2', stream: 'stdout', text })
  }
  await settle()
  expect(store.getState().outputs.a2?.lines).toEqual(['one', 'two', 'three'])
})

test('reports a lost host, retries with growing pauses, and fetches everything again', async () => {
  const { host, store, cut } = fakeHost()
  await started(store)
  host.reachable = false
  cut()
  await settle(20)
  expect(store.getState().connection.kind).toBe('lost')
  await settle(2000)
  expect(store.getState().connection.kind).toBe('lost')
  host.reachable = true
  const before = host.calls.watch
  await settle(15_000)
  expect(store.getState().connection.kind).toBe('online')
  expect(host.calls.watch).toBe(before + 1)
})

test('connects at once if the user chooses not to wait', async () => {
  const { host, store, cut } = fakeHost()
  await started(store)
  host.reachable = false
  cut()
  await settle(10_000)
  host.reachable = true
  store.getState().retryConnection()
  await settle(0)
  expect(store.getState().connection.kind).toBe('online')
})

test('shows thumbs at once, and keeps them when the host accepts them', async () => {
  const { host, store } = fakeHost()
  await started(store)
  let answer = (_: { delta: number; score: number }) => {}
  host.feedback = () => new Promise((resolve) => (answer = resolve))
  const given = store.getState().giveFeedback('ws', 'a1', 'up')
  expect(store.getState().pendingFeedback).toEqual({ a1: 'up' })
  answer({ delta: 3, score: 85 })
  await given
  const { pendingFeedback, details } = store.getState()
  expect(pendingFeedback).toEqual({})
  expect(details.ws?.attempts[0]?.feedback).toBe('up')
  expect(details.ws?.score).toMatchObject({ score: 85, pointsToTarget: 6 })
})

test('undoes thumbs that the host refuses, and shows the reason', async () => {
  const { host, store } = fakeHost()
  await started(store)
  host.feedback = () => Promise.reject(new ORPCError('NOT_FOUND', { message: 'No attempt a1.' }))
  await store.getState().giveFeedback('ws', 'a1', 'down')
  const { pendingFeedback, details, toasts } = store.getState()
  expect(pendingFeedback).toEqual({})
  expect(details.ws?.score.score).toBe(82)
  expect(toasts.map(({ text }) => text)).toEqual(['The thumbs down was not taken. No attempt a1.'])
})

test('drops the oldest of many messages, and those that can still be undone last', () => {
  const store = createAppStore({} as ApiClient)
  const { showToast } = store.getState()
  const plain = (text: string) => showToast({ tone: 'plain', text, undo: null })
  showToast({ tone: 'plain', text: 'released', undo: () => {}, undoUntilMs: 60_000 })
  for (const text of ['1', '2', '3', '4']) plain(text)
  expect(store.getState().toasts.map(({ text }) => text)).toEqual(['released', '3', '4'])
  for (const text of ['a', 'b', 'c']) showToast({ tone: 'plain', text, undo: () => {}, undoUntilMs: 60_000 })
  expect(store.getState().toasts.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
})

test('keeps a message after its toast has gone, until it is cleared', () => {
  const { store } = fakeHost()
  for (const number of Array(120).keys())
    store.getState().showToast({ tone: 'plain', text: `Message ${number}`, undo: () => {}, undoUntilMs: 1 })
  const last = store.getState().toasts.at(-1)
  store.getState().dismissToast(last?.id ?? 0)
  expect(store.getState()).toMatchObject({ unread: 120 })
  expect(store.getState().said).toHaveLength(100)
  // An old undo is not offered again.
  expect(store.getState().said[0]).toEqual({
    id: 120,
    tone: 'plain',
    text: 'Message 119',
    at: expect.any(String),
  })
  store.getState().readSaid()
  expect(store.getState().unread).toBe(0)
  store.getState().clearSaid()
  expect(store.getState().said).toEqual([])
})
