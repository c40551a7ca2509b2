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

/** Marks around a name, and a number, box or bullet before it. */
const MARKS = /^[\s`"'*„“”]+|[\s`"'*„“”]+$/g
const BEFORE = /^(?:[-*+•]\s+)?(?:\[[ xX]\]\s+)?(?:\d{1,3}[.)]\s+)?/

/**
 * The one of `taskIds` that a report's `task_id` means; undefined where it means none of them. Its own name comes first; else it is
 * looked for without marks and numbering, and where there is one task only, with its description behind a colon or dash.
 */
export function namedTask(named: string, taskIds: readonly string[]): string | undefined {
  const isOf =
    (slug: string): ((id: string) => boolean) =>
    (id) =>
      slugify(id.normalize()) === slug
  const name = named.normalize()
  const bare = slugify(name.slice(0, 300).replace(MARKS, '').replace(BEFORE, '').replace(MARKS, ''))
  const found = taskIds.find(isOf(slugify(name))) ?? taskIds.find(isOf(bare))
  const [only, ...others] = taskIds
  if (found !== undefined || only === undefined || others.length > 0) return found
  const slug = slugify(only.normalize())
  return slug !== '' && bare.startsWith(slug) && /^[`"'*]*_?[:|–—-]_/.test(bare.slice(slug.length))
    ? only
    : undefined
}
