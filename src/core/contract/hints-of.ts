import type { TaskDefinition } from './types.ts'

/** All that a task is checked by: its own hint, then those of its criteria that have one. Pure; never throws. */
export function hintsOf({ verify, criteria }: TaskDefinition): readonly string[] {
  return [verify, ...criteria.flatMap((criterion) => criterion.verify ?? [])]
}
