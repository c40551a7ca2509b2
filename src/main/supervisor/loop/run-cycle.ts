import { RequestProblem } from '../../../api/request-problem.ts'
import { encodingProblem } from '../../../core/contract/other-encoding.ts'
import { runnableTasks } from '../../../core/contract/parse.ts'
import type { TaskDefinition } from '../../../core/contract/types.ts'
import { excessTasks, MAX_ADDED_TASKS } from '../../../core/cycle/added-tasks.ts'
import { openTasks } from '../../../core/cycle/progress.ts'
import type { AttemptResult, EventBody } from '../../../core/record/events.ts'
import { tasksOnTheirWay } from '../../../core/record/fold-landing.ts'
import { recordedTask } from '../../../core/record/recorded-task.ts'
import { resolveStanding } from '../../../core/scoring/standing.ts'
import { shellCommand } from '../../../core/text/command-words.ts'
import type { EnvironmentFault } from '../../../core/verification/types.ts'
import type { TrustState, WorkspaceConfig } from '../../ports/workspace-config.ts'
import { type CostMeter, startMeter, withMeter } from '../cost-meter.ts'
import type { CycleContext } from '../cycle-context.ts'
import { inTree, isIsolated } from '../isolation.ts'
import type { JudgedRun } from '../judging/judge-run.ts'
import { judgeTasks } from '../judging/judge-states.ts'
import { operatorsTasks } from '../judging/operators-task.ts'
import { takeBase } from '../judging/take-base.ts'
import { isStoppedByOperator } from '../operator-stop.ts'
import { notifyBlocked, notifyLockdown } from '../run/notify-operator.ts'
import { planRunTimeout } from '../run/plan-timeout.ts'
import { stepBreaker } from '../run/reinforce.ts'
import { NOTHING_RAN, runAttempt } from '../run/run-attempt.ts'
import { traceAttempt } from '../trace.ts'
import type { IsolatedTree, WorkspacePorts } from '../workspace-ports.ts'
import { backOff, countUsed, hasHadItsShare } from './back-off.ts'
import {
  type ContradictedTick,
  checkContradicted,
  configFindings,
  reportHollowHints,
  reportLeftAlone,
} from './contract-findings.ts'
import type { CycleTrigger } from './cycle-trigger.ts'
import { isIdle, restsOnVerified, stillVerifiedTasks } from './idle.ts'
import { keepBudget } from './keep-budget.ts'
import { longestCheckMs } from './longest-check.ts'
import { missingGate } from './missing-gate.ts'
import { pruneLogs } from './prune-logs.ts'
import { rollDay } from './roll-day.ts'
import { sweepBlocked } from './sweep.ts'
import { waitingTasks, withModelOf } from './task-options.ts'

type CycleEnding = Extract<EventBody, { type: 'cycle-finished' }>['ending']

export interface CycleReport {
  readonly cycle: number
  readonly attempts: readonly AttemptResult[]
}

/** Time for everything besides the longest check of an attempt. */
const BESIDE_CHECKS_MS = 60_000

/**
 * Runs one cycle of a workspace: reads the contract, opens the tasks, runs the agent on each, judges, records. Rejects with a
 * `RequestProblem` if the cycle cannot begin (not approved, no contract); once begun, it always ends with a recorded `cycle-finished`,
 * whatever the agent does.
 */
export async function runCycle(
  ports: WorkspacePorts,
  trigger: CycleTrigger,
  signal: AbortSignal,
): Promise<CycleReport> {
  const { suspended } = ports.ledger.state
  if (suspended !== null) {
    throw new RequestProblem(
      'conflict',
      `${ports.name} is suspended for manual review: ${suspended.reason}. Look at what the agent did, then run \`pulseward resume\`.`,
    )
  }
  const trust = await ports.refreshTrust()
  const config = approvedConfig(ports, trust)
  const meter = startMeter(ports.clock)
  if (await isIdle(withMeter({ ports, config, signal }, meter), trigger)) {
    return { cycle: ports.ledger.state.progress.cycleCount, attempts: [] }
  }
  const begun = await beginCycle({ ports, config, signal, meter }, trigger)
  const { context } = begun
  const attempts: AttemptResult[] = []
  let ending: CycleEnding = 'completed'
  try {
    await sweepBlocked(begun.measured)
    const alone = excessTasks(ports.ledger.state.progress, context.proposed)
    if (alone.size + context.leftOut > 0) await reportLeftAlone(context)
    const waiting = await waitingTasks(begun.measured, alone)
    const underWay = tasksOnTheirWay(ports.ledger.state.landings)
    ending = await runOpenTasks(begun, trigger, new Set([...waiting, ...alone, ...underWay]), attempts)
    const hasRested = waiting.size + underWay.size > 0 || restsOnVerified(context)
    if (attempts.length === 0 && ending === 'completed' && hasRested) ending = 'idle'
  } catch (error) {
    ending = 'interrupted'
    throw error
  } finally {
    await begun.release()
    ports.lease?.rest()
    const byOperator = isStoppedByOperator(signal)
    if (byOperator && ending === 'completed') ending = 'stopped'
    const checks = meter.byCheck()
    await ports.ledger.append({
      type: 'cycle-finished',
      cycle: context.cycle,
      ending,
      ...(byOperator && { byOperator }),
      ...(checks.length > 0 && { checks }),
    })
  }
  if (ending === 'completed') await keepBudget(context)
  await reportHollowHints(context, attempts)
  notifyLockdown(context)
  notifyBlocked(context, attempts)
  await pruneLogs(ports)
  return { cycle: context.cycle, attempts }
}

