import { setImmediate } from 'node:timers/promises'

/** How long work may block the event loop before it yields. */
const TURN_MS = 12

/** Lets long work yield to the event loop from time to time. */
export interface LoopYielder {
  /** True once the work has blocked the loop long enough. Call it once per item; most calls are cheap and need no promise. */
  readonly isDue: () => boolean
  /** Resolves after everything that waited for the event loop has run. */
  readonly yield: () => Promise<void>
}

/** Returns a yielder for loops over an agent's files, so that one large workspace does not block the others. */
export function createYielder(): LoopYielder {
  let begunMs = performance.now()
  let asked = 0
  return {
    // Reading the clock for each of 200,000 items would cost more than processing most of them.
    isDue: () => (++asked & 63) === 0 && performance.now() - begunMs > TURN_MS,
    yield: async () => {
      await setImmediate()
      begunMs = performance.now()
    },
  }
}
