import type { Breaker } from '../../../../core/read-model/agent.ts'
import { counted } from '../../format/counted.ts'

export const BREAKER_TITLES: Readonly<Record<Breaker['state'], string>> = {
  closed: 'Closed',
  open: 'Open',
  tripped: 'Tripped',
}

/** What the state means for the agent, in a sentence. */
export const BREAKER_EFFECTS: Readonly<Record<Breaker['state'], string>> = {
  closed: 'Its prompts carry no warning.',
  open: 'Every prompt carries a final warning.',
  tripped: 'The workspace is suspended until you have looked and lift the suspension.',
}

/** What it would take for the next step, in a sentence. */
export function nextStepInWords({ state, next, thresholds, windowIterations }: Breaker): string {
  if (thresholds === null) return 'Nothing asks it: interventions are off, or no configuration is in force.'
  if (next === null || state === 'tripped') return 'It counts anew once you lift the suspension or reset it.'
  const noFiles =
    next.noFiles === 1
      ? '1 more attempt that changes no file'
      : `${next.noFiles} more attempts that change no file`
  const step = next.state === 'tripped' ? 'trips, and suspends the workspace,' : 'opens'
  return `It ${step} with ${noFiles} within ${windowIterations} iterations, or ${counted(next.falseCompletions, 'more false completion')}.`
}

/** How far the counts have come towards their thresholds; nothing where there are none. */
export function countsInWords({
  noFiles,
  falseCompletions,
  thresholds,
  windowIterations,
}: Breaker): string[] {
  if (thresholds === null) return []
  return [
    `${noFiles} of ${thresholds.noFiles} attempts that changed no file within the last ${windowIterations} iterations`,
    `${falseCompletions} of ${thresholds.falseCompletions} false completions since it was last closed`,
  ]
}
