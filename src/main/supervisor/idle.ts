import { checkOf } from '../../core/contract/check-of.ts'
import { parseHint } from '../../core/contract/hint.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { askAsInBase, disputedPaths, disputedSources, holds, isGreen, measureHints } from './as-in-base.ts'
import { knownReports, lostTests } from './base-reports.ts'
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
  if (expression.holds || (await holdsWithoutAgents(ports, config, when, signal)) || signal.aborted)
    return false
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
 * by still holds now. What only an attempt can answer (words, a value to be claimed, `changed()`) cannot hold by itself, and what holds
 * only by what an agent did to the check since is no reason to rest.
 */
export async function stillVerifiedTasks(context: CycleContext): Promise<readonly string[]> {
  const { config, ports, tasks, verifier, signal } = context
  if (!config.heartbeat.skipIfVerified) return []
  const { contract, progress } = ports.ledger.state
  const candidates = tasks.filter(
    (task) => !task.checked && progress.tasks[task.id]?.status === 'verified' && isUnchanged(task, contract),
  )
  const measured = await Promise.all(candidates.map((task) => measureHints(context, task)))
  const holding = measured.flatMap((one) => (one?.measurements.every(holds) ? [one] : []))
  if (holding.length === 0) return []
  const gates = await verifier.runGates(signal)
  if (!gates.every(isGreen) || (await ports.custody.dependencies()).length > 0) return []
  if ((await ports.custody.outside()).length > 0) return []
  const differences = await ports.custody.look()
  const reaching = await ports.custody.reaching()
  const base = await knownReports(context)
  const still: string[] = []
  for (const { task, measurements } of holding) {
    const [after, ...criteria] = measurements
    const seen = criteria.map((each) => ({ after: each }))
    if (after === undefined || lostTests(base, { after, criteria: seen, gates }).length > 0) continue
    if (disputedSources(context, task, reaching).length > 0) continue
    const disputed = disputedPaths(context, task, differences)
    if (disputed.length === 0 || (await holdsAsInBase(context, task, disputed))) still.push(task.id)
  }
  return still
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

/** Where no room can be made, the agent is run: its attempt says why. */
async function holdsAsInBase(
  context: CycleContext,
  task: TaskDefinition,
  disputed: readonly string[],
): Promise<boolean> {
  const { probeNames, signal } = context
  const answer = await askAsInBase(context, disputed, async (verifier) => {
    const measured = await measureHints({ verifier, probeNames, signal }, task)
    if (measured === null || !measured.measurements.every(holds)) return false
    return (await verifier.runGates(signal)).every(isGreen)
  })
  return answer === true
}

/**
 * Whether `when` holds with what agents changed of its check as in the base: an agent that silences it is not to silence the supervisor.
 * Where no room can be made the heartbeat runs.
 */
export async function holdsWithoutAgents(
  ports: WorkspacePorts,
  config: WorkspaceConfig,
  when: string,
  signal: AbortSignal,
): Promise<boolean> {
  const differing = (await ports.custody.look(config)).filter(({ attemptId }) => attemptId !== null)
  if (differing.length === 0) return false
  const probeNames = Object.keys(config.probes)
  const paths = differing.map(({ path }) => path)
  const answer = await askAsInBase({ ports, config, signal }, paths, (verifier) =>
    measure(verifier, parseHint(when, probeNames), null, probeNames, [], signal),
  )
  return answer?.expression?.kind !== 'value' || answer.expression.holds
}
