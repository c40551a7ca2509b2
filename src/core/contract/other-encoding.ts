import type { Contract } from './types.ts'

/**
 * Returns what is wrong with a contract saved as UTF-16 and how to fix it; otherwise `null`. Its text has a zero byte next to
 * each letter, so no task is found in it. A heartbeat must not take it for a contract without tasks, or it would forget them
 * all.
 */
export function encodingProblem({ tasks }: Pick<Contract, 'tasks'>, text: string): string | null {
  if (tasks.length > 0 || !text.includes('\0')) return null
  return 'HEARTBEAT.md seems to be saved as UTF-16, so no tasks can be read. Save it as UTF-8.'
}
