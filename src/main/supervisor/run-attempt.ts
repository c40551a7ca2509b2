import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseHint } from '../../core/contract/hint.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import type { AgentRequest } from '../ports/agent-runner.ts'
import { keepBeside, MAX_ATTEMPT_FILE_BYTES } from './attempt-files.ts'
import { composePrompt, type PromptSource, reportSubject } from './compose-prompt.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import { mayFollowUp } from './follow-up.ts'
import { type JudgedRun, judgeRun, type RunStart } from './judge-run.ts'
import { measure } from './measure.ts'
import { planRunTimeout } from './plan-timeout.ts'
import { composeRunFeedback } from './reinforce.ts'
import { runAndJudge } from './run-and-judge.ts'
import { watchStall } from './watch-stall.ts'

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
  const timeout = planRunTimeout(tasks, ports.ledger.state, config.adaptiveTimeout)
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
  if (first === undefined) return { results: [], environmentFault: null, difference: null }
  const source: PromptSource = {
    workspaceName: ports.name,
    state: ports.ledger.state,
    progress: ports.ledger.state.progress,
    config,
    contract: context.contract,
    contractText: context.contractText,
    forceAllRequired: context.standing.forceAllRequired,
    cycle: context.cycle,
    timeoutSeconds: timeout.seconds,
    feedback: feedback.text,
  }
  const stall = watchStall(context, attempts)
  const request: AgentRequest = {
    attemptId: first.attemptId,
    prompt: composePrompt(source, tasks),
    directory: ports.directory,
    timeoutMs: timeout.seconds * 1000,
    logFile: logFile(context, first.attemptId),
    signal,
    keepSession: mayFollowUp(context),
    onOutput: ({ stream, text }) => {
      stall.heard()
      ports.emit({ type: 'attempt-output', workspace: ports.id, attemptId: first.attemptId, stream, text })
    },
    onEvent: () => stall.heard(),
    askOperator: (question, timeoutMs, asked) =>
      ports.operator.ask(
        {
          ...question,
          workspaceId: ports.id,
          workspaceName: ports.name,
          attemptId: first.attemptId,
          taskId: first.task.id,
          agentId: config.agent.id,
          allow: config.agent.allow,
        },
        timeoutMs,
        asked,
      ),
  }
  await keepBeside(context, attempts, 'prompt', request.prompt)
  const shared = { startedAtMs, timeout, tasksInRun: tasks.length, feedback: feedback.shown }
  const { results, environmentFault, difference } = await runAndJudge(
    context,
    request,
    reportSubject(source, tasks),
    async (run, toolReports) => {
      await stall.stop()
      return judgeRun(context, attempts, before, run, { ...shared, toolReports })
    },
  ).finally(stall.stop)
  await shareLog(context, attempts)
  if (before.texts !== null && difference !== null) {
    const patch = await ports.snapshotter.patch(before.texts, difference, MAX_ATTEMPT_FILE_BYTES)
    await keepBeside(context, attempts, 'diff', patch)
  }
  for (const result of results) {
    await ports.ledger.append({ type: 'attempt-finished', result })
    const { attemptId, taskId } = result
    ports.emit({ type: 'attempt-finished', workspace: ports.id, attemptId, taskId })
  }
  return { results, environmentFault, difference }
}

async function noteStart({ ports, config }: CycleContext): Promise<RunStart> {
  const { enabled, protected: patterns } = config.interventions
  const snapshot = await ports.snapshotter.take(ports.directory)
  return {
    snapshot,
    protectedFiles: await ports.snapshotter.takeProtected(snapshot, enabled ? patterns : []),
    texts: await ports.snapshotter.keepTexts(snapshot),
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
