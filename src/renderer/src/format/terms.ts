/** Our own words, each explained in one sentence, the same everywhere. Interventions stand here by their types. */
export const TERMS = {
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
  no_files_detected: 'The agent ended well and files were expected, and no file changed.',
  evidence_validation_failed: 'Files or references that the agent named are missing or say something else.',
  false_completion_detected:
    'The agent said it was done, and nothing was written, changed or measured to have moved.',
  mid_stream_prompt_injected: 'A correction went into the agent’s running session.',
  agent_reinforced: 'What was found earlier stood in the agent’s prompt as feedback.',
  contract_weakened: 'The contract or the configuration asked for less after the agent had run.',
  protected_files_changed: 'Tests, checks or other protected files were deleted or asked for less.',
  permission_denied: 'The agent was refused a tool that it asked for.',
  stalled: 'The agent ran for a long time without printing anything.',
} as const

export type TermName = keyof typeof TERMS
