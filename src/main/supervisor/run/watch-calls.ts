import type { AgentEvent } from '../../../core/activity/types.ts'

export interface CallWatch {
  /** The agent's program told an event. */
  heard(event: AgentEvent): void
  /** Whether a tool call was begun, or was still open, at a moment (`performance.now()`) or since. */
  hasCalledSince(ms: number): boolean
}

/** A program that never ends its calls must not fill the memory. */
const MAX_OPEN = 1000

/** Watches when the agent's tool calls are begun and ended. The time is real: it is a process that works. */
export function watchCalls(): CallWatch {
  const open = new Set<string>()
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    heard: (event) => {
      if (event.kind !== 'edit' && event.kind !== 'command' && event.kind !== 'tool') return
      if (event.callId === null) {
        lastMs = performance.now()
        return
      }
      if (event.status !== 'started') {
        open.delete(event.callId)
        lastMs = performance.now()
        return
      }
      if (!open.has(event.callId)) lastMs = performance.now()
      if (open.size < MAX_OPEN) open.add(event.callId)
    },
    hasCalledSince: (ms) => open.size > 0 || lastMs >= ms,
  }
}
