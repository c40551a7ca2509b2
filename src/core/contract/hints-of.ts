import type { TaskDefinition } from './types.ts'

/** Returns all checks of a task: its own, then those of its criteria. Pure; never throws. */
export function hintsOf({ verify, criteria }: TaskDefinition): readonly string[] {
  return [verify, ...criteria.flatMap((criterion) => criterion.verify ?? [])]
}
