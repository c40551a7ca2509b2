import { setImmediate } from 'node:timers/promises'

/** How long work goes on before it lets others have the loop. */
const TURN_MS = 12

/** Lets long work be done in turns. */
export interface Turns {
  /** Whether this turn has lasted long enough; asked once for each thing done, so that most cost no promise. */
  readonly isOver: () => boolean
  /** Resolves when everybody else has had a turn. */
  readonly next: () => Promise<void>
}

/** For work on as many things as an agent leaves behind: no workspace makes the others wait. */
export function takeTurns(): Turns {
  let begunMs = performance.now()
  let asked = 0
  return {
    // Looking at the clock for each of 200,000 things would cost more than most of them.
    isOver: () => (++asked & 63) === 0 && performance.now() - begunMs > TURN_MS,
    next: async () => {
      await setImmediate()
      begunMs = performance.now()
    },
  }
}
