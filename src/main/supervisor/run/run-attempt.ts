import { copyFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { createLiveRenderer } from '../../../core/agents/render-log.ts'
import type { TaskDefinition } from '../../../core/contract/types.ts'
import type { AttemptResult } from '../../../core/record/events.ts'
import { waitingNotes } from '../../../core/record/fold-notes.ts'
import type { Note } from '../../../core/record/note.ts'
import { withoutSecrets } from '../../../core/text/secrets.ts'
import type { FileDifference } from '../../../core/verification/types.ts'
import type { AgentRequest } from '../../ports/agent-runner.ts'
import { type CostMeter, startMeter, withMeter } from '../cost-meter.ts'
import type { CycleContext, PlannedAttempt, RunTimeout } from '../cycle-context.ts'
import { type JudgedRun, judgeRun, type RunStart } from '../judging/judge-run.ts'
import { learnGates, learnHints } from '../judging/learn-baseline.ts'
import { settleBase } from '../judging/take-base.ts'
import { keepBeside, keepReplay, MAX_ATTEMPT_FILE_BYTES } from './attempt-files.ts'
import { noteStart, planAttempt } from './before-run.ts'
import { ceilingsOf } from './ceilings.ts'
import { composePrompt, type PromptSource, reportSubject } from './compose-prompt.ts'
import { mayFollowUp } from './follow-up.ts'
import { forgetUsed, keepUsed } from './keep-used.ts'
import { notifyHeld } from './notify-operator.ts'
import { planRunTimeout } from './plan-timeout.ts'
import { type ReplayRecorder, recordReplay } from './record-replay.ts'
import { composeRunFeedback, type RunFeedback } from './reinforce.ts'
import { runAndJudge } from './run-and-judge.ts'
import { watchCalls } from './watch-calls.ts'
import { watchCeiling } from './watch-ceiling.ts'
import { watchStall } from './watch-stall.ts'

/** A run of the agent that is about to begin, with everything that was read before. */
interface PreparedRun {
  readonly tasks: readonly TaskDefinition[]
  readonly attempts: readonly [PlannedAttempt, ...PlannedAttempt[]]
  readonly before: RunStart
  readonly timeout: RunTimeout
  readonly feedback: RunFeedback
  readonly notes: readonly Note[]
  /** What the prompt is composed of. */
  readonly source: PromptSource
  /** Epoch ms, wall clock. */
  readonly startedAtMs: number
}

/**
 * Runs the agent once for the given tasks (one, or all open ones if the session is the cycle) and records an attempt for each. Order of
 * effects: measure, snapshot, record the start, run, snapshot, measure, judge, record the end. A crash in between leaves a recorded start,
 * which the next start of the supervisor closes as interrupted.
 */
export async function runAttempt(
  heartbeat: CycleContext,
  tasks: readonly TaskDefinition[],
  firstIndex: number,
): Promise<JudgedRun> {
  const meter = startMeter(heartbeat.ports.clock)
  const { checkMemory } = heartbeat.ports
  const context = withMeter(heartbeat, meter, checkMemory?.recalling(heartbeat.config))
  await learnGates(context)
  const prepared = await prepareRun(context, tasks, firstIndex)
  if (prepared === null) return NOTHING_RAN
  await learnHints(context, prepared.attempts)
  const { custody, contractCustody } = context.ports
  await contractCustody.begin({
    attemptIds: prepared.attempts.map(({ attemptId }) => attemptId),
    agentId: context.config.agent.id,
    cycle: context.cycle,
    reach: await context.ports.reachOfAgent(context.config),
  })
  try {
    await recordStart(context, prepared)
    const [{ attemptId }] = prepared.attempts
    await custody.agentStarts(attemptId)
    checkMemory?.agentStarts()
    const replay = recordReplay(context.ports.clock)
    const judged = withCosts(await runPrepared(context, prepared, replay), meter)
    // They don't depend on each other, but both must be there when the end is announced.
    await Promise.all([keepTraces(context, prepared, judged, replay), recordResults(context, judged.results)])
    announceResults(context, judged.results)
    await forgetUsed(context.ports, lastOf(prepared.attempts).attemptId)
    await settleBase(context, attemptId, judged.accepted)
    await checkMemory?.settle()
    return judged
  } finally {
    context.ports.spending.running(context.ports.id, null)
    await contractCustody.end()
    await context.ports.snapshotter.done()
  }
}

/** Gives all attempts of a run the run's costs. */
function withCosts(judged: JudgedRun, meter: CostMeter): JudgedRun {
  const results = judged.results.map((result) => ({ ...result, costs: meter.costs(result.durationMs) }))
  return { ...judged, results }
}

/** The result of a run that did not start. */
export const NOTHING_RAN: JudgedRun = {
  results: [],
  environmentFault: null,
  gateFault: null,
  difference: null,
  accepted: [],
}

/** Reads everything needed for later comparison, and plans the run; `null` if there is no task. */
async function prepareRun(
  context: CycleContext,
  tasks: readonly TaskDefinition[],
  firstIndex: number,
): Promise<PreparedRun | null> {
  const { ports, config } = context
  const [before, [first, ...others]] = await Promise.all([
    ports.tracer.span('snapshot', { 'pulseward.snapshot.phase': 'before' }, () => noteStart(context, tasks)),
    Promise.all(tasks.map((task, offset) => planAttempt(context, task, firstIndex + offset))),
  ])
  if (first === undefined) return null
  const timeout = planRunTimeout(tasks, ports.ledger.state, config.adaptiveTimeout)
  const feedback = composeRunFeedback(
    context,
    tasks.map((task) => task.id),
  )
  const notes = waitingNotes(
    ports.ledger.state,
    tasks.map((task) => task.id),
  )
  const source = promptSource(context, timeout, feedback, notes)
  const startedAtMs = ports.clock.nowMs()
  return { tasks, attempts: [first, ...others], before, timeout, feedback, notes, source, startedAtMs }
}

async function recordStart(
  { ports, cycle, config }: CycleContext,
  { attempts, timeout, notes }: PreparedRun,
): Promise<void> {
  await ports.ledger.append(
    ...attempts.map(({ attemptId, task, required }, index) => ({
      type: 'attempt-started' as const,
      attemptId,
      cycle,
      taskId: task.id,
      agentId: config.agent.id,
      timeoutSeconds: timeout.seconds,
      required,
      boot: ports.boot ?? null,
      oomKills: ports.oomKills?.() ?? null,
      // Messages about no particular task are included once per run.
      notes: notes
        .filter(({ taskId }) => (taskId === null ? index === 0 : taskId === task.id))
        .map(({ id }) => id),
    })),
  )
  for (const { attemptId, task } of attempts) {
    ports.emit({ type: 'attempt-started', workspace: ports.id, attemptId, taskId: task.id })
  }
}

async function runPrepared(
  context: CycleContext,
  prepared: PreparedRun,
  replay: ReplayRecorder,
): Promise<JudgedRun> {
  const { tasks, attempts, before, timeout, feedback, source, startedAtMs } = prepared
  const stall = watchStall(context, attempts)
  const calls = watchCalls()
  const used = keepUsed(context.ports, lastOf(attempts).attemptId, context.config.agent.id)
  const ceilings = ceilingsOf(context)
  const ceiling = watchCeiling(
    {
      ...ceilings,
      used: (usage) => {
        used.note(usage)
        return ceilings.used(usage)
      },
    },
    context.signal,
  )
  const request = agentRequest(context, prepared, {
    heard: stall.heard,
    signal: ceiling.signal,
    heardOutput: replay.output,
    heardEvent: (event) => {
      calls.heard(event)
      ceiling.heard(event)
      replay.event(event)
    },
  })
  await keepBeside(context, attempts, 'prompt', request.prompt)
  const shared = {
    startedAtMs,
    timeout,
    tasksInRun: tasks.length,
    feedback: feedback.shown,
    prompt: request.prompt,
    startMarkMs: await startMark(context, attempts[0]),
  }
  return runAndJudge(
    context,
    request,
    reportSubject(source, tasks, context.probeNames),
    async (run, toolReports) => {
      // A run that was ended at its limit had some extra seconds to exit.
      const limitMs = performance.now() - Math.max(0, run.durationMs - timeout.seconds * 1000)
      const hasCalledWithin = (windowMs: number): boolean => calls.hasCalledSince(limitMs - windowMs)
      await stall.stop()
      replay.ended()
      return judgeRun(context, attempts, before, ceiling.ended(run), {
        ...shared,
        hasCalledWithin,
        toolReports,
      })
    },
  ).finally(async () => {
    ceiling.leave()
    await stall.stop()
    await used.settled()
  })
}

/** Returns the attempt to close if the host dies during the run: the last one begun. */
function lastOf(attempts: PreparedRun['attempts']): PlannedAttempt {
  return attempts.at(-1) ?? attempts[0]
}

/** Stores what users can look at later: the log of each attempt, its timeline, and what changed in the files. */
async function keepTraces(
  context: CycleContext,
  { attempts, before }: PreparedRun,
  { difference }: JudgedRun,
  replay: ReplayRecorder,
): Promise<void> {
  const { snapshotter, undo } = context.ports
  const keepForUndo = async (made: FileDifference): Promise<void> =>
    undo.record(
      attempts.map(({ attemptId }) => attemptId),
      before.kept,
      made,
      await snapshotter.committed(before.snapshot, made),
    )
  const keepPatch = async (made: FileDifference): Promise<void> => {
    const patch = await snapshotter.patch(before.texts, made, MAX_ATTEMPT_FILE_BYTES)
    await keepBeside(context, attempts, 'diff', patch)
  }
  // Separate files, so that they can be written concurrently.
  await Promise.all([
    shareLog(context, attempts),
    replay.read(context.ports.directory, difference).then((read) => keepReplay(context, attempts, read)),
    difference !== null && keepForUndo(difference),
    difference !== null && before.snapshot.kind === 'git' && keepPatch(difference),
  ])
}

async function recordResults({ ports }: CycleContext, results: readonly AttemptResult[]): Promise<void> {
  for (const result of results) await ports.ledger.append({ type: 'attempt-finished', result })
}

function announceResults({ ports }: CycleContext, results: readonly AttemptResult[]): void {
  for (const result of results) {
    const { attemptId, taskId } = result
    ports.emit({ type: 'attempt-finished', workspace: ports.id, attemptId, taskId })
    if (result.held !== null) notifyHeld(ports, result)
  }
}

function promptSource(
  context: CycleContext,
  timeout: RunTimeout,
  feedback: RunFeedback,
  notes: readonly Note[],
): PromptSource {
  const { ports, config, contract, contractText, cycle } = context
  return {
    workspaceName: ports.name,
    state: ports.ledger.state,
    progress: ports.ledger.state.progress,
    config,
    contract,
    contractText,
    forceAllRequired: context.standing.forceAllRequired,
    cycle,
    timeoutSeconds: timeout.seconds,
    feedback: feedback.text,
    notes,
    probeNames: context.probeNames,
  }
}

/** Returns when the run begins, on the clock that stamps files: the time of the prompt file, which was written last before it. */
async function startMark({ ports }: CycleContext, { attemptId }: PlannedAttempt): Promise<number | null> {
  const file = join(ports.attemptsDirectory, `${attemptId}.prompt`)
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  )
}

