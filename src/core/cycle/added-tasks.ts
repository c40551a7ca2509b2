import { openTasks } from './progress.ts'
import type { CycleProgress } from './types.ts'

/** Of the tasks that agents added, and the operator has not accepted, so many are tried in a heartbeat: nobody has asked for them. */
export const MAX_ADDED_TASKS = 20

/** Ids out of `added` that this heartbeat leaves alone: it tries first what was never tried, or longest ago. */
export function leftAlone(progress: CycleProgress, added: ReadonlySet<string>): ReadonlySet<string> {
  const triedMs = (id: string): number => Date.parse(progress.tasks[id]?.lastAttemptAt ?? '') || 0
  const open = openTasks(progress, [...added])
  return new Set(open.toSorted((one, other) => triedMs(one) - triedMs(other)).slice(MAX_ADDED_TASKS))
}
