import type { Breaker } from '../../../../core/read-model/agent.ts'
import { counted } from '../../format/counted.ts'

export const BREAKER_TITLES: Readonly<Record<Breaker['state'], string>> = {
  closed: 'OK',
  open: 'Warning',
  tripped: 'Tripped',
}

/** What the state means for the agent, in a sentence. */
export const BREAKER_EFFECTS: Readonly<Record<Breaker['state'], string>> = {
  closed: 'Its prompts contain no warning.',
  open: 'Every prompt carries a final warning.',
  tripped: 'The workspace is suspended until you review it and resume.',
}

/** Describes what leads to the next step, as a sentence. */
export function nextStepInWords({ state, next, thresholds, windowIterations }: Breaker): string {
  if (thresholds === null) return 'It is off: interventions are off, or no configuration is in effect.'
  if (next === null || state === 'tripped') return 'Resuming or resetting starts the count at zero.'
  const noFiles =
    next.noFiles === 1
      ? '1 more attempt that changes no file'
      : `${next.noFiles} more attempts that change no file`
  const step = next.state === 'tripped' ? 'It trips and suspends the workspace' : 'It warns the agent'
  return `${step} after ${noFiles} within ${windowIterations} heartbeats, or ${counted(next.falseCompletions, 'more false claim')}.`
}

/** Returns the counts with their limits, which a count can exceed; empty if there are none. */
export function countsInWords({
  noFiles,
  falseCompletions,
  thresholds,
  windowIterations,
}: Breaker): string[] {
  if (thresholds === null) return []
  return [
    `${counted(noFiles, 'attempt')} that changed no file in the last ${windowIterations} heartbeats (limit ${thresholds.noFiles})`,
    `${counted(falseCompletions, 'false claim')} since the count started (limit ${thresholds.falseCompletions})`,
  ]
}
