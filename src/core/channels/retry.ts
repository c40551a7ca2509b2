/** Seconds from one try to the next. */
const DELAYS_S = [5, 30, 120, 600, 1800, 3600]
const LONGEST_WAIT_MS = 60 * 60_000

/** How long to wait (ms) after the `attempt`-th try (from 1) that failed; `null`: it is given up. `askedForMs` is the service's word. */
export function retryDelayMs(attempt: number, askedForMs: number | null): number | null {
  const seconds = DELAYS_S[attempt - 1]
  if (seconds === undefined) return null
  return Math.min(Math.max(seconds * 1000, askedForMs ?? 0), LONGEST_WAIT_MS)
}
