import { setTimeout as sleep } from 'node:timers/promises'
import { RequestProblem } from '../../api/request-problem.ts'
import type { Place } from '../ports/slots.ts'

/** The places of the heartbeats that may run at once. */
export interface Slots {
  /** Runs `work` once it has a place; rejects with a `RequestProblem` where `signal` aborts before. */
  run<T>(work: () => Promise<T>, place: Place): Promise<T>
  /** Lets due work run; what was requested by hand could already run. */
  open(): void
  resize(size: number): void
  /** Lets nothing begin until what it answers with is called; `null` where something runs. */
  hold(): (() => void) | null
}

interface Waiting extends Place {
  readonly begin: () => void
}

/** Between two heartbeats that waited for one another: several hundred at once is what a machine feels. */
const SPREAD_MS = 100

/**
 * Gives places to heartbeats: first what the operator asked for, then what has been due the longest. Closed until opened, so that
 * nothing runs before the host answers and the workspaces that were due first are known.
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
        // Not all in the same moment, where many are due.
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

/** Resolves with whether others were before it. */
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
