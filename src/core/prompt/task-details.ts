import type { TaskDefinition } from '../contract/types.ts'

/**
 * Returns the lines below a task's line in the contract, as written: continuation text and criteria. Empty if there are none.
 * `contractText` is the text the task was parsed from. Leaves out all checks: the task line's, and a criterion's own.
 */
export function taskDetails(task: TaskDefinition, contractText: string): string {
  const below = withoutHints(task, contractText)
  return below.replace(/^\r?\n/, '').trimEnd()
}

function withoutHints({ range, itemRange, criteria }: TaskDefinition, contractText: string): string {
  let text = ''
  let at = range.end.offset
  for (const { verify, hintRange } of criteria) {
    if (verify === null || hintRange === null) continue
    text += contractText.slice(at, hintRange.start.offset)
    at = hintRange.end.offset
  }
  return text + contractText.slice(at, itemRange.end.offset)
}
