import type { ApiClient } from './client.ts'
import type { LiveEvent } from './schemas/live-event.ts'

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 15_000
/** How often a host with a quiet stream is asked for a sign of life, and how long to wait for it. */
const PULSE_EVERY_MS = 15_000
const PULSE_PATIENCE_MS = 30_000
/** A stream that lasted this long was a real connection, so the back-off starts over. */
const STABLE_AFTER_MS = 10_000

/** Something that displays a host live. */
export interface Follower {
  /** Called when events arrive: fetch the state before them now. A rejection counts as a lost connection. */
  opened(): Promise<void>
  take(event: LiveEvent): void
  /**
   * Asks the host for a sign of life, because neither a hung host nor a silently cut connection ends the stream. Left out in the host's own
   * process.
   */
  readonly pulse?: (signal: AbortSignal) => Promise<unknown>
  /** The connection was lost, and why (`null`: the host ended it). It is retried after `retryInMs`. */
  lost(cause: unknown, retryInMs: number): void
}

/** The follower's clock. */
export interface FollowClock {
  monotonicMs(): number
  /** Resolves early when `signal` aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

interface FollowOptions {
  readonly clock: FollowClock
  readonly signal: AbortSignal
  /** The name by which `workspaces.watch` finds the event stream. */
  readonly stream?: string | undefined
}

/**
 * Follows a host: subscribes, fetches the current state, passes on events, and reconnects with back-off whenever the stream
 * ends, until `signal` aborts. It subscribes before it fetches, so that nothing is missed in between. Never throws.
 */
export function followHost(
  client: Pick<ApiClient, 'events'>,
  follower: Follower,
  { clock, signal, stream }: FollowOptions,
): {
  /** Retries without waiting. */
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

/** Resolves with the cause when the connection is lost; `null`: the host ended it. */
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
    // The rest of the stream ends with this one.
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

/** Resolves with an error when the host stops giving signs of life; never resolves without `pulse`. */
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
