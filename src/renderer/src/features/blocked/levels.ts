import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { COMPLEXITY_LEVELS, type ComplexityLevel } from '../../../../core/vocabulary/complexity.ts'

/** Returns the kinds of work among the blocked tasks, heaviest first, with the count of each. */
export function blockedLevels(
  tasks: readonly BlockedTask[],
): { readonly level: ComplexityLevel; readonly count: number }[] {
  return COMPLEXITY_LEVELS.toReversed()
    .map((level) => ({ level, count: tasks.filter((task) => task.level === level).length }))
    .filter(({ count }) => count > 0)
}
