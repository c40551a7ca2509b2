import { withModel } from '../../../core/agents/with-model.ts'
import type { TaskDefinition } from '../../../core/contract/types.ts'
import type { CycleContext } from '../cycle-context.ts'
import { judgeTasks } from '../judging/judge-states.ts'

/**
 * Returns the ids of tasks whose `when:` is false now: this heartbeat leaves them alone without scoring. Conditions of tasks in `excess`,
 * and of checked ones that this heartbeat has not opened, are not evaluated; a task whose condition cannot be measured is tried.
 */
export async function waitingTasks(
  context: CycleContext,
  excess: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const { tasks } = context.ports.ledger.state.progress
  const isClosed = (id: string): boolean => Object.hasOwn(tasks, id) && tasks[id]?.status === 'verified'
  const asked = context.tasks.filter(
    ({ id, when, checked }) => when !== null && !(checked && isClosed(id)) && !excess.has(id),
  )
  const judged = await judgeTasks(context, 'condition', asked)
  return new Set(asked.filter((_task, at) => judged[at]?.verdict === 'not_verified').map(({ id }) => id))
}

/** Returns the context for running these tasks, with the model that their lines ask for, which is the same for all of them. */
export function withModelOf(context: CycleContext, [first]: readonly TaskDefinition[]): CycleContext {
  const model = first?.model ?? null
  if (model === null) return context
  const { ports } = context
  const config = { ...context.config, agent: withModel(context.config.agent, model) }
  return { ...context, config, agent: ports.createAgent(config) }
}
