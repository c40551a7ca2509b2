import type { TaskDefinition } from '../contract/types.ts'
import { withAskedModes, withoutEmbedded, withoutRemoved } from '../verification/difference.ts'
import type { FileDifference } from '../verification/types.ts'
import type { AskedTask } from './case.ts'

/** Returns the words of a task: its id, its description and its criteria. */
export function wordsOf({ id, description, criteria }: AskedTask): string {
  return [id, description, ...criteria.map(({ text }) => text)].join('\n')
}

/** What the operator wrote of a task, checks included: they may name a file or folder in it. */
type WrittenTask = Pick<TaskDefinition, 'id' | 'description' | 'criteria' | 'mayChange' | 'verify'>

function namingWords(task: WrittenTask): string {
  return [wordsOf(task), task.verify, ...task.criteria.map(({ verify }) => verify ?? '')].join('\n')
}

/** Returns what of a run's difference counts for one of its tasks, in the operator's words. */
export function differenceForTask(difference: FileDifference, task: WrittenTask): FileDifference {
  return withoutEmbedded(withAskedModes(difference, wordsOf(task)), namingWords(task))
}

/**
 * Returns what of a run's difference may have weakened protected files: everything but embedded repositories that are gone, or that
 * neither a task of the run nor a pattern of protected files names.
 */
export function guardedDifference(
  difference: FileDifference,
  tasks: readonly WrittenTask[],
  patterns: readonly string[],
): FileDifference {
  return withoutEmbedded(withoutRemoved(difference), [...tasks.map(namingWords), ...patterns].join('\n'))
}
