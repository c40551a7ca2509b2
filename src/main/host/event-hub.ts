import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Log } from '../ports/log.ts'

/** Passes each live event on to all listeners. */
export interface EventHub {
  emit(event: LiveEvent): void
  /** Adds a viewer (a page, a desktop, a command), and returns the function that removes it. */
  subscribe(listener: (event: LiveEvent) => void): () => void
  /** Adds a listener that is part of the host itself. Returns the function that removes it. */
  observe(listener: (event: LiveEvent) => void): () => void
  /** Returns the number of viewers. Parts of the host don't count, because they answer no questions. */
  listenerCount(): number
  /** Open streams by name, with the workspace that each gets in full. */
  readonly watched: Map<string, Watched>
}

export interface Watched {
  /** `null`: it belongs to no workspace. */
  workspace: string | null
}

/** A listener that throws is logged and kept; the others still get the event. */
export function createEventHub(log: Log): EventHub {
  const listeners = new Set<(event: LiveEvent) => void>()
  const observers = new Set<(event: LiveEvent) => void>()
  return {
    emit: (event) => {
      for (const listener of [...observers, ...listeners]) {
        try {
          listener(event)
        } catch (error) {
          log.error('A listener of live events failed', { event: event.type, error: String(error) })
        }
      }
    },
    watched: new Map(),
    listenerCount: () => listeners.size,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    observe: (listener) => {
      observers.add(listener)
      return () => observers.delete(listener)
    },
  }
}
