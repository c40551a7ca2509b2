import { ORPCError } from '@orpc/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiClient } from '../../../api/client.ts'
import type { LiveEvent } from '../../../api/schemas/live-event.ts'
import type { Score } from '../../../core/read-model/score.ts'
import type { WorkspaceDetail } from '../../../core/read-model/workspace.ts'
import type { AppStore } from './app-state.ts'
import { createAppStore } from './app-store.ts'

/** A host in memory: its stream can be fed and cut, its answers held back. */
function fakeHost() {
  const score = { score: 82, target: 91 } as Score
  const attempt = { attemptId: 'a1', taskId: 't', feedback: null } as WorkspaceDetail['attempts'][number]
  const detail = { id: 'ws', name: 'ws', score, attempts: [attempt] } as WorkspaceDetail
  const calls = { status: 0, get: 0 }
  const host = { detail, calls, feedback: async () => ({ delta: 3, score: 85 }), reachable: true }
  let stream = newStream()
  const api = {
    status: async () => {
      calls.status++
      return { version: '1', workspaces: [host.detail], opening: [], unopened: [] }
    },
    workspaces: {
      get: async () => {
        calls.get++
        return host.detail
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
  return { host, store, send, cut: () => stream.push(null) }
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

/** Lets everything that is under way and due within `ms` happen, on fake time. */
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

test('what the host has is fetched once it answers', async () => {
  const { store } = fakeHost()
  await started(store)
  const { connection, version, workspaces, details } = store.getState()
  expect({ connection, version }).toEqual({ connection: { kind: 'online' }, version: '1' })
  expect(workspaces.map(({ id }) => id)).toEqual(['ws'])
  expect(details.ws?.score.score).toBe(82)
})

test('a burst of updates asks for the workspace once, not once each', async () => {
  const { host, store, send } = fakeHost()
  await started(store)
  const before = { ...host.calls }
  for (let count = 0; count < 50; count++)
    send({ type: 'workspace-updated', workspace: 'ws', view: host.detail })
  await settle()
  expect(host.calls).toEqual({ status: before.status, get: before.get + 1 })
})

test('an update brings what a workspace looks like now: nothing is fetched for one that is not on screen', async () => {
  const { host, store, send } = fakeHost()
  await started(store)
  const { status, get } = host.calls
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
  expect([host.calls.status, host.calls.get]).toEqual([status, get])
})

test('an update without what it looks like, after events were missed, asks for the sidebar', async () => {
  const { host, store, send } = fakeHost()
  await started(store)
  const before = host.calls.status
  send({ type: 'workspace-updated', workspace: 'another', view: null })
  await settle()
  expect(host.calls.status).toBe(before + 1)
})

test('output is gathered in order under its attempt', async () => {
  const { store, send } = fakeHost()
  await started(store)
  for (const text of ['one\ntw', 'o\n', 'three']) {
    send({ type: 'attempt-output', workspace: 'ws', attemptId: 'a2', stream: 'stdout', text })
  }
  await settle()
  expect(store.getState().outputs.a2?.lines).toEqual(['one', 'two', 'three'])
})

test('a lost host is said, tried again with growing pauses, and everything is fetched anew', async () => {
  const { host, store, cut } = fakeHost()
  await started(store)
  host.reachable = false
  cut()
  await settle(20)
  expect(store.getState().connection.kind).toBe('lost')
  await settle(2000)
  expect(store.getState().connection.kind).toBe('lost')
  host.reachable = true
  const before = host.calls.get
  await settle(15_000)
  expect(store.getState().connection.kind).toBe('online')
  expect(host.calls.get).toBe(before + 1)
})

test('a person who does not want to wait is connected at once', async () => {
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

test('thumbs stand at once and stay when the host takes them', async () => {
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

test('thumbs that the host refuses are taken back, with the reason', async () => {
  const { host, store } = fakeHost()
  await started(store)
  host.feedback = () => Promise.reject(new ORPCError('NOT_FOUND', { message: 'No attempt a1.' }))
  await store.getState().giveFeedback('ws', 'a1', 'down')
  const { pendingFeedback, details, toasts } = store.getState()
  expect(pendingFeedback).toEqual({})
  expect(details.ws?.score.score).toBe(82)
  expect(toasts.map(({ text }) => text)).toEqual(['The thumbs down was not taken. No attempt a1.'])
})

test('of many messages the oldest go, and those that can still be undone last', () => {
  const store = createAppStore({} as ApiClient)
  const { showToast } = store.getState()
  const plain = (text: string) => showToast({ tone: 'plain', text, undo: null })
  showToast({ tone: 'plain', text: 'released', undo: () => {}, undoUntilMs: 60_000 })
  for (const text of ['1', '2', '3', '4']) plain(text)
  expect(store.getState().toasts.map(({ text }) => text)).toEqual(['released', '3', '4'])
  for (const text of ['a', 'b', 'c']) showToast({ tone: 'plain', text, undo: () => {}, undoUntilMs: 60_000 })
  expect(store.getState().toasts.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
})
