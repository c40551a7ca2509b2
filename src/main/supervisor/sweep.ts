import pLimit from 'p-limit'
import { RequestProblem } from '../../api/request-problem.ts'
import { parseHint } from '../../core/contract/hint.ts'
import { hintsOf } from '../../core/contract/hints-of.ts'
import { runnableTasks } from '../../core/contract/parse.ts'
import { quoteCriterion } from '../../core/contract/quote-criterion.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import { isBlocked } from '../../core/cycle/progress.ts'
import type { EventOf } from '../../core/record/events.ts'
import { taskHistory } from '../../core/record/fold-task-history.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { askAsInBase, disputedPaths, disputedSources, holds, measureHints } from './as-in-base.ts'
import type { CycleContext } from './cycle-context.ts'
import { measure } from './measure.ts'
import { operatorsTasks } from './operators-task.ts'
import type { WorkspacePorts } from './workspace-ports.ts'

/** What a sweep found of one blocked task; `holds: null` where its hint could not be measured, with the reason. */
export type SweptTask = EventOf<'blocked-swept'>['results'][number]

type SweepContext = Pick<
  CycleContext,
  'ports' | 'config' | 'tasks' | 'operatorsTasks' | 'verifier' | 'probeNames' | 'signal'
>

/** Hints measured at the same time: each may run a command, and the agent's turn waits for all. */
const MEASURED_AT_ONCE = 4
/** As long as the state keeps it, so that a finding is not taken for the one before. */
const MAX_REASON_LENGTH = 300

/**
 * Verifies the blocked tasks again without running an agent, by what their hints measure now, and answers with what it
 * found of each, in the order of the contract. Findings are recorded only where they differ from the last ones. Never
 * rejects for what a hint or probe does; once `signal` is aborted nothing is recorded.
 */
export async function sweepBlocked(context: SweepContext): Promise<readonly SweptTask[]> {
  const { ledger } = context.ports
  const blocked = context.tasks.filter((task) => {
    const { tasks } = ledger.state.progress
    const progress = Object.hasOwn(tasks, task.id) ? tasks[task.id] : undefined
    return progress !== undefined && isBlocked(progress)
  })
  const limit = pLimit(MEASURED_AT_ONCE)
  const inPlace = await Promise.all(blocked.map((task) => limit(() => sweepTask(context, task))))
  const found = await withoutRigged(context, blocked, inPlace)
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

/** What holds in place only, by what agents changed of its check, is no reason to say that it is done. */
async function withoutRigged(
  context: SweepContext,
  tasks: readonly TaskDefinition[],
  inPlace: readonly SweptTask[],
): Promise<readonly SweptTask[]> {
  if (!inPlace.some((found) => found.holds)) return inPlace
  const { ports, config, probeNames, signal } = context
  const all = await ports.custody.look(config)
  // While no agent runs, what came about since is the operator's own.
  const differences = all.filter(({ attemptId }) => attemptId !== null || ports.ledger.state.running !== null)
  const reaching = await ports.custody.reaching()
  const found: SweptTask[] = []
  for (const [index, one] of inPlace.entries()) {
    const task = tasks[index]
    if (one.holds !== true || task === undefined) {
      found.push(one)
      continue
    }
    const sources = disputedSources(context, task, reaching)
    const paths = disputedPaths(context, task, differences)
    const holdsInBase =
      paths.length === 0 ||
      (await askAsInBase(context, paths, async (verifier) => {
        const measured = await measureHints({ verifier, probeNames, signal }, task)
        return measured?.measurements.every(holds) ?? false
      })) === true
    found.push(holdsInBase && sources.length === 0 ? one : riggedSweep(task, [...paths, ...sources]))
  }
  return found
}

function riggedSweep(task: TaskDefinition, paths: readonly string[]): SweptTask {
  const hints = hintsOf(task).map((hint) => `\`${hint}\``)
  const hold = hints.length === 1 ? 'holds' : 'hold'
  const reason = `${hints.join(' and ')} ${hold} only with what an attempt changed of the check: ${paths.slice(0, 5).join(', ')}`
  return { taskId: task.id, holds: false, reason: reason.slice(0, MAX_REASON_LENGTH) }
}

/**
 * The task is done where its own hint and those of its criteria hold: the first that does not, or cannot say, decides.
 */
async function sweepTask(
  context: Pick<CycleContext, 'verifier' | 'probeNames' | 'signal'>,
  task: TaskDefinition,
): Promise<SweptTask> {
  const own = await sweepHint(context, task.verify)
  let open = own.holds === true ? null : own
  for (const { text, verify } of task.criteria) {
    if (open !== null) break
    if (verify === null) continue
    const found = await sweepHint(context, verify)
    if (found.holds !== true)
      open = { ...found, reason: `criterion ${quoteCriterion(text)}: ${found.reason}` }
  }
  const { holds, reason } = open ?? own
  return { taskId: task.id, holds, reason: reason.slice(0, MAX_REASON_LENGTH) }
}

async function sweepHint(
  { verifier, probeNames, signal }: Pick<CycleContext, 'verifier' | 'probeNames' | 'signal'>,
  source: string,
): Promise<Pick<SweptTask, 'holds' | 'reason'>> {
  const hint = parseHint(source, probeNames)
  const untold = (why: string) => ({ holds: null, reason: `\`${hint.source}\` ${why}` })
  switch (hint.kind) {
    case 'broken':
      return untold(`cannot be measured: ${hint.reason}`)
    case 'words':
      return untold('measures nothing: it is judged by what the agent did')
    case 'probe':
      return untold('cannot be measured without a claim to hold against it')
    case 'expression': {
      // Without an attempt there is no difference, and `!changed(…)` would hold of every one.
      if (hint.functions.includes('changed'))
        return untold('asks what an attempt changed, and a sweep makes none')
      const { expression } = await measure(verifier, hint, null, probeNames, [], signal)
      if (expression?.kind !== 'value')
        return untold(`could not be measured: ${expression?.reason ?? 'no result'}`)
      const { holds } = expression
      return { holds, reason: `\`${hint.source}\` ${holds ? 'holds now' : 'does not hold'}` }
    }
  }
}
