import type { AgentEvent } from '../../../core/activity/types.ts'

export interface CallWatch {
  /** Call this for each event from the agent's program. */
  heard(event: AgentEvent): void
  /** Whether a tool call was begun or still open at a moment (`performance.now()`), or since. */
  hasCalledSince(ms: number): boolean
}

/** Calls that never end must not fill the memory. */
const MAX_OPEN = 1000

/** Watches when the agent's tool calls begin and end. Uses real time, because the process is real. */
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
