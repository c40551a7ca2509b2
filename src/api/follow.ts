import type { ApiClient } from './client.ts'
import type { LiveEvent } from './schemas/live-event.ts'

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 15_000
/** A stream that lived this long was a real connection: the back-off starts anew. */
const STABLE_AFTER_MS = 10_000

/** Who shows a host as it is. */
export interface Follower {
  /** The events come: what was there before them is fetched now. One that rejects counts as a lost connection. */
  opened(): Promise<void>
  take(event: LiveEvent): void
  /** The connection is no more, and why (`null`: the host ended it); it is tried again after so long. */
  lost(cause: unknown, retryInMs: number): void
}

/** Time as the follower's side has it. */
export interface FollowClock {
  monotonicMs(): number
  /** Resolves early when `signal` aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

interface FollowOptions {
  readonly clock: FollowClock
  readonly signal: AbortSignal
  /** By which `workspaces.watch` knows the stream of events. */
  readonly stream?: string | undefined
}

/**
 * The one live client: subscribes, has what was there fetched, hands on the events, and begins anew with back-off whenever the stream
 * ends, until `signal` aborts. The subscription comes before the fetch, so that nothing falls between the two. Never throws.
 */
export function followHost(
  client: Pick<ApiClient, 'events'>,
  follower: Follower,
  { clock, signal, stream }: FollowOptions,
): {
  /** Does not wait for the next try. */
  retry(): void
} {
  let waking = new AbortController()
  const run = async (): Promise<void> => {
    let delayMs = FIRST_RETRY_MS
    while (!signal.aborted) {
      const startedMs = clock.monotonicMs()
      const cause = await connectOnce(client, follower, { signal, stream })
      if (signal.aborted) return
      if (clock.monotonicMs() - startedMs > STABLE_AFTER_MS) delayMs = FIRST_RETRY_MS
      follower.lost(cause, delayMs)
      waking = new AbortController()
      await clock.sleep(delayMs, AbortSignal.any([signal, waking.signal]))
      delayMs = waking.signal.aborted ? FIRST_RETRY_MS : Math.min(LAST_RETRY_MS, delayMs * 2)
    }
  }
  void run()
  return { retry: () => waking.abort() }
}

/** Resolves with the cause once the connection is no more; `null`: the host ended it. */
async function connectOnce(
  client: Pick<ApiClient, 'events'>,
  follower: Follower,
  { signal, stream }: Pick<FollowOptions, 'signal' | 'stream'>,
): Promise<unknown> {
  try {
    const events = await client.events(stream === undefined ? undefined : { stream }, { signal })
    await follower.opened()
    for await (const event of events) follower.take(event)
    return null
  } catch (error) {
    return error
  }
}
