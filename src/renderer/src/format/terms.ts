/** Our own words, each explained in one sentence, the same everywhere. */
export const TERMS = {
  heartbeat: 'One round: Pulseward runs the agent on every open task and then checks what it says.',
  target: 'The average of the good days among the last seven, and never less than the floor.',
  floor: 'The highest target so far: the target never falls below it.',
  standing: 'What today’s score means for the next heartbeat: how soon it comes and what the agent is told.',
  contradiction: 'The agent claimed something that a measurement shows to be untrue.',
  probe: 'A named way, approved by you, to read a real value: a command, a file or a URL.',
} as const

export type TermName = keyof typeof TERMS
