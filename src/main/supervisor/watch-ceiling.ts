import { newestUsage } from '../../core/activity/collect.ts'
import type { AgentEvent, AgentUsage } from '../../core/activity/types.ts'
import { type AttemptCeiling, ceilingReached } from '../../core/record/budget.ts'
import type { AgentRun } from '../ports/agent-runner.ts'

export interface CeilingWatch {
  /** The agent's program told an event. */
  heard(event: AgentEvent): void
  /** Aborts once a ceiling is reached, and with `signal`. */
  readonly signal: AbortSignal
  /** The run as it ended, where it was this that ended it. */
  readonly ended: (run: AgentRun) => AgentRun
}

/**
 * Ends a run as soon as its program reports that it has used what one attempt may: what it reports comes after each answer of its
 * model, so that at most one more is paid for. What it used counts all the same.
 */
export function watchCeiling(ceiling: AttemptCeiling, signal: AbortSignal): CeilingWatch {
  const reached = new AbortController()
  let used: AgentUsage | null = null
  let words: string | null = null
  return {
    heard: (event) => {
      if (event.kind !== 'usage' || words !== null) return
      used = newestUsage(used, event.usage)
      words = ceilingReached(ceiling, used)
      if (words !== null) reached.abort()
    },
    signal: AbortSignal.any([signal, reached.signal]),
    ended: (run) =>
      words === null || run.outcome !== 'cancelled' || signal.aborted
        ? run
        : {
            ...run,
            outcome: 'budget',
            reason: `It was ended at what one attempt may use: ${words}.`,
            remedy: null,
          },
  }
}
