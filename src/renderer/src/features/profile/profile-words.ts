import type { AgentLine } from '../../../../core/read-model/agent.ts'
import { counted } from '../../format/counted.ts'

/** What the line about an agent says. */
export interface ProfileWords {
  readonly iterations: string
  readonly falseCompletions: string
  readonly breaker: string
}

const BREAKER_WORDS: Readonly<Record<AgentLine['breaker']['state'], string>> = {
  closed: 'closed',
  open: 'open, its prompts carry a strict reminder',
  tripped: 'tripped, waiting for your review',
}

/** Profile and circuit breaker in words. */
export function profileWords({ profile, breaker }: AgentLine): ProfileWords {
  const { total_iterations: iterations, false_completion_count: falseCompletions } = profile
  return {
    iterations: iterations === 0 ? 'has not run yet' : counted(iterations, 'iteration'),
    falseCompletions:
      falseCompletions === 0 ? 'no false completion' : counted(falseCompletions, 'false completion'),
    breaker: BREAKER_WORDS[breaker.state],
  }
}
