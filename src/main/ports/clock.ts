/**
 * The longest uninterrupted sleep until a time of day. Timers stop while a machine sleeps; after waking, a missed time is
 * noticed within this.
 */
export const LONGEST_SLEEP_MS = 30_000

/** Time. Wall-clock time is for people and days, monotonic time for durations and deadlines. */
export interface Clock {
  /** Epoch milliseconds, wall clock. */
  nowMs(): number
  /** Milliseconds from an arbitrary start, never going back. */
  monotonicMs(): number
  /** Resolves after `ms` (the wall clock may jump in the meantime); resolves early when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
