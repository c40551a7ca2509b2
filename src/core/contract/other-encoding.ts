import type { Contract } from './types.ts'

/**
 * What is wrong with a contract that was saved as UTF-16, and the remedy; `null` where it was not. Its text has a zero beside each letter,
 * so that nothing in it is a task: it is no contract without tasks, and a heartbeat that took it for one would forget them all.
 */
export function encodingProblem({ tasks }: Pick<Contract, 'tasks'>, text: string): string | null {
  if (tasks.length > 0 || !text.includes('\0')) return null
  return 'HEARTBEAT.md seems to be saved as UTF-16, so that no task can be read. Save it as UTF-8.'
}
