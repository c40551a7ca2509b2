/**
 * The longest that is slept at a stretch for a time of day: timers stand still while a machine sleeps, and one that has slept through
 * that time is noticed within this.
 */
export const LONGEST_SLEEP_MS = 30_000

/** Time. Wall-clock time is for people and days, monotonic time for durations and deadlines. */
export interface Clock {
  /** Epoch milliseconds, wall clock. */
  nowMs(): number
  /** Milliseconds from an arbitrary start, never going back. */
  monotonicMs(): number
  /** Resolves after `ms` (wall clock may jump meanwhile); resolves early when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
