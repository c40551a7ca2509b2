import { RequestProblem } from '../../../api/request-problem.ts'
import { runnableTasks } from '../../../core/contract/parse.ts'
import { isBlocked } from '../../../core/cycle/progress.ts'
import type { Judgement } from '../../../core/judgement/judgement.ts'
import type { EventOf } from '../../../core/record/events.ts'
import { taskHistory } from '../../../core/record/fold-task-history.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'
import type { CycleContext } from '../cycle-context.ts'
import { judgeTasks } from '../judging/judge-states.ts'
import { operatorsTasks } from '../judging/operators-task.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

/** What a sweep found for one blocked task; `holds: null` if its check could not be measured, with the reason. */
export type SweptTask = EventOf<'blocked-swept'>['results'][number]

type SweepContext = Pick<
  CycleContext,
  'ports' | 'config' | 'tasks' | 'operatorsTasks' | 'verifier' | 'probeNames' | 'signal'
>

/** As long as the state keeps it, so that a changed finding is recognized as new. */
const MAX_REASON_LENGTH = 300

/**
 * Verifies the blocked tasks again by measuring their checks, without running an agent. Returns its findings in the order of the contract.
 * Records findings only if they differ from the last ones. Never rejects because of a check or probe; once `signal` is aborted, nothing is
 * recorded.
 */
export async function sweepBlocked(context: SweepContext): Promise<readonly SweptTask[]> {
  const { ledger } = context.ports
  const blocked = context.tasks.filter((task) => {
    const { tasks } = ledger.state.progress
    const progress = Object.hasOwn(tasks, task.id) ? tasks[task.id] : undefined
    return progress !== undefined && isBlocked(progress)
  })
  const judged = await judgeTasks(context, 'done', blocked)
  const found = blocked.flatMap(({ id }, at) => sweptTask(id, judged[at]))
  const news = found.filter(({ taskId, holds, reason }) => {
    const { swept } = taskHistory(ledger.state, taskId)
    return swept === null || swept.holds !== holds || swept.reason !== reason
  })
  if (news.length > 0 && !context.signal.aborted) {
    await ledger.append({ type: 'blocked-swept', results: news })
  }
  return found
}

/** Sweeps on demand, outside a cycle. Rejects with a `RequestProblem` if the contract cannot be read. */
export async function sweepNow(
  ports: WorkspacePorts,
  config: WorkspaceConfig,
  signal: AbortSignal,
): Promise<readonly SweptTask[]> {
  const file = await ports.readContract()
  if (!file.ok) throw new RequestProblem('unprocessable', file.reason)
  const probeNames = Object.keys(config.probes)
  const tasks = runnableTasks(await ports.contracts.parse(file.text, { probeNames }))
  return sweepBlocked({
    ports,
    config,
    tasks,
    operatorsTasks: await operatorsTasks(ports.contracts, file.operatorsText ?? file.text),
    verifier: ports.createVerifier(config),
    probeNames,
    signal,
  })
}

/** Only a verdict says whether a check passes; unclear means that it could not be measured. */
const HOLDS = { verified: true, not_verified: false, unclear: null } as const

function sweptTask(taskId: string, judged: Judgement | undefined): SweptTask[] {
  if (judged === undefined) return []
  const [reason = ''] = judged.reasons
  return [{ taskId, holds: HOLDS[judged.verdict ?? 'unclear'], reason: reason.slice(0, MAX_REASON_LENGTH) }]
}
