import { extractClaims } from '../../../core/claims/extract.ts'
import type { ReportEntry } from '../../../core/claims/report.ts'
import { seenFromWorkspace } from '../../../core/claims/seen-from-repository.ts'
import { type Claim, NO_CLAIM } from '../../../core/claims/types.ts'
import { toldOfProtected } from '../../../core/judgement/decide-custody.ts'
import { differenceForTask } from '../../../core/judgement/task-words.ts'
import type { AttemptResult } from '../../../core/record/events.ts'
import { taskHistory } from '../../../core/record/fold-task-history.ts'
import { changedPaths } from '../../../core/verification/difference.ts'
import { detectEnvironmentFault, faultFor } from '../../../core/verification/environment-fault.ts'
import { asTheyAreNamed } from '../../../core/verification/named-files.ts'
import type { EnvironmentFault, FileDifference } from '../../../core/verification/types.ts'
import type { AgentRun } from '../../ports/agent-runner.ts'
import type { KeptFiles } from '../../ports/attempt-undo.ts'
import type { KeptTexts, ProtectedFiles, Snapshot } from '../../ports/snapshotter.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'
import { agentOutput } from './agent-output.ts'
import { compareContract, withCheckedBoxes } from './contract-guard.ts'
import { findReaching } from './find-reaching.ts'
import { findWork } from './find-work.ts'
import { judgeAttempt } from './judge-attempt.ts'
import { operatorsTask } from './operators-task.ts'
import { compareProtected } from './protected-guard.ts'
import type { RunFindings } from './run-findings.ts'
import { findPlace } from './workspace-place.ts'

/** What one run of the agent produced: a result per task, and what stopped it if the environment did. */
export interface JudgedRun {
  readonly results: readonly AttemptResult[]
  readonly environmentFault: EnvironmentFault | null
  /** What prevented a gate from starting; `null` if no gate was needed, or all started. */
  readonly gateFault: EnvironmentFault | null
  /** What changed in the folder; `null` if nothing ran. */
  readonly difference: FileDifference | null
  /** Paths that are now part of the baseline: their task may change them and was verified. */
  readonly accepted: readonly string[]
}

/** The folder as it was when the run began. */
export interface RunStart {
  readonly snapshot: Snapshot
  /** Paths that the run's checks ask about with `changed(…)`. */
  readonly asked: readonly string[]
  readonly protectedFiles: ProtectedFiles
  /** `null` if the folder is not in a repository. */
  readonly texts: KeptTexts
  /** The files needed to restore the state before the run. */
  readonly kept: KeptFiles
}

/** What is the same for all attempts of a run. */
export interface SharedFindings
  extends Pick<RunFindings, 'startedAtMs' | 'timeout' | 'tasksInRun' | 'feedback' | 'startMarkMs'> {
  /** Whether a tool call was begun or still open within this many ms before the run's limit. */
  readonly hasCalledWithin: (windowMs: number) => boolean
  /** The text that the agent was given. */
  readonly prompt: string
  /** What the agent reported through a tool in the judged turn. */
  readonly toolReports: readonly ReportEntry[]
}

/** Inspects what a run changed since `before`, and judges each of its attempts. Records nothing yet. */
export async function judgeRun(
  heartbeat: CycleContext,
  attempts: readonly PlannedAttempt[],
  before: RunStart,
  run: AgentRun,
  shared: SharedFindings,
): Promise<JudgedRun> {
  const context = await afterAgent(heartbeat)
  const { ports, config } = context
  const { after, difference } = await lookAfter(context, before)
  const wasAtWork = await findWork(ports.directory, difference, run, shared)
  const environmentFault = detectEnvironmentFault(run, {
    epochMs: ports.clock.nowMs(),
    timeZone: config.heartbeat.timezone ?? 'local',
  })
  const taskIds = attempts.map(({ task }) => task.id)
  const claims = extractClaims(agentOutput(run), {
    taskIds,
    probeNames: context.probeNames,
    toolReports: shared.toolReports,
    prompt: shared.prompt,
  })
  const place = await findPlace(ports.directory)
  const contractAfter = await compareContract(context)
  const weakened = await compareProtected(context, attempts, before.protectedFiles, difference)
  const isTold = toldOfProtected(
    attempts.map(({ hint, criteria }) => [hint, ...criteria.map((one) => one.hint)]),
    config,
  )
  const differences = await ports.custody.lookAfterAgent(run.containedBy !== undefined)
  const reaching = await findReaching(context, attempts, before.texts, difference, differences)
  const results: AttemptResult[] = []
  const accepted: string[] = []
  let isExcused = false
  let gateFault: EnvironmentFault | null = null
  for (const [at, attempt] of attempts.entries()) {
    const { own, claim } = ofAttempt(context, attempt, claims.get(attempt.task.id) ?? NO_CLAIM, {
      place,
      difference,
    })
    const fault = faultFor(environmentFault, claim, difference)
    isExcused ||= fault !== null
    const judged = await judgeAttempt(context, attempt, {
      ...shared,
      run,
      difference: own,
      after,
      environmentFault: fault,
      claim,
      place,
      wasAtWork,
      uncommitted: config.interventions.requireCleanRepo ? await ports.snapshotter.uncommitted(after) : [],
      contractAfter: contractAfter.contract,
      differences,
      reaching,
      textsBefore: before.texts,
      interventions: [...(at === 0 ? contractAfter.interventions : []), ...(isTold[at] ? weakened : [])],
    })
    results.push(judged.result)
    accepted.push(...judged.allowed)
    gateFault ??= judged.gateFault
  }
  // If it stopped none of the tasks, there is no reason to wait.
  const stopped =
    isExcused && (run.outcome !== 'denied' || results.some(({ outcome }) => outcome === 'denied'))
  const complete = await withCheckedBoxes(context, results)
  return {
    results: complete,
    environmentFault: stopped ? environmentFault : null,
    gateFault,
    difference,
    accepted,
  }
}

/** Does the same, but runs each check that reads the tree once for all attempts of the run. */
async function afterAgent(context: CycleContext): Promise<CycleContext> {
  const { ports, config, meter } = context
  if (ports.checkMemory === undefined) return context
  const reuse = await ports.checkMemory.measuring(config)
  return { ...context, verifier: ports.createVerifier(config, { watch: meter?.watch('in-place'), reuse }) }
}

/** Returns the part of a run's difference that belongs to one attempt, and its claim with files named the same way. */
function ofAttempt(
  context: CycleContext,
  { task }: PlannedAttempt,
  said: Claim,
  { place, difference }: { readonly place: RunFindings['place']; readonly difference: FileDifference },
): { readonly own: FileDifference; readonly claim: Claim } {
  const own = differenceForTask(difference, operatorsTask(context, task))
  const { finished = [], refuted = [] } = taskHistory(context.ports.ledger.state, task.id)
  const names = { place, changed: changedPaths(own), earlier: [...finished, ...refuted] }
  return { own, claim: asTheyAreNamed(seenFromWorkspace(said, place), names) }
}

function lookAfter(
  { ports }: CycleContext,
  before: RunStart,
): Promise<{ readonly after: Snapshot; readonly difference: FileDifference }> {
  return ports.tracer.span('snapshot', { 'pulseward.snapshot.phase': 'after' }, async () => {
    const after = await ports.snapshotter.take(ports.directory, [], before.asked)
    return { after, difference: await ports.snapshotter.difference(before.snapshot, after) }
  })
}
