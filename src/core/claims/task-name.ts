import { slugify } from '../contract/task-line.ts'

/** Whether a text names a task: its id standing by itself, for the id `a` is no part of "and". False for an empty id. */
export function namesTask(text: string, taskId: string): boolean {
  return taskId !== '' && wholeName(taskId).test(text)
}

/** The text with `replacement` for each place at which it names the task. */
export function replaceName(text: string, taskId: string, replacement: string): string {
  return taskId === '' ? text : text.replace(wholeName(taskId), () => replacement)
}

function wholeName(taskId: string): RegExp {
  const literal = taskId.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'gu')
}

/** The one of `taskIds` that a report's `task_id` means; undefined where it means none of them. */
export function namedTask(named: string, taskIds: readonly string[]): string | undefined {
  const slug = slugify(named)
  return taskIds.find((id) => slugify(id) === slug)
}
