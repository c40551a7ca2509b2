import { setTimeout as sleep } from 'node:timers/promises'
import { RequestProblem } from '../../api/request-problem.ts'
import type { Place } from '../ports/slots.ts'

/** Limits how many heartbeats may run at the same time. */
export interface Slots {
  /** Runs `work` once it has a place; rejects with a `RequestProblem` if `signal` aborts before that. */
  run<T>(work: () => Promise<T>, place: Place): Promise<T>
  /** Lets due work run; work requested by hand could already run. */
  open(): void
  resize(size: number): void
  /** Lets nothing start until the returned function is called; `null` if something is running. */
  hold(): (() => void) | null
}

interface Waiting extends Place {
  readonly begin: () => void
}

/** Random delay for queued heartbeats, because several hundred starting together slow a machine down. */
const SPREAD_MS = 100

/**
 * Lets heartbeats start: first those that the operator requested, then the longest overdue. Closed until opened, so that nothing runs
 * before the host answers and it is known which workspaces were due first.
 */
export function createSlots(size: number): Slots {
  const waiting = new Set<Waiting>()
  let running = 0
  let places = size
  let isOpen = false
  let isHeld = false

  const fill = (): void => {
    while (running < places && !isHeld) {
      const next = mostUrgent([...waiting].filter(({ dueMs }) => isOpen || dueMs === null))
      if (next === undefined) return
      waiting.delete(next)
      running += 1
      next.begin()
    }
  }

  return {
    run: async (work, place) => {
      const hadToWait = await waitForPlace(waiting, place, fill)
      try {
        // Spread out, so that many due heartbeats don't start together.
        if (hadToWait && place.dueMs !== null) {
          await sleep(Math.random() * SPREAD_MS, undefined, { signal: place.signal }).catch(() => undefined)
        }
        return await work()
      } finally {
        running -= 1
        fill()
      }
    },
    open: () => {
      isOpen = true
      fill()
    },
    resize: (newSize) => {
      places = newSize
      fill()
    },
    hold: () => {
      if (running > 0 || isHeld) return null
      isHeld = true
      return () => {
        isHeld = false
        fill()
      }
    },
  }
}

/** Resolves once there is a place, with whether it had to wait. */
function waitForPlace(waiting: Set<Waiting>, place: Place, fill: () => void): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let isAtOnce = true
    const give = (): void => {
      waiting.delete(entry)
      reject(new RequestProblem('conflict', 'Pulseward is stopping.'))
    }
    const entry: Waiting = {
      ...place,
      begin: () => {
        place.signal.removeEventListener('abort', give)
        resolve(!isAtOnce)
      },
    }
    if (place.signal.aborted) return give()
    place.signal.addEventListener('abort', give, { once: true })
    waiting.add(entry)
    fill()
    isAtOnce = false
  })
}

function mostUrgent(waiting: readonly Waiting[]): Waiting | undefined {
  let first: Waiting | undefined
  for (const one of waiting) if (first === undefined || orderOf(one) < orderOf(first)) first = one
  return first
}

function orderOf({ dueMs }: Place): number {
  return dueMs ?? Number.NEGATIVE_INFINITY
}
