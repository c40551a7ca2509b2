import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiClient } from './client.ts'
import { followHost } from './follow.ts'
import { gathered } from './gathered.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const clock = {
  monotonicMs: () => performance.now(),
  sleep: (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, ms)
      signal.addEventListener('abort', () => resolve())
    }),
}

/** Returns a host whose streams end at once, and the pauses before each retry. */
function failing(opened: () => Promise<void> = async () => {}) {
  const pauses: number[] = []
  const order: string[] = []
  const abort = new AbortController()
  const client = {
    events: async () => {
      order.push('subscribed')
      return (async function* () {})()
    },
  } as unknown as Pick<ApiClient, 'events'>
  const follower = {
    opened: async () => {
      order.push('fetched')
      await opened()
    },
    take: () => {},
    lost: (_cause: unknown, retryInMs: number) => void pauses.push(retryInMs),
  }
  const { retry } = followHost(client, follower, { clock, signal: abort.signal })
  return { pauses, order, retry, stop: () => abort.abort() }
}

test('fetches the current state after subscribing, so that nothing is missed in between', async () => {
  const { order, stop } = failing()
  await vi.advanceTimersByTimeAsync(0)
  expect(order).toEqual(['subscribed', 'fetched'])
  stop()
})

test('retries a lost host with longer and longer pauses, up to 15 seconds', async () => {
  const { pauses, stop } = failing(() => Promise.reject(new TypeError('fetch failed')))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(pauses.slice(0, 7)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000])
  stop()
})

test('reconnects at once on request and resets the pauses', async () => {
  const { pauses, order, retry, stop } = failing()
  await vi.advanceTimersByTimeAsync(4000)
  const before = order.length
  retry()
  await vi.advanceTimersByTimeAsync(0)
  expect(order.length).toBe(before + 2)
  expect(pauses.at(-1)).toBe(500)
  stop()
})

test('makes no attempt after it was stopped', async () => {
  const { order, stop } = failing()
  await vi.advanceTimersByTimeAsync(0)
  stop()
  const before = order.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(order.length).toBe(before)
})

/** A host whose stream stays open silently. */
function quiet(pulse?: () => Promise<unknown>) {
  const causes: unknown[] = []
  const counts = { opened: 0 }
  const abort = new AbortController()
  const client = {
    events: async (_input: unknown, { signal }: { signal: AbortSignal }) =>
      (async function* () {
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      })(),
  } as unknown as Pick<ApiClient, 'events'>
  followHost(
    client,
    {
      opened: async () => {
        counts.opened += 1
      },
      take: () => {},
      lost: (cause) => void causes.push(cause),
      ...(pulse && { pulse }),
    },
    { clock, signal: abort.signal },
  )
  return { causes, counts, stop: () => abort.abort() }
}

test('treats a silent host as lost although its stream is open, and retries', async () => {
  const { causes, counts, stop } = quiet(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(44_000)
  expect(causes).toEqual([])
  await vi.advanceTimersByTimeAsync(2000)
  expect(causes).toEqual([new Error('Pulseward does not answer.')])
  expect(counts.opened).toBe(2)
  stop()
})

test.each([
  { host: 'answers', pulse: async () => 'alive' },
  { host: 'answers late', pulse: () => clock.sleep(25_000, new AbortController().signal) },
  { host: 'refuses', pulse: () => Promise.reject(new Error('not for you')) },
  { host: 'is not asked', pulse: undefined },
])('keeps a quiet host that $host', async ({ pulse }) => {
  const { causes, counts, stop } = quiet(pulse)
  await vi.advanceTimersByTimeAsync(600_000)
  expect([causes, counts.opened]).toEqual([[], 1])
  stop()
})

test('runs once for a burst, and once more for requests made during the run', async () => {
  let runs = 0
  const work = gathered(50, async () => {
    runs += 1
    await clock.sleep(100, new AbortController().signal)
  })
  for (let asked = 0; asked < 5; asked += 1) work.ask()
  await vi.advanceTimersByTimeAsync(60)
  expect(runs).toBe(1)
  work.ask()
  work.ask()
  await vi.advanceTimersByTimeAsync(1000)
  expect(runs).toBe(2)
})
