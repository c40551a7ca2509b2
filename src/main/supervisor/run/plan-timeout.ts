import type { TaskDefinition } from '../../../core/contract/types.ts'
import { planNextTimeout } from '../../../core/record/next-timeout.ts'
import type { Ledger } from '../../ports/ledger.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'
import type { RunTimeout } from '../cycle-context.ts'

/** Returns the timeout of one run: that of its only task, or the sum over all its tasks. */
export function planRunTimeout(
  tasks: readonly TaskDefinition[],
  state: Ledger['state'],
  rules: WorkspaceConfig['adaptiveTimeout'],
): RunTimeout {
  const plans = tasks.map((task) => planNextTimeout(task, state, rules))
  const levels = new Map(tasks.map((task, index) => [task.id, plans[index]?.level ?? 'medium']))
  const [only, ...others] = plans
  if (only !== undefined && others.length === 0) return { seconds: only.seconds, reason: only.reason, levels }
  if (!rules.enabled && plans.every((plan) => plan.source === 'fixed'))
    return { seconds: rules.modeTimeoutSeconds, reason: 'fixed, for all tasks of the run', levels }
  const seconds = plans.reduce((sum, plan) => sum + plan.seconds, 0)
  return { seconds, reason: `the sum over the ${plans.length} tasks of the run`, levels }
}
