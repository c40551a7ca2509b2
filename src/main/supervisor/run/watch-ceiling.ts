import { newestUsage } from '../../../core/activity/collect.ts'
import { type ModelPrice, withEstimate } from '../../../core/activity/prices.ts'
import type { AgentEvent, AgentUsage } from '../../../core/activity/types.ts'
import type { AgentRun } from '../../ports/agent-runner.ts'

export interface CeilingWatch {
  /** The agent's program told an event. */
  heard(event: AgentEvent): void
  /** Aborts once a ceiling is reached, and with `signal`. */
  readonly signal: AbortSignal
  /** The run as it ended, its tokens priced, and named as what it is where it was this that ended it. */
  readonly ended: (run: AgentRun) => AgentRun
  /** Nothing is watched any more, however the run ended. */
  readonly leave: () => void
}

export interface CeilingOptions {
  /** Of the model that the program names; `null`: it names none. */
  readonly priceOf: (model: string | null) => ModelPrice | null
  /** Told with each report of usage; answers which ceiling is reached, `null`: none. */
  readonly used: (used: AgentUsage) => ReachedCeiling | null
  /** Whether a limit of the day is reached, by what others use as well. */
  readonly dayReached: () => ReachedCeiling | null
  /** Calls `listener` whenever others may have used more; answers with the way to end that. */
  readonly onOthers: (listener: () => void) => () => void
}

export interface ReachedCeiling {
  /** What is used of what, without a full stop. */
  readonly words: string
  /** It is the day's, not the attempt's own. */
  readonly isOfTheDay: boolean
}

/**
 * Ends a run as soon as its program reports that it has used what it may: what it reports comes after each answer of its model, so that
 * at most one more is paid for. What it used counts anyway.
 */
export function watchCeiling(options: CeilingOptions, signal: AbortSignal): CeilingWatch {
  const { priceOf } = options
  const over = new AbortController()
  let used: AgentUsage | null = null
  let model: string | null = null
  let found: ReachedCeiling | null = null
  const end = (now: ReachedCeiling | null): void => {
    if (now === null || found !== null) return
    found = now
    over.abort()
  }
  const leave = options.onOthers(() => end(options.dayReached()))
  // Others may have used up the day since this run was decided on.
  end(options.dayReached())
  return {
    heard: (event) => {
      if (event.kind === 'session') model = event.model ?? model
      if (event.kind !== 'usage') return
      used = newestUsage(used, event.usage)
      end(options.used(withEstimate(used, priceOf(model))))
    },
    signal: AbortSignal.any([signal, over.signal]),
    ended: (run) => {
      leave()
      const priced = withPrice(run, priceOf)
      if (found === null || run.outcome !== 'cancelled' || signal.aborted) return priced
      const { words, isOfTheDay } = found
      return {
        ...priced,
        outcome: 'budget',
        reason: `It was ended at what ${isOfTheDay ? 'a day' : 'one attempt'} may use: ${words}.`,
        remedy: null,
        ...(isOfTheDay && { dayLimit: `${words}.` }),
      }
    },
    leave,
  }
}

function withPrice(run: AgentRun, priceOf: CeilingOptions['priceOf']): AgentRun {
  const { activity } = run
  if (activity == null || activity.usage === null) return run
  return {
    ...run,
    activity: { ...activity, usage: withEstimate(activity.usage, priceOf(activity.model)) },
  }
}
