import type { ApiClient } from './client.ts'
import type { LiveEvent } from './schemas/live-event.ts'

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 15_000
/** So often a host whose stream is quiet is asked for a sign of life, and for so long it is waited for. */
const PULSE_EVERY_MS = 15_000
const PULSE_PATIENCE_MS = 30_000
/** A stream that lived this long was a real connection: the back-off starts anew. */
const STABLE_AFTER_MS = 10_000

/** Who shows a host as it is. */
export interface Follower {
  /** The events come: what was there before them is fetched now. One that rejects counts as a lost connection. */
  opened(): Promise<void>
  take(event: LiveEvent): void
  /**
   * Asks the host for a sign of life: one that hangs, or whose connection was cut without a word, ends no stream. Left out by who shares
   * the host's process.
   */
  readonly pulse?: (signal: AbortSignal) => Promise<unknown>
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
      const cause = await connectOnce(client, follower, { clock, signal, stream })
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
  { clock, signal, stream }: FollowOptions,
): Promise<unknown> {
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  try {
    const events = await client.events(stream === undefined ? undefined : { stream }, { signal: until })
    await follower.opened()
    const silent = untilSilent(follower, clock, until)
    const taken = takeAll(events, follower)
    // What is left of the stream breaks off with it.
    taken.catch(() => undefined)
    return await Promise.race([taken, silent])
  } catch (error) {
    return error
  } finally {
    ended.abort()
  }
}

async function takeAll(events: AsyncIterable<LiveEvent>, follower: Follower): Promise<null> {
  for await (const event of events) follower.take(event)
  return null
}

/** Resolves with an error once the host gives no sign of life; never where nobody asks it. */
async function untilSilent({ pulse }: Follower, clock: FollowClock, signal: AbortSignal): Promise<Error> {
  if (pulse === undefined) return new Promise(() => {})
  for (;;) {
    await clock.sleep(PULSE_EVERY_MS, signal)
    if (signal.aborted) return new Promise(() => {})
    const answered = new AbortController()
    const answer = pulse(AbortSignal.any([signal, answered.signal])).then(
      () => true,
      () => true,
    )
    const late = clock.sleep(PULSE_PATIENCE_MS, AbortSignal.any([signal, answered.signal])).then(() => false)
    const isAlive = await Promise.race([answer, late])
    answered.abort()
    if (!isAlive && !signal.aborted) return new Error('Pulseward does not answer.')
  }
}
