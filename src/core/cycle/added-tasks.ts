import { openTasks } from './progress.ts'
import type { CycleProgress } from './types.ts'

/** How many tasks are tried per heartbeat among those that agents added and the operator has not accepted. No one asked for them. */
export const MAX_ADDED_TASKS = 20

/** Returns the ids out of `added` that this heartbeat skips. The ones it tries are those never tried, or tried longest ago. */
export function excessTasks(progress: CycleProgress, added: ReadonlySet<string>): ReadonlySet<string> {
  const triedMs = (id: string): number => Date.parse(progress.tasks[id]?.lastAttemptAt ?? '') || 0
  const open = openTasks(progress, [...added])
  return new Set(open.toSorted((one, other) => triedMs(one) - triedMs(other)).slice(MAX_ADDED_TASKS))
}
