import type { AcceptanceCriterion, TaskDefinition } from './types.ts'

/** What a task is checked by, of a parsed or a recorded one. */
interface CheckedTask extends Pick<TaskDefinition, 'verify'> {
  readonly criteria: readonly Pick<AcceptanceCriterion, 'verify'>[]
}

/** The check that a task rests on, as a text that is another one as soon as its hint or a criterion's is. */
export function checkOf({ verify, criteria }: CheckedTask): string {
  return JSON.stringify([verify, criteria.map((criterion) => criterion.verify)])
}
