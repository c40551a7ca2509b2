import { INTERVENTION_ROWS, type InterventionType } from '../../../core/vocabulary/intervention.ts'

/** Pulseward's own terms, each explained in one sentence, used everywhere. */
const OWN_TERMS = {
  heartbeat: 'One scheduled run: Pulseward runs the agent on every open task, then checks its claims.',
  target: 'The average of the good days among the last seven, and never less than the floor.',
  floor: 'The highest target so far: the target never falls below it.',
  standing: 'What today’s score means for the next heartbeat: how soon it comes and what the agent is told.',
  contradiction: 'The agent claimed something that a measurement contradicts.',
  probe: 'A named way, approved by you, to read a real value: a command, a file or a URL.',
  blocked: 'A task that has used up its attempts: it waits until you unblock it.',
  complexity: 'How heavy the work is, judged by the words of the task. It sets the timeout of an attempt.',
  false_claim: 'A contradiction, or a claim to be done that the check did not confirm.',
  breaker:
    'Warns the agent in its prompts when it keeps changing nothing or making false claims; if that does not help, it suspends the workspace for your review.',
} as const

export type TermName = keyof typeof OWN_TERMS | InterventionType

/** Explains the term in one sentence. */
export function meaningOf(name: TermName): string {
  return name in OWN_TERMS
    ? OWN_TERMS[name as keyof typeof OWN_TERMS]
    : INTERVENTION_ROWS[name as InterventionType].meaning
}
