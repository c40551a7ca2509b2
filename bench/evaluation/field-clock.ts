import { performance } from 'node:perf_hooks'
import { systemClock } from '../../src/main/host/system-clock.ts'
import type { Clock } from '../../src/main/ports/clock.ts'

/**
 * Returns a clock on which a second of the field passes in `msPerSecond` real milliseconds. Everything the host does by its
 * clock (timeouts, grace, durations, days) runs that much faster, and is recorded in seconds of the field.
 */
export function createFieldClock(msPerSecond: number): Clock {
  const factor = 1000 / msPerSecond
  const startMs = Date.now()
  const start = performance.now()
  const elapsedMs = () => (performance.now() - start) * factor
  return {
    nowMs: () => Math.round(startMs + elapsedMs()),
    monotonicMs: elapsedMs,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  }
}
