import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Log } from '../ports/log.ts'

/** Hands each live event to all who listen. */
export interface EventHub {
  emit(event: LiveEvent): void
  subscribe(listener: (event: LiveEvent) => void): () => void
  listenerCount(): number
}

/** A listener that throws is logged and kept; the others still get the event. */
export function createEventHub(log: Log): EventHub {
  const listeners = new Set<(event: LiveEvent) => void>()
  return {
    emit: (event) => {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          log.error('A listener of live events failed', { event: event.type, error: String(error) })
        }
      }
    },
    listenerCount: () => listeners.size,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
