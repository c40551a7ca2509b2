import type { AcceptanceCriterion, TaskDefinition } from './types.ts'

/** The parts of a parsed or recorded task that determine how it is checked. */
interface CheckedTask extends Pick<TaskDefinition, 'verify'> {
  readonly criteria: readonly Pick<AcceptanceCriterion, 'verify'>[]
}

/** Returns everything by which a task is checked as one text, which differs whenever the task's check or a criterion's check differs. */
export function checkOf({ verify, criteria }: CheckedTask): string {
  return JSON.stringify([verify, criteria.map((criterion) => criterion.verify)])
}
