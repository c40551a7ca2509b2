import { withModel } from '../../../core/agents/with-model.ts'
import type { TaskDefinition } from '../../../core/contract/types.ts'
import type { CycleContext } from '../cycle-context.ts'
import { judgeTasks } from '../judging/judge-states.ts'

/**
 * Ids of the tasks whose `when:` is false now: they are left alone by this heartbeat, and nothing is scored. Whether it is true is
 * not asked of those of `excess`; a task of which it cannot be told is tried.
 */
export async function waitingTasks(
  context: CycleContext,
  excess: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const asked = context.tasks.filter(({ id, when, checked }) => when !== null && !checked && !excess.has(id))
  const judged = await judgeTasks(context, 'condition', asked)
  return new Set(asked.filter((_task, at) => judged[at]?.verdict === 'not_verified').map(({ id }) => id))
}

/** The context in which these tasks are run: with the model that their line asks for, which is one for all of them. */
export function withModelOf(context: CycleContext, [first]: readonly TaskDefinition[]): CycleContext {
  const model = first?.model ?? null
  if (model === null) return context
  const { ports } = context
  const config = { ...context.config, agent: withModel(context.config.agent, model) }
  return { ...context, config, agent: ports.createAgent(config) }
}
