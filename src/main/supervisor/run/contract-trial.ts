import pLimit from 'p-limit'
import { RequestProblem } from '../../../api/request-problem.ts'
import type { DryRun, HintTrial, PromptPreview } from '../../../api/schemas/contract-trial.ts'
import { parseHint } from '../../../core/contract/hint.ts'
import { parseContract, runnableTasks } from '../../../core/contract/parse.ts'
import type { Contract, TaskDefinition } from '../../../core/contract/types.ts'
import { initCycleProgress, openTasks } from '../../../core/cycle/progress.ts'
import { waitingNotes } from '../../../core/record/fold-notes.ts'
import { resolveStanding } from '../../../core/scoring/standing.ts'
import { describeHintTrial } from '../../../core/verification/hint-trial.ts'
import type { ProbeReading } from '../../../core/verification/types.ts'
import { showValue } from '../../../core/verification/values.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Verifier } from '../../ports/verifier.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'
import { measure } from '../judging/measure.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'
import { composePrompt } from './compose-prompt.ts'
import { planRunTimeout } from './plan-timeout.ts'
import { composeRunFeedback } from './reinforce.ts'

/** Tries out a contract before it counts: no agent runs and nothing is recorded. If `text` is omitted, uses the current file. */
export interface ContractTrial {
  preview(taskId: string, text: string | undefined): Promise<PromptPreview>
  tryHint(taskId: string, text: string | undefined): Promise<HintTrial>
  dryRun(text: string | undefined): Promise<DryRun>
}

/** How many checks are measured at the same time: each may run a command. */
const MEASURED_AT_ONCE = 4
/** For all checks of one request together, because the caller waits for the answer. */
const TRIAL_TIMEOUT_MS = 60_000

interface TrialContext {
  readonly config: WorkspaceConfig
  readonly probeNames: readonly string[]
  readonly text: string
  readonly contract: Contract
  readonly tasks: readonly TaskDefinition[]
}

/**
 * `approved` returns the configuration in effect, or throws a `RequestProblem` if there is none; only its probes and
 * commands are ever run. `stopping` aborts running measurements.
 */
export function createContractTrial(
  ports: WorkspacePorts,
  approved: () => WorkspaceConfig,
  stopping: AbortSignal,
): ContractTrial {
  const limit = pLimit(MEASURED_AT_ONCE)

  async function open(text: string | undefined): Promise<TrialContext> {
    const config = approved()
    const file = text === undefined ? await ports.readContract() : { ok: true as const, text }
    if (!file.ok) throw new RequestProblem('unprocessable', file.reason)
    const probeNames = Object.keys(config.probes)
    const contract = await ports.contracts.parse(file.text, { probeNames })
    return { config, probeNames, text: file.text, contract, tasks: runnableTasks(contract) }
  }

  async function tryAll(context: TrialContext, tasks: readonly TaskDefinition[]): Promise<HintTrial[]> {
    const verifier = ports.createVerifier(context.config)
    const tooLong = AbortSignal.timeout(TRIAL_TIMEOUT_MS)
    const signal = AbortSignal.any([stopping, tooLong])
    return Promise.all(
      tasks.map((task) => limit(() => tryTask(context, verifier, task, signal, ports.clock))),
    )
  }

  return {
    preview: async (taskId, text) => {
      const context = await open(text)
      return previewPrompt(ports, context, findTask(context, taskId))
    },
    tryHint: async (taskId, text) => {
      const context = await open(text)
      const [trial] = await tryAll(context, [findTask(context, taskId)])
      if (trial === undefined) throw new Error('A trial of one task has one result')
      return trial
    },
    dryRun: async (text) => {
      const context = await open(text)
      return { tasks: await tryAll(context, context.tasks) }
    },
  }
}

/** Returns a dry run for a folder that is not a workspace yet: the operator has seen the configuration whose probes this runs. */
export async function tryContractOut(
  text: string,
  config: WorkspaceConfig,
  verifier: Verifier,
  clock: Clock,
): Promise<DryRun> {
  const limit = pLimit(MEASURED_AT_ONCE)
  const signal = AbortSignal.timeout(TRIAL_TIMEOUT_MS)
  const probeNames = Object.keys(config.probes)
  const tasks = runnableTasks(parseContract(text, { probeNames }))
  const trials = tasks.map((task) =>
    limit(() => tryTask({ config, probeNames }, verifier, task, signal, clock)),
  )
  return { tasks: await Promise.all(trials) }
}

function findTask({ tasks }: TrialContext, taskId: string): TaskDefinition {
  const task = tasks.find(({ id }) => id === taskId)
  if (task !== undefined) return task
  throw new RequestProblem(
    'not-found',
    `The contract has no task ${JSON.stringify(taskId)}; it has ${tasks.map(({ id }) => id).join(', ') || 'none'}.`,
  )
}

/** Returns the prompt that the next cycle would compose if it began with this contract. */
function previewPrompt(ports: WorkspacePorts, context: TrialContext, task: TaskDefinition): PromptPreview {
  const { config, tasks } = context
  const { state } = ports.ledger
  const progress = initCycleProgress(tasks, state.progress, { reopened: new Set([task.id]) })
  const open = new Set([
    task.id,
    ...openTasks(
      progress,
      tasks.map(({ id }) => id),
    ),
  ])
  const inRun = config.heartbeat.session === 'cycle' ? tasks.filter(({ id }) => open.has(id)) : [task]
  const taskIds = inRun.map(({ id }) => id)
  const timeout = planRunTimeout(inRun, state, config.adaptiveTimeout)
  const standing = resolveStanding(state.score, state.rules, config.heartbeat.intervalMinutes)
  const prompt = composePrompt(
    {
      workspaceName: ports.name,
      state,
      progress,
      config,
      contract: context.contract,
      contractText: context.text,
      forceAllRequired: standing.forceAllRequired,
      cycle: state.progress.cycleCount + 1,
      timeoutSeconds: timeout.seconds,
      feedback: composeRunFeedback({ ports, config }, taskIds).text,
      notes: waitingNotes(state, taskIds),
      probeNames: context.probeNames,
    },
    inRun,
  )
  return { prompt, taskIds, timeoutSeconds: timeout.seconds }
}

async function tryTask(
  { config, probeNames }: Pick<TrialContext, 'config' | 'probeNames'>,
  verifier: Verifier,
  task: TaskDefinition,
  signal: AbortSignal,
  clock: Clock,
): Promise<HintTrial> {
  const startedMs = clock.monotonicMs()
  const hint = parseHint(task.verify, probeNames)
  const now = await measure(verifier, hint, signal)
  const durationMs = Math.round(clock.monotonicMs() - startedMs)
  const words = describeHintTrial(hint, now, config.judge !== null)
  return {
    taskId: task.id,
    line: task.line,
    hint: { kind: hint.kind, source: hint.source },
    probes: now.probes.map(probeTrial),
    ...words,
    durationMs,
  }
}

function probeTrial(reading: ProbeReading): HintTrial['probes'][number] {
  return reading.kind === 'value'
    ? { name: reading.name, value: showValue(reading.value), reason: null }
    : { name: reading.name, value: null, reason: reading.reason }
}