/** Runs the agent on the open tasks except those that wait, adds the results to `attempts`, and returns how that ended. */
async function runOpenTasks(
  { context, measured }: BegunCycle,
  trigger: CycleTrigger,
  waiting: ReadonlySet<string>,
  attempts: AttemptResult[],
): Promise<CycleEnding> {
  const { signal } = context
  const round: Round = { attempts, gateMissing: await missingGate(measured, trigger), begun: 0, ending: null }
  const left = round.gateMissing === null ? [...batches(context, waiting)] : []
  // Each lane takes the next batch until none is left, or one of them has ended the heartbeat.
  const lane = async (): Promise<void> => {
    for (let batch = left.shift(); batch !== undefined && round.ending === null; batch = left.shift())
      if (!(await runBatch(context, trigger, batch, round))) return
  }
  const lanes = Array.from({ length: Math.max(1, Math.min(lanesOf(context), left.length)) }, () =>
    lane().catch((error: unknown) => {
      // No lane starts another run; running ones finish first and are recorded.
      round.ending ??= 'interrupted'
      throw error
    }),
  )
  const failed = (await Promise.allSettled(lanes)).find((settled) => settled.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  if (round.ending !== null) return round.ending
  if (round.gateMissing === null || signal.aborted) return 'completed'
  await backOff(context, round.gateMissing)
  return 'environment'
}

/** What the attempts of one heartbeat share. */
interface Round {
  readonly attempts: AttemptResult[]
  gateMissing: EnvironmentFault | null
  /** How many runs were begun. */
  begun: number
  /** Why no further attempt may begin; `null` if it may. */
  ending: CycleEnding | null
}

/** Only separate trees isolate attempts from each other's files. */
function lanesOf({ config, ports }: CycleContext): number {
  return isIsolated(config) && ports.isolation !== undefined ? config.workspace.parallel : 1
}

/** Runs the agent on these tasks, and returns whether the next batch may follow. */
async function runBatch(
  context: CycleContext,
  trigger: CycleTrigger,
  batch: readonly TaskDefinition[],
  round: Round,
): Promise<boolean> {
  const { signal } = context
  const { attempts } = round
  const end = (ending: CycleEnding): false => {
    round.ending ??= ending
    return false
  }
  if (signal.aborted) return end('stopped')
  // An operator who runs a cycle by hand wants it to begin, whatever it costs.
  if ((trigger.trigger !== 'manual' || round.begun > 0) && (await keepBudget(context))) return end('budget')
  // The rest wait for the account's next window; `next` says so.
  if (round.begun > 0 && hasHadItsShare(context)) return false
  if (!(await keepLease(context, batch))) return end('elsewhere')
  const first = round.begun + 1
  round.begun += batch.length
  const { results, environmentFault, gateFault } = await traceAttempt(context, batch, () =>
    runOnce(withModelOf(context, batch), batch, first),
  )
  attempts.push(...results)
  countUsed(context, results)
  // The last attempt with a result decides: an earlier one may have lacked what a later one installed.
  if (gateFault !== null || results.some(({ verdict }) => verdict === 'verified'))
    round.gateMissing = gateFault
  if (environmentFault !== null) {
    // Our own stop is not a fault. Only a real fault backs off and is reported, once for all runs that hit it at the same time.
    const isFirst = round.ending === null
    end(signal.aborted ? 'stopped' : 'environment')
    if (!signal.aborted && isFirst) await backOff(context, environmentFault)
    return false
  }
  return (await stepBreaker(context)) ? end('suspended') : true
}

/** Runs the agent in the folder, or in a separate tree whose verified work then goes to the target. */
async function runOnce(
  context: CycleContext,
  batch: readonly TaskDefinition[],
  first: number,
): Promise<JudgedRun> {
  const { isolation } = context.ports
  if (isolation === undefined || !isIsolated(context.config)) return runAttempt(context, batch, first)
  const tree = await isolation.take(context.config, context.signal).catch((error: unknown) => {
    if (context.signal.aborted) return null
    throw error
  })
  // It was stopped while it waited for a tree.
  if (tree === null) return NOTHING_RAN
  let judged: JudgedRun
  try {
    judged = await runAttempt(inTree(context, tree), batch, first)
    for (const result of judged.results) await isolation.handIn(tree, result)
  } finally {
    await tree.release()
  }
  await isolation.land(context.signal)
  return judged
}

/**
 * Keeps the lease for as long as the attempt and its checks may take: if the host loses the hub during that time, it finishes
 * this attempt alone and begins no other.
 */
async function keepLease(
  { ports, config }: CycleContext,
  batch: readonly TaskDefinition[],
): Promise<boolean> {
  if (ports.lease === undefined) return true
  const { seconds } = planRunTimeout(batch, ports.ledger.state, config.adaptiveTimeout)
  const forMs = seconds * 1000 + longestCheckMs(config) + BESIDE_CHECKS_MS
  const answer = await ports.lease.hold(config.heartbeat, forMs)
  if (answer.kind === 'held') return true
  ports.log.warn('No further attempt begins', { workspace: ports.id, reason: answer.reason })
  return false
}

function approvedConfig(ports: WorkspacePorts, trust: TrustState): WorkspaceConfig {
  switch (trust.kind) {
    case 'approved':
    case 'changed':
      return trust.config
    case 'missing':
      throw new RequestProblem('unprocessable', trust.reason)
    case 'unapproved': {
      const problem = trust.problems[0]
      throw new RequestProblem(
        'conflict',
        problem === undefined
          ? `${ports.directory}/pulseward.toml is not approved yet. Look at its commands, then run \`${shellCommand(['pulseward', 'trust', ports.directory])}\`.`
          : `${ports.directory}/pulseward.toml:${problem.line}:${problem.column}: ${problem.message}`,
      )
    }
  }
}

/** What a heartbeat begins with. */
type Beginning = Pick<CycleContext, 'ports' | 'config' | 'signal'> & { readonly meter: CostMeter }

/** A heartbeat that has begun, and where its checks outside attempts are measured: in the folder, or in a tree at the target. */
interface BegunCycle {
  readonly context: CycleContext
  readonly measured: CycleContext
  readonly release: () => Promise<void>
}

/**
 * Opens a cycle. If attempts use trees, it also gets a tree to measure in, because the folder itself may be dirty, or on another branch.
 */
async function beginCycle(beginning: Beginning, trigger: CycleTrigger): Promise<BegunCycle> {
  const { ports, config, signal } = beginning
  const { isolation } = ports
  if (isolation === undefined || !isIsolated(config)) {
    const context = await openCycle(beginning, trigger, null)
    return { context, measured: context, release: async () => {} }
  }
  await isolation.begin(config)
  await isolation.land(signal)
  const tree = await isolation.take(config, signal)
  try {
    const context = await openCycle(beginning, trigger, tree)
    return { context, measured: inTree(context, tree), release: tree.release }
  } catch (error) {
    await tree.release()
    throw error
  }
}

async function openCycle(
  { ports, config, signal, meter }: Beginning,
  trigger: CycleTrigger,
  tree: IsolatedTree | null,
): Promise<CycleContext> {
  const file = await ports.readContract()
  if (!file.ok) throw new RequestProblem('unprocessable', file.reason)
  const probeNames = Object.keys(config.probes)
  const contract = await ports.contracts.parse(file.text, { probeNames })
  const problem = encodingProblem(contract, file.text)
  if (problem !== null) throw new RequestProblem('unprocessable', problem)
  const tasks = runnableTasks(contract)
  const { state } = ports.ledger
  const events: EventBody[] = []
  const proposed = file.proposed ?? new Set<string>()
  if (state.contract?.hash !== file.hash) {
    events.push({
      type: 'contract-read',
      hash: file.hash,
      tasks: recordedTasks(tasks, proposed),
      editRecorded: true,
    })
  }
  await rollDay(ports, config.heartbeat.timezone ?? 'local')
  const { score, rules } = ports.ledger.state
  const standing = resolveStanding(score, rules, config.heartbeat.intervalMinutes)
  const context: CycleContext = {
    ports,
    config,
    probeNames,
    contract,
    contractText: file.text,
    contractHash: file.hash,
    proposed,
    leftOut: file.leftOut ?? 0,
    tasks,
    operatorsTasks: await operatorsTasks(ports.contracts, file.operatorsText ?? file.text),
    standing,
    cycle: state.progress.cycleCount + 1,
    byHand: trigger.trigger === 'manual',
    agent: ports.createAgent(config),
    verifier: ports.createVerifier(config, {
      watch: meter.watch('in-place'),
      reuse: ports.checkMemory?.recalling(config),
    }),
    meter,
    signal,
  }
  const measured = tree === null ? context : inTree(context, tree)
  // A new tree is a copy of the target, so nothing in it has been changed yet.
  if (tree === null) await takeBase(context)
  const contradicted = await contradictedTasks(measured)
  const stillVerified = await stillVerifiedTasks(measured)
  events.push({
    type: 'cycle-started',
    cycle: context.cycle,
    trigger: trigger.trigger,
    dueAt: trigger.dueAt,
    contractHash: file.hash,
    forceAllRequired: standing.forceAllRequired,
    contradictedTasks: contradicted.map(({ taskId }) => taskId),
    ...(stillVerified.length > 0 && { stillVerified: [...stillVerified] }),
  })
  // The room for git only reads. If checks change something while it is prepared, the worst case is that git does not see the change and
  // is not used.
  void ports.snapshotter.expectLook(ports.directory)
  await ports.ledger.append(...events, ...contradicted.map(checkContradicted), ...configFindings(context))
  return context
}

/** How much of its contract a heartbeat records in one event. */
const MAX_RECORDED_BYTES = 1_000_000

function recordedTasks(
  tasks: readonly TaskDefinition[],
  proposed: ReadonlySet<string>,
): ReturnType<typeof recordedTask>[] {
  const recorded = tasks.map((task) => recordedTask(task, proposed.has(task.id)))
  const bytes = Buffer.byteLength(JSON.stringify(recorded))
  if (bytes <= MAX_RECORDED_BYTES) return recorded
  throw new RequestProblem(
    'unprocessable',
    `HEARTBEAT.md asks for more than one heartbeat can record: ${tasks.length} tasks in ${bytes} bytes, the limit is ${MAX_RECORDED_BYTES}. Shorten them, or give them to several workspaces.`,
  )
}

/**
 * A checked box is a claim too: returns the checked tasks that have a measurable check which fails. An agent's addition to a task that the
 * operator has checked reopens nothing; otherwise work that was never requested would earn points.
 */
async function contradictedTasks(context: CycleContext): Promise<readonly ContradictedTick[]> {
  const added = context.tasks.filter(({ id, checked }) => checked && context.proposed.has(id))
  const unasked = new Set(added.slice(MAX_ADDED_TASKS))
  const checked = context.tasks.filter((task) => task.checked && !unasked.has(task))
  const asked = checked.map((task) => context.operatorsTasks.get(task.id) ?? task)
  const judged = await judgeTasks(context, 'ticked', asked)
  return checked.flatMap(({ id }, at) => {
    const { verdict, reasons: [hint] = [] } = judged[at] ?? {}
    return verdict === 'not_verified' && hint !== undefined ? [{ taskId: id, hint }] : []
  })
}

/**
 * Returns the open tasks that need not wait, in batches for one run each: single tasks, or all tasks with the same model. In trees always
 * single ones: work by several tasks in one tree could only land together, the unverified with the verified.
 */
function batches(
  context: CycleContext,
  waiting: ReadonlySet<string>,
): readonly (readonly TaskDefinition[])[] {
  const byId = new Map(context.tasks.map((task) => [task.id, task]))
  const open = openTasks(context.ports.ledger.state.progress, [...byId.keys()]).flatMap((id) =>
    waiting.has(id) ? [] : (byId.get(id) ?? []),
  )
  if (open.length === 0) return []
  return context.config.heartbeat.session === 'cycle' && !isIsolated(context.config)
    ? [...new Set(open.map(({ model }) => model))].map((model) => open.filter((task) => task.model === model))
    : open.map((task) => [task])
}
