import { parseHint } from '../contract/hint.ts'
import type { TaskDefinition } from '../contract/types.ts'

/** Returns the names of the values that a task's checks compare with what the agent reports: those that are a bare, configured probe. */
export function reportedValues(
  { verify, criteria }: Pick<TaskDefinition, 'verify' | 'criteria'>,
  probeNames: readonly string[],
): readonly string[] {
  const hints = [verify, ...criteria.map((criterion) => criterion.verify)]
  const names = hints.flatMap((hint) => {
    const parsed = hint === null ? null : parseHint(hint, probeNames)
    return parsed?.kind === 'probe' && probeNames.includes(parsed.name) ? [parsed.source.trim()] : []
  })
  return [...new Set(names)]
}
