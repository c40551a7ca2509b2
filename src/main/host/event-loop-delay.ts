import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Log } from '../ports/log.ts'

/** How long the host's loop was kept from what was due, in seconds, since the host began. */
export interface EventLoopDelay {
  readonly quantiles: Readonly<Record<'0.5' | '0.99' | '0.999', number>>
  readonly worst: number
  readonly sum: number
  readonly count: number
}

/** Fine enough to see 50 ms; at 20 ms, waking was most of what a host at rest costs: up to a hundredth of a core. */
const RESOLUTION_MS = 50
/** What is worth a line in the log. */
const STOOD_STILL_S = 1
const LOOK_EVERY_MS = 60_000

/** Watches the loop of this process until stopped. */
export function watchEventLoop(log: Log): { readonly read: () => EventLoopDelay; readonly stop: () => void } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  // It measures from tick to tick: what goes beyond one is delay.
  const seconds = (nanoseconds: number): number =>
    histogram.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3)
  let logged = STOOD_STILL_S
  const looking = setInterval(() => {
    const worst = seconds(histogram.max)
    if (worst <= logged) return
    logged = worst
    log.warn('The host stood still', { seconds: worst })
  }, LOOK_EVERY_MS)
  looking.unref()
  return {
    read: () => ({
      quantiles: {
        '0.5': seconds(histogram.percentile(50)),
        '0.99': seconds(histogram.percentile(99)),
        '0.999': seconds(histogram.percentile(99.9)),
      },
      worst: seconds(histogram.max),
      sum: seconds(histogram.mean) * histogram.count,
      count: histogram.count,
    }),
    stop: () => {
      clearInterval(looking)
      histogram.disable()
    },
  }
}
