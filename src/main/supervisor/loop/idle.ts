import { checkOf } from '../../../core/contract/check-of.ts'
import type { TaskDefinition } from '../../../core/contract/types.ts'
import { timestamp } from '../../../core/pacing/schedule.ts'
import type { WorkspaceState } from '../../../core/record/state.ts'
import type { CostMeter } from '../cost-meter.ts'
import type { CycleContext } from '../cycle-context.ts'
import { judgeCondition, judgeTasks } from '../judging/judge-states.ts'
import type { CycleTrigger } from './cycle-trigger.ts'

/**
 * Whether a due heartbeat has nothing to do because `[heartbeat] when` is false; records that. A heartbeat started by hand is never idle,
 * nor is one whose condition cannot be measured: neither a broken probe nor an agent may silence the supervisor.
 */
export async function isIdle(
  context: Pick<CycleContext, 'ports' | 'config' | 'verifier' | 'signal'> & { readonly meter: CostMeter },
  trigger: CycleTrigger,
): Promise<boolean> {
  const { ports, config, signal, meter } = context
  const { when, timezone } = config.heartbeat
  if (when === null || trigger.trigger === 'manual') return false
  const { verdict, reasons } = await judgeCondition(context, when)
  if (verdict === 'unclear')
    ports.log.warn('Could not measure [heartbeat] when; the heartbeat runs', {
      workspace: ports.id,
      when,
      reason: reasons[0],
    })
  if (verdict !== 'not_verified' || signal.aborted) return false
  const dueAt = trigger.dueAt ?? timestamp(ports.clock.nowMs(), timezone ?? 'local')
  const checks = meter.byCheck()
  await ports.ledger.append({
    type: 'heartbeat-skipped',
    dueAt,
    reason: 'idle',
    why: `\`${when}\` is false`,
    ...(checks.length > 0 && { checks }),
  })
  return true
}

/** Returns the tasks that `skip_if_verified` leaves alone: those last verified by the check that they still have, and that still passes. */
export async function stillVerifiedTasks(context: CycleContext): Promise<readonly string[]> {
  const { config, ports, tasks } = context
  if (!config.heartbeat.skipIfVerified) return []
  const { contract, progress } = ports.ledger.state
  const candidates = tasks.filter(
    (task) => !task.checked && progress.tasks[task.id]?.status === 'verified' && isUnchanged(task, contract),
  )
  const judged = await judgeTasks(context, 'still-verified', candidates)
  return candidates.filter((_task, at) => judged[at]?.verdict === 'verified').map(({ id }) => id)
}

/** Whether a heartbeat had no attempts because what was verified still passes. */
export function restsOnVerified({ tasks, ports }: CycleContext): boolean {
  const { progress } = ports.ledger.state
  return tasks.some(({ id, checked }) => !checked && progress.tasks[id]?.status === 'verified')
}

function isUnchanged(task: TaskDefinition, contract: WorkspaceState['contract']): boolean {
  const before = contract?.tasks.find(({ id }) => id === task.id)
  return before !== undefined && checkOf(before) === checkOf(task)
}
