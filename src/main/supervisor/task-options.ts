import { withModel } from '../../core/agents/with-model.ts'
import { parseHint } from '../../core/contract/hint.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import type { CycleContext } from './cycle-context.ts'
import { measure } from './measure.ts'

/**
 * Ids of the tasks whose `when:` does not hold now: they are left alone by this heartbeat, and nothing is scored. One that cannot be
 * measured is tried: a broken probe must not silence the supervisor. Those of `leftAlone` are not asked.
 */
export async function waitingTasks(
  context: CycleContext,
  leftAlone: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const { tasks, probeNames, verifier, signal } = context
  const waits = tasks.map(async ({ id, when, checked }) => {
    if (when === null || checked || leftAlone.has(id)) return []
    const hint = parseHint(when, probeNames)
    // What an attempt changed cannot be asked before it.
    if (hint.kind !== 'expression' || hint.functions.includes('changed')) return []
    const { expression } = await measure(verifier, hint, null, probeNames, [], signal)
    return expression?.kind === 'value' && !expression.holds ? [id] : []
  })
  return new Set((await Promise.all(waits)).flat())
}

/** The context in which these tasks are run: with the model that their line asks for, which is one for all of them. */
export function withModelOf(context: CycleContext, [first]: readonly TaskDefinition[]): CycleContext {
  const model = first?.model ?? null
  if (model === null) return context
  const { ports } = context
  const config = { ...context.config, agent: withModel(context.config.agent, model) }
  return { ...context, config, agent: ports.createAgent(config) }
}
