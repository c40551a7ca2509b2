import type { AgentLine } from '../../../../core/read-model/agent.ts'
import { counted } from '../../format/counted.ts'

/** The text of the line about an agent. */
export interface ProfileWords {
  readonly iterations: string
  readonly falseCompletions: string
  readonly breaker: string
}

const BREAKER_WORDS: Readonly<Record<AgentLine['breaker']['state'], string>> = {
  closed: 'OK',
  open: 'warning: its prompts contain a final warning',
  tripped: 'tripped, waiting for your review',
}

/** Describes profile and circuit breaker in words. */
export function profileWords({ profile, breaker }: AgentLine): ProfileWords {
  const { total_iterations: iterations, false_completion_count: falseCompletions } = profile
  return {
    iterations: iterations === 0 ? 'has not run yet' : counted(iterations, 'heartbeat'),
    falseCompletions: falseCompletions === 0 ? 'no false claim' : counted(falseCompletions, 'false claim'),
    breaker: BREAKER_WORDS[breaker.state],
  }
}
