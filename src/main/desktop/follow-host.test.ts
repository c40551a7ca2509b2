import { expect, test, vi } from 'vitest'
import type { ApiClient } from '../../api/client.ts'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { systemClock } from '../host/system-clock.ts'
import type { Clock } from '../ports/clock.ts'
import { followHost, type HostView } from './follow-host.ts'

const named = (name: string) => ({ id: 'w', name }) as Workspace
/** Returns a promise with the function that resolves it. */
function deferred<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((resolved) => {
    resolve = resolved
  })
  return { promise, resolve }
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

test('an older list that arrives late does not replace a newer view', async () => {
  const [older, fetchAgain, arrives] = [deferred<Workspace[]>(), deferred<void>(), deferred<void>()]
  async function* events(): AsyncGenerator<LiveEvent> {
    await fetchAgain.promise
    yield { type: 'workspaces-changed' }
    await arrives.promise
    yield { type: 'workspace-updated', workspace: 'w', view: named('now') }
    await new Promise(() => {})
  }
  const lists = [Promise.resolve([named('before')]), older.promise]
  const list = vi.fn(() => lists.shift() ?? Promise.resolve([named('now')]))
  const client = {
    events: () => Promise.resolve(events()),
    settings: { get: () => Promise.resolve({ settings: {} }) },
    permissions: { list: () => Promise.resolve([]) },
    workspaces: { list },
  } as unknown as ApiClient
  const seen: (string | undefined)[] = []
  const ended = new AbortController()
  const follower = {
    onView: ({ workspaces }: HostView) => void seen.push(workspaces[0]?.name),
    onSettings: () => {},
    onNotification: () => {},
    onLost: () => {},
  }
  followHost(client, follower, { clock: systemClock, log: quiet, signal: ended.signal, isForeign: false })
  await expect.poll(() => seen).toEqual(['before'])
  fetchAgain.resolve()
  await expect.poll(() => list).toHaveBeenCalledTimes(2)
  arrives.resolve()
  await expect.poll(() => seen.at(-1)).toBe('now')
  older.resolve([named('before')])
  await expect.poll(() => list).toHaveBeenCalledTimes(3)
  await expect.poll(() => seen.slice(-2)).toEqual(['before', 'now'])
  ended.abort()
})

test.each([
  { isForeign: true, lost: 1 },
  { isForeign: false, lost: 0 },
])(
  'a host that hangs without ending its stream (of another process: $isForeign)',
  async ({ isForeign, lost }) => {
    vi.useFakeTimers()
    const ended = new AbortController()
    const client = {
      events: async (_input: unknown, { signal }: { signal: AbortSignal }) =>
        (async function* () {
          await new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          )
        })(),
      settings: {
        get: (_input: unknown, options?: object) =>
          options === undefined ? Promise.resolve({ settings: {} }) : new Promise(() => {}),
      },
      permissions: { list: () => Promise.resolve([]) },
      workspaces: { list: () => Promise.resolve([]) },
    } as unknown as ApiClient
    const onLost = vi.fn()
    const follower = { onView: () => {}, onSettings: () => {}, onNotification: () => {}, onLost }
    const clock: Clock = {
      ...systemClock,
      monotonicMs: () => performance.now(),
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          setTimeout(resolve, ms)
          signal?.addEventListener('abort', () => resolve())
        }),
    }
    try {
      followHost(client, follower, { clock, log: quiet, signal: ended.signal, isForeign })
      await vi.advanceTimersByTimeAsync(46_000)
      expect(onLost).toHaveBeenCalledTimes(lost)
    } finally {
      ended.abort()
      vi.useRealTimers()
    }
  },
)
