import type { TaskDefinition } from '../contract/types.ts'
import { withAskedModes, withoutEmbedded, withoutRemoved } from '../verification/difference.ts'
import type { FileDifference } from '../verification/types.ts'
import type { AskedTask } from './case.ts'

/** Returns the words of a task: its id, its description and its criteria. */
export function wordsOf({ id, description, criteria }: AskedTask): string {
  return [id, description, ...criteria.map(({ text }) => text)].join('\n')
}

/** What the operator wrote about a task, checks included, because they may name a file or folder too. */
type WrittenTask = Pick<TaskDefinition, 'id' | 'description' | 'criteria' | 'mayChange' | 'verify'>

function namingWords(task: WrittenTask): string {
  return [wordsOf(task), task.verify, ...task.criteria.map(({ verify }) => verify ?? '')].join('\n')
}

/** Returns the part of a run's difference that counts for one of its tasks, by the operator's wording. */
export function differenceForTask(difference: FileDifference, task: WrittenTask): FileDifference {
  return withoutEmbedded(withAskedModes(difference, wordsOf(task)), namingWords(task))
}

/**
 * Returns the part of a run's difference that may have weakened protected files: everything except removed embedded repositories that
 * neither a task of the run nor a protected pattern names.
 */
export function guardedDifference(
  difference: FileDifference,
  tasks: readonly WrittenTask[],
  patterns: readonly string[],
): FileDifference {
  return withoutEmbedded(withoutRemoved(difference), [...tasks.map(namingWords), ...patterns].join('\n'))
}
