import type { Clock } from '../ports/clock.ts'

interface Sleeper {
  readonly wakeMs: number
  readonly wake: () => void
}

/** A clock that advances only when a test says so. */
export interface SimulatedClock extends Clock {
  /** Moves time forward by `ms`, waking each sleeper when its time comes and letting its work settle in between. */
  advance(ms: number): Promise<void>
  /** Moves only the wall clock, as when a machine sleeps: sleepers whose time has come by then wake late. */
  jump(ms: number): Promise<void>
  /** Lets the machine sleep: the wall clock advances and timers don't. */
  suspend(ms: number): void
  /** Sets the wall clock back, like a time server: sleepers wake after the same time as they would have. */
  setBack(ms: number): void
  /** Resolves once something sleeps again: everything started by the last step has settled. */
  sleeping(): Promise<void>
}

export function createSimulatedClock(startMs: number): SimulatedClock {
  let wallMs = startMs
  let monotonicMs = 0
  let sleepers: readonly Sleeper[] = []
  let waiting: (() => void)[] = []

  const remove = ({ wake }: Sleeper): void => {
    sleepers = sleepers.filter((candidate) => candidate.wake !== wake)
  }
  const sleeping = (): Promise<void> =>
    sleepers.length > 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))

  const wakeNext = async (untilMs: number): Promise<boolean> => {
    const next = [...sleepers].sort((a, b) => a.wakeMs - b.wakeMs)[0]
    if (next === undefined || next.wakeMs > untilMs) return false
    monotonicMs += Math.max(0, next.wakeMs - wallMs)
    wallMs = Math.max(wallMs, next.wakeMs)
    remove(next)
    next.wake()
    await sleeping()
    return true
  }

  /** Sleepers wake after the same time as they would have. */
  const moveWall = (ms: number): void => {
    wallMs += ms
    sleepers = sleepers.map(({ wakeMs, wake }) => ({ wakeMs: wakeMs + ms, wake }))
  }

  return {
    nowMs: () => wallMs,
    monotonicMs: () => monotonicMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve()
        const sleeper: Sleeper = {
          wakeMs: wallMs + ms,
          wake: () => {
            signal?.removeEventListener('abort', onAbort)
            resolve()
          },
        }
        const onAbort = (): void => {
          remove(sleeper)
          resolve()
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        sleepers = [...sleepers, sleeper]
        for (const wake of waiting.splice(0)) wake()
        waiting = []
      }),
    sleeping,
    advance: async (ms) => {
      const untilMs = wallMs + ms
      await sleeping()
      while (await wakeNext(untilMs)) {
        // Each sleeper's work settles before the next one wakes.
      }
      monotonicMs += Math.max(0, untilMs - wallMs)
      wallMs = untilMs
    },
    suspend: (ms) => moveWall(ms),
    setBack: (ms) => moveWall(-ms),
    jump: async (ms) => {
      await sleeping()
      wallMs += ms
      monotonicMs += ms
      await wakeNext(wallMs)
    },
  }
}
