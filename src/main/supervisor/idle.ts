import { parseHint } from '../../core/contract/hint.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import type { RecordedTask } from '../../core/record/events.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import type { CycleContext } from './cycle-context.ts'
import type { CycleTrigger } from './cycle-trigger.ts'
import { measure } from './measure.ts'
import type { WorkspacePorts } from './workspace-ports.ts'

/**
 * Whether a due heartbeat has nothing to do: `[heartbeat] when` does not hold. That is recorded. What the operator asks for by hand is
 * never idle, and neither is what cannot be measured: a broken probe must not silence the supervisor.
 */
export async function isIdle(
  ports: WorkspacePorts,
  config: WorkspaceConfig,
  trigger: CycleTrigger,
  signal: AbortSignal,
): Promise<boolean> {
  const { when, timezone } = config.heartbeat
  if (when === null || trigger.trigger === 'manual') return false
  const probeNames = Object.keys(config.probes)
  const hint = parseHint(when, probeNames)
  const { expression } = await measure(ports.createVerifier(config), hint, null, probeNames, [], signal)
  if (expression?.kind !== 'value') {
    ports.log.warn('[heartbeat] when cannot be measured; the heartbeat runs', { workspace: ports.id, when })
    return false
  }
  if (expression.holds || signal.aborted) return false
  const dueAt = trigger.dueAt ?? timestamp(ports.clock.nowMs(), timezone ?? 'local')
  await ports.ledger.append({
    type: 'heartbeat-skipped',
    dueAt,
    reason: 'idle',
    why: `\`${when}\` does not hold`,
  })
  return true
}

/**
 * Tasks that `skip_if_verified` leaves alone: verified the last time, by the check that they still have, and all that they are checked
 * by still holds now. What only an attempt can answer (words, a value to be claimed, `changed()`) cannot hold by itself.
 */
export async function stillVerifiedTasks(context: CycleContext): Promise<readonly string[]> {
  const { config, ports, tasks, verifier, signal } = context
  if (!config.heartbeat.skipIfVerified) return []
  const { contract, progress } = ports.ledger.state
  const candidates = tasks.filter(
    (task) => !task.checked && progress.tasks[task.id]?.status === 'verified' && isUnchanged(task, contract),
  )
  const holding = await Promise.all(
    candidates.map(async (task) => ((await holds(context, task)) ? [task] : [])),
  )
  const still = holding.flat()
  if (still.length === 0) return []
  const gates = await verifier.runGates(signal)
  return gates.every(({ status }) => status === 'passed') ? still.map(({ id }) => id) : []
}

/** Whether a heartbeat without an attempt had none because what was verified still holds. */
export function restsOnVerified({ tasks, ports }: CycleContext): boolean {
  const { progress } = ports.ledger.state
  return tasks.some(({ id, checked }) => !checked && progress.tasks[id]?.status === 'verified')
}

function isUnchanged(task: TaskDefinition, contract: WorkspaceState['contract']): boolean {
  const before = contract?.tasks.find(({ id }) => id === task.id)
  return before !== undefined && checkOf(before) === checkOf(task)
}

function checkOf({ verify, criteria }: Pick<TaskDefinition | RecordedTask, 'verify' | 'criteria'>): string {
  return JSON.stringify([verify, criteria.map((criterion) => criterion.verify)])
}

async function holds({ verifier, probeNames, signal }: CycleContext, task: TaskDefinition): Promise<boolean> {
  const hints = [task.verify, ...task.criteria.flatMap(({ verify }) => verify ?? [])].map((source) =>
    parseHint(source, probeNames),
  )
  if (hints.some((hint) => hint.kind !== 'expression' || hint.functions.includes('changed'))) return false
  const measured = await Promise.all(
    hints.map((hint) => measure(verifier, hint, null, probeNames, [], signal)),
  )
  return measured.every(({ expression }) => expression?.kind === 'value' && expression.holds)
}