interface RunWatch {
  /** Called on every sign of life. */
  readonly heard: () => void
  readonly heardEvent: (event: AgentEvent) => void
  readonly heardOutput: (text: string) => void
  /** Ends the run when aborted. */
  readonly signal: AbortSignal
}

/** Returns the request for the runner. */
function agentRequest(
  context: CycleContext,
  { tasks, attempts: [first], timeout, source }: PreparedRun,
  { heard, heardEvent, heardOutput, signal }: RunWatch,
): AgentRequest {
  const { ports, config } = context
  const { attemptId } = first
  const { stream: program } = config.agent
  const asRead = program === null ? null : createLiveRenderer(program)
  return {
    attemptId,
    prompt: composePrompt(source, tasks),
    directory: ports.directory,
    timeoutMs: timeout.seconds * 1000,
    logFile: logFile(context, attemptId),
    signal,
    keepSession: mayFollowUp(context),
    onOutput: ({ stream, text }) => {
      heard()
      heardOutput(text)
      const shown = stream === 'stdout' && asRead !== null ? asRead(text) : text
      if (shown === '') return
      ports.emit({
        type: 'attempt-output',
        workspace: ports.id,
        attemptId,
        stream,
        text: withoutSecrets(shown),
      })
    },
    onEvent: (event) => {
      heard()
      heardEvent(event)
    },
    askOperator: operatorQuestion(context, first),
  }
}

function operatorQuestion(
  { ports, config }: CycleContext,
  { attemptId, task }: PlannedAttempt,
): NonNullable<AgentRequest['askOperator']> {
  const about = {
    workspaceId: ports.id,
    workspaceName: ports.name,
    attemptId,
    taskId: task.id,
    agentId: config.agent.id,
    allow: config.agent.allow,
  }
  return (question, timeoutMs, asked) => ports.operator.ask({ ...question, ...about }, timeoutMs, asked)
}

function logFile(context: CycleContext, attemptId: string): string {
  return join(context.ports.attemptsDirectory, `${attemptId}.log`)
}

/** Gives each attempt the run's log if one run served several tasks. */
async function shareLog(context: CycleContext, attempts: readonly PlannedAttempt[]): Promise<void> {
  const [first, ...others] = attempts
  if (first === undefined) return
  try {
    for (const { attemptId } of others)
      await copyFile(logFile(context, first.attemptId), logFile(context, attemptId))
  } catch (error) {
    context.ports.log.warn('The log of a run could not be copied to all its attempts', {
      error: String(error),
    })
  }
}
