import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Log } from '../ports/log.ts'

/** How long the host's event loop was delayed, in seconds, since the host started. */
export interface EventLoopDelay {
  readonly quantiles: Readonly<Record<'0.5' | '0.99' | '0.999', number>>
  readonly worst: number
  readonly sum: number
  readonly count: number
}

/** Fine enough to see 50 ms. At 20 ms, waking up was most of what an idle host costs: up to a hundredth of a core. */
const RESOLUTION_MS = 50
/** Longer delays are logged. */
const STOOD_STILL_S = 1
const LOOK_EVERY_MS = 60_000

/** Watches this process's event loop until stopped. */
export function watchEventLoop(log: Log): { readonly read: () => EventLoopDelay; readonly stop: () => void } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  // Measured from tick to tick, so only what exceeds one tick is delay.
  const seconds = (nanoseconds: number): number =>
    histogram.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3)
  let logged = STOOD_STILL_S
  const looking = setInterval(() => {
    const worst = seconds(histogram.max)
    if (worst <= logged) return
    logged = worst
    log.warn('The host was blocked', { seconds: worst })
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
