import { runnableTasks } from '../../../core/contract/parse.ts'
import type { TaskDefinition } from '../../../core/contract/types.ts'
import type { ContractReader } from '../../ports/contract-reader.ts'
import type { CycleContext } from '../cycle-context.ts'

/** The operator's versions of the tasks, by id. */
export async function operatorsTasks(
  contracts: Pick<ContractReader, 'parse'>,
  text: string,
): Promise<ReadonlyMap<string, TaskDefinition>> {
  return new Map(runnableTasks(await contracts.parse(text)).map((task) => [task.id, task]))
}

/**
 * Returns the operator's version of a task. What an agent added to it is not the operator's, so it can't allow a file to be changed and
 * never reaches a judge. A task that an agent added loses its description, criteria and `mayChange`.
 */
export function operatorsTask(
  { operatorsTasks: known }: Pick<CycleContext, 'operatorsTasks'>,
  task: TaskDefinition,
): TaskDefinition {
  return known.get(task.id) ?? { ...task, description: '', criteria: [], mayChange: [] }
}
