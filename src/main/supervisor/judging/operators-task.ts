import { runnableTasks } from '../../../core/contract/parse.ts'
import type { TaskDefinition } from '../../../core/contract/types.ts'
import type { ContractReader } from '../../ports/contract-reader.ts'
import type { CycleContext } from '../cycle-context.ts'

/** The tasks as the operator left them, by id. */
export async function operatorsTasks(
  contracts: Pick<ContractReader, 'parse'>,
  text: string,
): Promise<ReadonlyMap<string, TaskDefinition>> {
  return new Map(runnableTasks(await contracts.parse(text)).map((task) => [task.id, task]))
}

/**
 * What the operator says of a task: what an agent has added to it is none of his words, so it neither allows a file to be changed nor
 * reaches a judge. Of a task that an agent added nothing is left but what there is to do.
 */
export function operatorsTask(
  { operatorsTasks: known }: Pick<CycleContext, 'operatorsTasks'>,
  task: TaskDefinition,
): TaskDefinition {
  return known.get(task.id) ?? { ...task, description: '', criteria: [], mayChange: [] }
}

/** The words of a task: its id, its description and its criteria. */
export function taskText({ id, description, criteria }: TaskDefinition): string {
  return [id, description, ...criteria.map(({ text }) => text)].join('\n')
}

/** What the operator wrote of a task, checks included, in which they may name a file or folder. */
export function namingText(task: TaskDefinition): string {
  return [taskText(task), task.verify, ...task.criteria.map(({ verify }) => verify ?? '')].join('\n')
}
