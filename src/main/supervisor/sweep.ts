import pLimit from 'p-limit'
import { RequestProblem } from '../../api/request-problem.ts'
import { parseHint } from '../../core/contract/hint.ts'
import { parseContract, runnableTasks } from '../../core/contract/parse.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import { isBlocked } from '../../core/cycle/progress.ts'
import type { EventOf } from '../../core/record/events.ts'
import { taskHistory } from '../../core/record/fold-task-history.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import type { CycleContext } from './cycle-context.ts'
import { measure } from './measure.ts'
import type { WorkspacePorts } from './workspace-ports.ts'

/** What a sweep found of one blocked task; `holds: null` where its hint could not be measured, with the reason. */
export type SweptTask = EventOf<'blocked-swept'>['results'][number]

/** Hints measured at the same time: each may run a command, and the agent's turn waits for all. */
const MEASURED_AT_ONCE = 4
/** As long as the state keeps it, so that a finding is not taken for the one before. */
const MAX_REASON_LENGTH = 300

/**
 * Verifies the blocked tasks again without running an agent, by what their hints measure now, and answers with what it found
 * of each, in the order of the contract. Findings are recorded only where they differ from the last ones. Never rejects for
 * what a hint or probe does; once `signal` is aborted nothing is recorded.
 */
export async function sweepBlocked(
  context: Pick<CycleContext, 'ports' | 'tasks' | 'verifier' | 'probeNames' | 'signal'>,
): Promise<readonly SweptTask[]> {
  const { ledger } = context.ports
  const blocked = context.tasks.filter((task) => {
    const { tasks } = ledger.state.progress
    const progress = Object.hasOwn(tasks, task.id) ? tasks[task.id] : undefined
    return progress !== undefined && isBlocked(progress)
  })
  const limit = pLimit(MEASURED_AT_ONCE)
  const found = await Promise.all(blocked.map((task) => limit(() => sweepTask(context, task))))
  const news = found.filter(({ taskId, holds, reason }) => {
    const { swept } = taskHistory(ledger.state, taskId)
    return swept === null || swept.holds !== holds || swept.reason !== reason
  })
  if (news.length > 0 && !context.signal.aborted) {
    await ledger.append({ type: 'blocked-swept', results: news })
  }
  return found
}

/** Sweeps on demand, outside a cycle. Rejects with a `RequestProblem` where the contract cannot be read. */
export async function sweepNow(
  ports: WorkspacePorts,
  config: WorkspaceConfig,
  signal: AbortSignal,
): Promise<readonly SweptTask[]> {
  const file = await ports.readContract()
  if (!file.ok) throw new RequestProblem('unprocessable', file.reason)
  const probeNames = Object.keys(config.probes)
  const tasks = runnableTasks(parseContract(file.text, { probeNames }))
  return sweepBlocked({ ports, tasks, verifier: ports.createVerifier(config), probeNames, signal })
}

async function sweepTask(
  { verifier, probeNames, signal }: Pick<CycleContext, 'verifier' | 'probeNames' | 'signal'>,
  task: TaskDefinition,
): Promise<SweptTask> {
  const found = (holds: boolean | null, reason: string): SweptTask => ({
    taskId: task.id,
    holds,
    reason: reason.slice(0, MAX_REASON_LENGTH),
  })
  const hint = parseHint(task.verify, probeNames)
  switch (hint.kind) {
    case 'broken':
      return found(null, `\`${hint.source}\` cannot be measured: ${hint.reason}`)
    case 'words':
      return found(null, `\`${hint.source}\` measures nothing: it is judged by what the agent did`)
    case 'probe':
      return found(null, `\`${hint.source}\` cannot be measured without a claim to hold against it`)
    case 'expression': {
      // Without an attempt there is no difference, and `!changed(…)` would hold of every one.
      if (hint.functions.includes('changed')) {
        return found(null, `\`${hint.source}\` asks what an attempt changed, and a sweep makes none`)
      }
      const { expression } = await measure(verifier, hint, null, probeNames, [], signal)
      if (expression?.kind !== 'value') {
        return found(null, `\`${hint.source}\` could not be measured: ${expression?.reason ?? 'no result'}`)
      }
      return found(expression.holds, `\`${hint.source}\` ${expression.holds ? 'holds now' : 'does not hold'}`)
    }
  }
}
