import { slugify } from '../contract/task-line.ts'

/** Returns whether a text names a task: its id as a separate word, so that the id `a` is not found in "and". False for an empty id. */
export function namesTask(text: string, taskId: string): boolean {
  return taskId !== '' && wholeName(taskId).test(text)
}

/** Replaces every mention of the task in the text with `replacement`. */
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
 * Returns the member of `taskIds` that a report's `task_id` means; undefined if none. Tries an exact match, then one without marks and
 * numbering, and for a single task one followed by its description after a colon or dash.
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
