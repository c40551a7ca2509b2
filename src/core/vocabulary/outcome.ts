import { z } from 'zod'

/**
 * How a run of the agent ended, whatever it did. `stopped`: by the operator or at shutdown; `budget`: the run, or the day, used
 * up its budget.
 */
export const OUTCOMES = [
  'completed',
  'timeout',
  'error',
  'denied',
  'unavailable',
  'stopped',
  'budget',
] as const

export type Outcome = (typeof OUTCOMES)[number]

export const outcomeSchema = z.enum(OUTCOMES)

/** For people, within a sentence about the run. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  completed: 'ran to its end',
  timeout: 'timed out',
  error: 'ended with an error',
  denied: 'was refused a tool',
  unavailable: 'could not run',
  stopped: 'was stopped',
  budget: 'was stopped by the budget',
}

/** How a runner reports the end of its run; `cancelled`: by us, for a reason that the supervisor knows. */
export type RunEnding = Exclude<Outcome, 'stopped'> | 'cancelled'
