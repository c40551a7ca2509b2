import type { AskedTask } from './case.ts'

/** Returns the words of a task: its id, its description and its criteria. */
export function wordsOf({ id, description, criteria }: AskedTask): string {
  return [id, description, ...criteria.map(({ text }) => text)].join('\n')
}
