import { INTERVENTION_ROWS, type InterventionType } from '../../../core/vocabulary/intervention.ts'

/** Our own words, each explained in one sentence, the same everywhere. */
const OWN_TERMS = {
  heartbeat: 'One round: Pulseward runs the agent on every open task and then checks what it says.',
  target: 'The average of the good days among the last seven, and never less than the floor.',
  floor: 'The highest target so far: the target never falls below it.',
  standing: 'What today’s score means for the next heartbeat: how soon it comes and what the agent is told.',
  contradiction: 'The agent claimed something that a measurement shows to be untrue.',
  probe: 'A named way, approved by you, to read a real value: a command, a file or a URL.',
  blocked: 'A task that failed and has no attempts left: it waits until it is given new ones.',
  complexity: 'How heavy the work is by the words of the task; the timeout of an attempt goes by it.',
  breaker:
    'Opens when the agent keeps changing nothing or claiming too much: its prompts then carry a strict reminder, and if that does not help, the workspace is suspended for your review.',
} as const

export type TermName = keyof typeof OWN_TERMS | InterventionType

/** What the term means, in one sentence. */
export function meaningOf(name: TermName): string {
  return name in OWN_TERMS
    ? OWN_TERMS[name as keyof typeof OWN_TERMS]
    : INTERVENTION_ROWS[name as InterventionType].meaning
}
