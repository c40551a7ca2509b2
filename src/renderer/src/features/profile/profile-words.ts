import type { AgentProfile } from '../../../../api/schemas/agent.ts'
import { counted } from '../../format/counted.ts'

/** What the line about an agent says; `breaker` is its state in words. */
export interface ProfileWords {
  readonly iterations: string
  readonly falseCompletions: string
  readonly breaker: { readonly state: 'closed' | 'open' | 'tripped'; readonly words: string }
}

/** The profile in words; the breaker has tripped where the workspace waits for a review. */
export function profileWords(profile: AgentProfile, suspended: boolean): ProfileWords {
  const state = suspended ? 'tripped' : profile.intervention_threshold_exceeded ? 'open' : 'closed'
  const words = {
    closed: 'closed',
    open: 'open, its prompts carry a strict reminder',
    tripped: 'tripped, waiting for your review',
  }[state]
  return {
    iterations:
      profile.total_iterations === 0 ? 'has not run yet' : counted(profile.total_iterations, 'iteration'),
    falseCompletions:
      profile.false_completion_count === 0
        ? 'no false completion'
        : counted(profile.false_completion_count, 'false completion'),
    breaker: { state, words },
  }
}
