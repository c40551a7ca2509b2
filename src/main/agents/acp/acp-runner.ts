import { realpath } from 'node:fs/promises'
import type { AgentRequest, AgentRun, AgentRunner } from '../../ports/agent-runner.ts'
import type { AgentConfig } from '../../ports/workspace-config.ts'
import { COMPANION } from '../../process/contained-beginning.ts'
import { openProcess } from '../../process/open-process.ts'
import { KILL_GRACE_MS } from '../../process/run-process.ts'
import { noteFor } from '../../process/running-note.ts'
import { containmentOf } from '../agent-containment.ts'
import { agentEnvironment } from '../agent-environment.ts'
import { openAttemptLog } from '../attempt-log.ts'
import type { RunnerDependencies } from '../command-runner.ts'
import { startProblem } from '../start-problem.ts'
import type { AcpAttempt } from './acp-attempt.ts'

export interface AcpRunnerDependencies extends Omit<RunnerDependencies, 'lingerGraceMs'> {
  /** Our version, sent to the agent. */
  readonly version: string
}

/**
 * Runs any program that speaks the Agent Client Protocol (version 1, or the draft of version 2) on its standard input and output. Each run
 * is a separate session. The program's processes are killed at its end or, if the session is kept for a follow-up, by `release`.
 */
export function createAcpRunner(config: AgentConfig, dependencies: AcpRunnerDependencies): AgentRunner {
  const kept = new Map<string, AcpAttempt>()

  const take = async (attempt: AcpAttempt, request: AgentRequest, isFirst: boolean): Promise<AgentRun> => {
    const run = await attempt.take(request, isFirst)
    if (attempt.isOpen) kept.set(request.attemptId, attempt)
    else kept.delete(request.attemptId)
    return run
  }

  return {
    takesMcpServers: true,
    run: async (request) => {
      const attempt = await start(config, dependencies, request)
      return 'take' in attempt ? take(attempt, request, true) : attempt
    },
    followUp: async (request) => {
      const attempt = kept.get(request.attemptId)
      if (attempt === undefined) return never('unavailable', 'The session has ended.', null, 0)
      return take(attempt, request, false)
    },
    release: async (attemptId) => {
      const attempt = kept.get(attemptId)
      kept.delete(attemptId)
      await attempt?.close()
    },
  }
}

/** Modules are loaded when first needed; by then an update may have removed them. */
const REPLACED = 'Pulseward was updated while it was running.'

/** Starts the program, or returns why it could not. */
async function start(
  config: AgentConfig,
  { clock, log, version, contain, killGraceMs = KILL_GRACE_MS }: AcpRunnerDependencies,
  request: AgentRequest,
): Promise<AcpAttempt | AgentRun> {
  const program = config.command[0] ?? ''
  const startedMs = clock.monotonicMs()
  const output = openAttemptLog(request.logFile, log)
  if (request.signal.aborted) {
    await output.close()
    return never('cancelled', `${program} was not started: the supervisor stopped.`, null, 0)
  }
  const { env, withheld } = agentEnvironment(config)
  const { directory } = request
  const { answer, command, mode } = await containmentOf(contain, config, config.command, request)
  if (answer.kind === 'refused') {
    output.write(`${answer.reason}\n`)
    await output.close()
    return never('unavailable', answer.reason, answer.remedy, 0)
  }
  const containment = answer.kind === 'contained' ? answer.containment : undefined
  // Loaded only when needed: the protocol's schemas are a tenth of what a host loads, and most hosts have no agent that speaks it.
  const loaded = await import('./acp-attempt.ts').catch(() => null)
  if (loaded === null) {
    await output.close()
    return never('unavailable', REPLACED, 'Restart Pulseward.', 0)
  }
  const root = await realpath(directory).catch(() => directory)
  const apart = answer.kind === 'open' ? await answer.apart?.() : undefined
  const rules = { root, unread: [], unwritten: [], ...apart }
  const process = await openProcess({
    command,
    directory,
    env,
    note: { path: noteFor(request.logFile), log },
    ...(containment !== undefined && { containment, companion: loaded.helperCommand(rules, COMPANION) }),
  })
  if ('tree' in process)
    return new loaded.AcpAttempt(
      { config, env, withheld, process, containment, mode, rules, output, version, killGraceMs, clock, log },
      request,
    )
  const { reason, remedy } = startProblem(process, program)
  output.write(`${reason}\n`)
  await output.close()
  return never('unavailable', reason, remedy, clock.monotonicMs() - startedMs)
}

function never(
  outcome: 'unavailable' | 'cancelled',
  reason: string,
  remedy: string | null,
  durationMs: number,
): AgentRun {
  const nothing = { text: '', omittedBytes: 0 }
  return {
    outcome,
    exitCode: null,
    signal: null,
    durationMs,
    reason,
    remedy,
    stdout: nothing,
    stderr: nothing,
  }
}
