import { newestUsage } from '../../../core/activity/collect.ts'
import { type ModelPrice, withEstimate } from '../../../core/activity/prices.ts'
import type { AgentEvent, AgentUsage } from '../../../core/activity/types.ts'
import type { AgentRun } from '../../ports/agent-runner.ts'

export interface CeilingWatch {
  /** Call this for each event from the agent's program. */
  heard(event: AgentEvent): void
  /** Aborts once a ceiling is reached, or with `signal`. */
  readonly signal: AbortSignal
  /** Returns the finished run with its tokens priced, and marked as over budget if the ceiling ended it. */
  readonly ended: (run: AgentRun) => AgentRun
  /** Stops watching, however the run ended. */
  readonly leave: () => void
}

export interface CeilingOptions {
  /** Returns the price of the model that the program names; `null`: it names none. */
  readonly priceOf: (model: string | null) => ModelPrice | null
  /** Called with each usage report; returns the ceiling that is reached, `null` if none. */
  readonly used: (used: AgentUsage) => ReachedCeiling | null
  /** Returns the daily limit that is reached, including what others use. */
  readonly dayReached: () => ReachedCeiling | null
  /** Calls `listener` whenever others may have used more; returns a function that stops this. */
  readonly onOthers: (listener: () => void) => () => void
}

export interface ReachedCeiling {
  /** How much of what limit is used, without a final period. */
  readonly words: string
  /** Whether it is a daily limit, not the attempt's own. */
  readonly isOfTheDay: boolean
}

/**
 * Ends a run as soon as its program reports that it has used up its limit. Reports come after each answer from its model, so at most one
 * more answer is paid for. What it used still counts.
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
  // Others may have used up the day's limit since this run was planned.
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
