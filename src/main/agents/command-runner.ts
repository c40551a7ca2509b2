import type { AgentRequest, AgentRun, AgentRunner } from '../ports/agent-runner.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'
import { type ProcessRun, runProcess } from '../process/run-process.ts'
import { openAttemptLog } from './attempt-log.ts'
import { noteEnded, noteFor, noteRunning } from './ended-after-crash.ts'
import { startProblem } from './start-problem.ts'

export interface RunnerDependencies {
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly log: Log
  /** Between SIGTERM and SIGKILL; 5 s unless given. */
  readonly killGraceMs?: number
}

/** Kept of each of stdout and stderr: a report block stands at the end, so a MiB holds it however much was said before. */
const MAX_OUTPUT_BYTES = 1024 * 1024

/** One argument may have 128 KiB on Linux, its closing zero included; all of Windows' command line, 32,767 characters. */
const MAX_ARGUMENT_BYTES = process.platform === 'win32' ? 30_000 : 120 * 1024

const USE_STDIN =
  'Set prompt = "stdin" under [agent] in pulseward.toml, if the program can read it from there.'

/**
 * Runs any program that takes its prompt on stdin or as its last argument. A relative path to the program is taken from
 * the workspace. The run is `completed` for exit code 0 and `error` for any other end of the program's own.
 */
export function createCommandRunner(config: AgentConfig, dependencies: RunnerDependencies): AgentRunner {
  return {
    run: async (request) => {
      const output = openAttemptLog(request.logFile, dependencies.log)
      const problem = config.prompt === 'argument' ? argumentProblem(request.prompt) : null
      const run =
        problem === null
          ? agentRun(config, request, await runAgent(config, request, dependencies, output.write))
          : unavailable(problem)
      if (run.outcome === 'unavailable') output.write(`${run.reason}\n`)
      await output.close()
      return run
    },
  }
}

async function runAgent(
  config: AgentConfig,
  request: AgentRequest,
  { clock, log, killGraceMs }: RunnerDependencies,
  keep: (text: string) => void,
): Promise<ProcessRun> {
  const note = noteFor(request.logFile)
  const takesStdin = config.prompt === 'stdin'
  const run = await runProcess({
    command: takesStdin ? config.command : [...config.command, request.prompt],
    directory: request.directory,
    env: config.env,
    stdin: takesStdin ? request.prompt : null,
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    maxBytes: MAX_OUTPUT_BYTES,
    clock,
    ...(killGraceMs !== undefined && { killGraceMs }),
    onStarted: (tree) => noteRunning(note, tree, log),
    onOutput: (chunk) => {
      keep(chunk.text)
      request.onOutput(chunk)
    },
  })
  noteEnded(note, log)
  return run
}

function agentRun(config: AgentConfig, request: AgentRequest, run: ProcessRun): AgentRun {
  const { exitCode, signal, durationMs, stdout, stderr } = run
  const ending = { exitCode, signal, durationMs, stdout, stderr }
  if (run.failure !== null)
    return { ...ending, outcome: 'unavailable', ...startProblem(run.failure, config.command[0] ?? '') }
  return { ...ending, ...outcomeOf(config, request, run), mend: null }
}

function outcomeOf(
  config: AgentConfig,
  request: AgentRequest,
  run: ProcessRun,
): Pick<AgentRun, 'outcome' | 'reason'> {
  const name = config.command[0] ?? ''
  if (run.cancelled)
    return { outcome: 'cancelled', reason: `${name} was ended because the supervisor stopped.` }
  if (run.timedOut) {
    const limit = `${Math.round(request.timeoutMs / 100) / 10} s`
    return { outcome: 'timeout', reason: `${name} was ended at its timeout of ${limit}.` }
  }
  if (run.exitCode === 0) return { outcome: 'completed', reason: `${name} ended with exit code 0.` }
  const how = run.exitCode === null ? `was ended by ${run.signal}` : `ended with exit code ${run.exitCode}`
  return { outcome: 'error', reason: `${name} ${how}.` }
}

function argumentProblem(prompt: string): string | null {
  const bytes = Buffer.byteLength(prompt)
  if (bytes > MAX_ARGUMENT_BYTES)
    return `The prompt has ${bytes} bytes; as an argument it may have ${MAX_ARGUMENT_BYTES} at most.`
  return prompt.includes('\0') ? 'The prompt holds a zero character, which no argument can.' : null
}

function unavailable(reason: string): AgentRun {
  const nothing = { text: '', omittedBytes: 0 }
  return {
    outcome: 'unavailable',
    exitCode: null,
    signal: null,
    durationMs: 0,
    reason,
    mend: USE_STDIN,
    stdout: nothing,
    stderr: nothing,
  }
}
