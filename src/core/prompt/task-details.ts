import type { TaskDefinition } from '../contract/types.ts'

/**
 * What stands below a task's line in the contract, as written: continuation text and criteria. Empty where there is nothing.
 * `contractText` is the text the task was parsed from. The task line itself, with its hint, is not part of it.
 */
export function taskDetails(task: TaskDefinition, contractText: string): string {
  const below = contractText.slice(task.range.end.offset, task.itemRange.end.offset)
  return below.replace(/^\r?\n/, '').trimEnd()
}
