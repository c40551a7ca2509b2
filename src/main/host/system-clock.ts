import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    // An aborted sleep is an early end, not an error.
    await delay(Math.max(0, ms), undefined, { signal }).catch(() => undefined)
  },
}
