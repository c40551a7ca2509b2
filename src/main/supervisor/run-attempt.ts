import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseHint } from '../../core/contract/hint.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import { buildPrompt } from '../../core/prompt/prompt.ts'
import { buildScorePromptSection } from '../../core/prompt/score-section.ts'
import { taskDetails } from '../../core/prompt/task-details.ts'
import { planNextTimeout } from '../../core/record/next-timeout.ts'
import { resolveStanding } from '../../core/scoring/standing.ts'
import type { AgentRequest } from '../ports/agent-runner.ts'
import type { CycleContext, PlannedAttempt, RunTimeout } from './cycle-context.ts'
import { followUpOnce } from './follow-up.ts'
import { type JudgedRun, judgeRun, type RunStart } from './judge-run.ts'
import { measure } from './measure.ts'
import { composeRunFeedback } from './reinforce.ts'
import { traceAgent } from './trace.ts'

/**
 * Runs the agent once for the given tasks (one, or all open ones where the session is the cycle) and records an attempt
 * for each. Order of effects: measure, snapshot, record the start, run, snapshot, measure, judge, record the end; a crash in
 * between leaves a recorded start, which the next start of the supervisor closes as interrupted.
 */
export async function runAttempt(
  context: CycleContext,
  tasks: readonly TaskDefinition[],
  firstIndex: number,
): Promise<JudgedRun> {
  const { ports, config, signal } = context
  const [before, attempts] = await Promise.all([
    ports.tracer.span('snapshot', { 'pulseward.snapshot.phase': 'before' }, () => noteStart(context)),
    Promise.all(tasks.map((task, offset) => planAttempt(context, task, firstIndex + offset))),
  ])
  const timeout = planRunTimeout(context, tasks)
  const feedback = composeRunFeedback(
    context,
    tasks.map((task) => task.id),
  )
  const startedAtMs = ports.clock.nowMs()
  await ports.ledger.append(
    ...attempts.map(({ attemptId, task, required }) => ({
      type: 'attempt-started' as const,
      attemptId,
      cycle: context.cycle,
      taskId: task.id,
      agentId: config.agent.id,
      timeoutSeconds: timeout.seconds,
      required,
    })),
  )
  for (const { attemptId, task } of attempts) {
    ports.emit({ type: 'attempt-started', workspace: ports.id, attemptId, taskId: task.id })
  }

  const first = attempts[0]
  if (first === undefined) return { results: [], environmentFault: null }
  const request: AgentRequest = {
    attemptId: first.attemptId,
    prompt: composePrompt(context, tasks, timeout.seconds, feedback.text),
    directory: ports.directory,
    timeoutMs: timeout.seconds * 1000,
    logFile: logFile(context, first.attemptId),
    signal,
    onOutput: ({ stream, text }) =>
      ports.emit({ type: 'attempt-output', workspace: ports.id, attemptId: first.attemptId, stream, text }),
  }
  const run = await traceAgent(context, timeout.seconds, () => context.agent.run(request))
  const shared = { startedAtMs, timeout, tasksInRun: tasks.length, feedback: feedback.shown }
  const judged = await judgeRun(context, attempts, before, run, shared)
  const { results, environmentFault } = await followUpOnce(context, request, judged, (again) =>
    judgeRun(context, attempts, before, again, shared),
  )
  await shareLog(context, attempts)
  for (const result of results) {
    await ports.ledger.append({ type: 'attempt-finished', result })
    const { attemptId, taskId } = result
    ports.emit({ type: 'attempt-finished', workspace: ports.id, attemptId, taskId })
  }
  return { results, environmentFault }
}

async function noteStart({ ports, config }: CycleContext): Promise<RunStart> {
  const { enabled, protected: patterns } = config.interventions
  const snapshot = await ports.snapshotter.take(ports.directory)
  return {
    snapshot,
    protectedFiles: await ports.snapshotter.takeProtected(snapshot, enabled ? patterns : []),
  }
}

async function planAttempt(
  context: CycleContext,
  task: TaskDefinition,
  index: number,
): Promise<PlannedAttempt> {
  const hint = parseHint(task.verify, context.probeNames)
  return {
    attemptId: `${context.cycle}-${index}-${context.ports.randomSuffix()}`,
    task,
    hint,
    required: task.required || context.standing.forceAllRequired,
    before: await measure(context.verifier, hint, null, context.probeNames, [], context.signal),
  }
}

/** The timeout of one run: of its only task, or the sum over all tasks it has to do. */
function planRunTimeout(context: CycleContext, tasks: readonly TaskDefinition[]): RunTimeout {
  const rules = context.config.adaptiveTimeout
  const plans = tasks.map((task) => planNextTimeout(task, context.ports.ledger.state, rules))
  const levels = new Map(tasks.map((task, index) => [task.id, plans[index]?.level ?? 'medium']))
  const [only, ...others] = plans
  if (only !== undefined && others.length === 0) return { seconds: only.seconds, reason: only.reason, levels }
  if (!rules.enabled && plans.every((plan) => plan.source === 'fixed'))
    return { seconds: rules.modeTimeoutSeconds, reason: 'fixed, for all tasks of the run', levels }
  const seconds = plans.reduce((sum, plan) => sum + plan.seconds, 0)
  return { seconds, reason: `the sum over the ${plans.length} tasks of the run`, levels }
}

function composePrompt(
  context: CycleContext,
  tasks: readonly TaskDefinition[],
  timeoutSeconds: number,
  feedback: string,
): string {
  const { ports, config, contract, standing, cycle } = context
  const { score, progress } = ports.ledger.state
  return buildPrompt({
    workspaceName: ports.name,
    tasks: tasks.map((task) => ({
      id: task.id,
      description: task.description,
      required: task.required || standing.forceAllRequired,
      criteria: task.criteria,
      details: taskDetails(task, context.contractText),
      attemptNumber: (progress.tasks[task.id]?.attempts ?? 0) + 1,
      maxAttempts: progress.tasks[task.id]?.maxAttempts ?? task.maxAttempts,
    })),
    context: contract.context,
    // The score has moved since the cycle began, and its message has to fit it; what is required stays as it was then.
    scoreSection: buildScorePromptSection(
      score,
      resolveStanding(score, config.scoring, config.heartbeat.intervalMinutes),
      config.scoring,
    ),
    feedbackSection: feedback,
    cycle,
    session: config.heartbeat.session,
    timeoutSeconds,
  })
}

function logFile(context: CycleContext, attemptId: string): string {
  return join(context.ports.attemptsDirectory, `${attemptId}.log`)
}

/** Where one run served several tasks, each attempt gets the run's log. */
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
