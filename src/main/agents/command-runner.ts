import { readFile } from 'node:fs/promises'
import type { AgentEvent } from '../../core/activity/types.ts'
import { resumeCommand, withMcpServer } from '../../core/agents/compose-command.ts'
import type { McpEquipment } from '../../core/agents/program.ts'
import { AGENT_PROGRAMS } from '../../core/agents/programs.ts'
import type { AgentRequest, AgentRun, AgentRunner } from '../ports/agent-runner.ts'
import type { Clock } from '../ports/clock.ts'
import type { Contain, Containment } from '../ports/containment.ts'
import type { Log } from '../ports/log.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'
import { type ProcessRun, runProcess } from '../process/run-process.ts'
import { noteFor } from '../process/running-note.ts'
import { type ContainedCommand, containmentOf } from './agent-containment.ts'
import { agentEnvironment } from './agent-environment.ts'
import { openAttemptLog } from './attempt-log.ts'
import { outcomeOf } from './run-outcome.ts'
import { createStreamReader, type StreamReader } from './streams/read-stream.ts'

export interface RunnerDependencies {
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly log: Log
  /** Between SIGTERM and SIGKILL; 5 s by default. */
  readonly killGraceMs?: number
  /** How long a program may keep running after its last event; after that it is killed and its result kept. 5 s by default. */
  readonly lingerGraceMs?: number
  /** The agent's sandbox; if omitted, there is none. */
  readonly contain?: Contain
}

/** How much of stdout and of stderr is kept. A report block is at the end, so a MiB contains it however much came before. */
const MAX_OUTPUT_BYTES = 1024 * 1024

/** Long enough to save a session, and far shorter than the half minute for which one program waits without a reason. */
const LINGER_GRACE_MS = 5000

/** One argument may have 128 KiB on Linux, including its closing zero; on Windows the whole command line has 32,767 characters. */
const MAX_ARGUMENT_BYTES = process.platform === 'win32' ? 30_000 : 120 * 1024

/** How many sessions are remembered for a further prompt, which follows immediately. */
const MAX_SESSIONS = 20

const USE_STDIN =
  'Set prompt = "stdin" under [agent] in pulseward.toml, if the program can read it from there.'

/**
 * Runs any program that takes its prompt on stdin or as its last argument. Resolves a relative program path from the workspace. If its
 * events are understood (`config.stream`), they decide how the run ended and what the agent said, and an ended session can take a further
 * prompt. For any other program a run is `completed` for exit code 0, otherwise `error`.
 */
export function createCommandRunner(config: AgentConfig, dependencies: RunnerDependencies): AgentRunner {
  const sessions = new Map<string, string>()
  /** Attempts that may continue, with their sandbox and what they wrote in their home. */
  const kept = new Map<string, ContainedCommand>()
  const release = async (attemptId: string): Promise<void> => {
    const answer = kept.get(attemptId)?.answer
    kept.delete(attemptId)
    if (answer?.kind === 'contained') await answer.containment.close?.()
  }
  const run = async (request: AgentRequest, command: readonly string[], earlier: string) => {
    const { attemptId } = request
    const before = kept.get(attemptId)
    const contained = await containedAs(before, config, command, request, dependencies)
    kept.set(attemptId, contained)
    const ended = await runCommand(config, contained, request, dependencies, earlier)
    if (request.keepSession !== true) await release(attemptId)
    const sessionId = ended.activity?.sessionId ?? null
    if (sessionId !== null && sessionId !== '') remember(sessions, request.attemptId, sessionId)
    return ended
  }
  const { stream } = config
  if (stream === null) return { run: (request) => run(request, config.command, ''), release }
  return {
    // A prompt passed as an argument could be taken for one more server.
    takesMcpServers: AGENT_PROGRAMS[stream].print?.equip !== null && config.prompt === 'stdin',
    run: (request) => run(request, config.command, ''),
    followUp: async (request) => {
      const sessionId = sessions.get(request.attemptId)
      const command = sessionId === undefined ? null : resumeCommand(stream, config.command, sessionId)
      if (command === null) return unavailable('The program named no session to continue.', null)
      // Both turns of the attempt share one log.
      return run(request, command, await readFile(request.logFile, 'utf8').catch(() => ''))
    },
    release,
  }
}

function remember(sessions: Map<string, string>, attemptId: string, sessionId: string): void {
  sessions.delete(attemptId)
  sessions.set(attemptId, sessionId)
  const [oldest] = sessions.keys()
  if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest)
}

/** Returns the sandbox of the attempt's earlier run, if it was kept. */
async function containedAs(
  before: ContainedCommand | undefined,
  config: AgentConfig,
  command: readonly string[],
  request: AgentRequest,
  { contain }: RunnerDependencies,
): Promise<ContainedCommand> {
  const contained = await containmentOf(contain, config, command, request)
  return before?.answer.kind === 'contained' && contained.answer.kind === 'contained'
    ? { answer: before.answer, command: contained.command }
    : contained
}

async function runCommand(
  config: AgentConfig,
  contained: ContainedCommand,
  request: AgentRequest,
  dependencies: RunnerDependencies,
  earlier: string,
): Promise<AgentRun> {
  const output = openAttemptLog(request.logFile, dependencies.log)
  if (earlier !== '') output.write(`${earlier}\n`)
  const run = await runWithin(config, contained, request, dependencies, output.write)
  if (run.outcome === 'unavailable') output.write(`${run.reason}\n`)
  await output.close()
  return run
}

async function runWithin(
  config: AgentConfig,
  { answer, command }: ContainedCommand,
  request: AgentRequest,
  dependencies: RunnerDependencies,
  keep: (text: string) => void,
): Promise<AgentRun> {
  const problem = config.prompt === 'argument' ? argumentProblem(request.prompt) : null
  if (problem !== null) return unavailable(problem, USE_STDIN)
  if (answer.kind === 'refused') return unavailable(answer.reason, answer.remedy)
  const containment = answer.kind === 'contained' ? answer.containment : null
  const run = await runProgram(config, command, request, dependencies, keep, containment)
  return containment === null ? run : { ...run, containedBy: containment.means }
}

async function runProgram(
  config: AgentConfig,
  command: readonly string[],
  request: AgentRequest,
  dependencies: RunnerDependencies,
  keep: (text: string) => void,
  containment: Containment | null,
): Promise<AgentRun> {
  const { env, withheld } = agentEnvironment(config)
  const watch = watchStream(config, request, dependencies)
  const { clock, log, killGraceMs } = dependencies
  const takesStdin = config.prompt === 'stdin'
  const equipped = equip(config, command, request)
  const run = await runProcess({
    command: takesStdin ? equipped.command : [...command, request.prompt],
    directory: request.directory,
    env: { ...env, ...equipped.env },
    ...(containment !== null && { containment }),
    stdin: takesStdin ? request.prompt : null,
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    dismissal: watch.dismissal,
    maxBytes: MAX_OUTPUT_BYTES,
    clock,
    ...(killGraceMs !== undefined && { killGraceMs }),
    note: { path: noteFor(request.logFile), log },
    onEnding: () => watch.reader?.interrupt(),
    onOutput: (chunk) => {
      keep(chunk.text)
      request.onOutput(chunk)
      watch.reader?.[chunk.stream](chunk.text)
    },
  })
  watch.end()
  return agentRun(config, request, run, watch.reader, withheld)
}

/** Passes the request's servers to the program, if it takes any and the operator does not already use that option. */
function equip(
  { stream, env }: AgentConfig,
  command: readonly string[],
  request: AgentRequest,
): McpEquipment {
  const bare: McpEquipment = { command, env: {} }
  if (stream === null) return bare
  return (request.mcpServers ?? []).reduce((equipped, server) => {
    const next = withMcpServer(stream, equipped.command, server)
    const isTaken = Object.keys(next?.env ?? {}).some(
      (name) => (env[name] ?? process.env[name]) !== undefined,
    )
    return next === null || isTaken
      ? equipped
      : { command: next.command, env: { ...equipped.env, ...next.env } }
  }, bare)
}

interface StreamWatch {
  readonly reader: StreamReader | null
  readonly dismissal: AbortSignal
  end(): void
}

/** Reads the program's events, and kills it if it lingers after its last one. A further event restarts the grace period. */
function watchStream(
  config: AgentConfig,
  request: AgentRequest,
  { clock, lingerGraceMs = LINGER_GRACE_MS }: RunnerDependencies,
): StreamWatch {
  const dismissing = new AbortController()
  let grace = new AbortController()
  if (config.stream === null) return { reader: null, dismissal: dismissing.signal, end: () => {} }
  let isOver = false
  const onEvent = (event: AgentEvent): void => {
    request.onEvent?.(event)
    isOver ||= event.kind === 'final'
    if (!isOver) return
    grace.abort()
    grace = new AbortController()
    const { signal } = grace
    void clock.sleep(lingerGraceMs, signal).then(() => {
      if (!signal.aborted) dismissing.abort()
    })
  }
  const reader = createStreamReader(config.stream, onEvent, config.command.slice(1))
  for (const text of config.notes) request.onEvent?.({ kind: 'warning', text })
  return {
    reader,
    dismissal: dismissing.signal,
    end: () => {
      grace.abort()
      reader.end()
      // What came with the last text may have restarted the program.
      grace.abort()
    },
  }
}

function agentRun(
  config: AgentConfig,
  request: AgentRequest,
  run: ProcessRun,
  reader: StreamReader | null,
  withheld: readonly string[],
): AgentRun {
  const reading = reader?.reading() ?? null
  const isUnderstood = reading !== null && reading.events > 0
  const { durationMs, stdout, stderr } = run
  // If we killed the program, its exit code says nothing about it.
  const exit = run.dismissed
    ? { exitCode: null, signal: null }
    : { exitCode: run.exitCode, signal: run.signal }
  return {
    ...outcomeOf({ config, request, run, reading, withheld }),
    ...exit,
    durationMs,
    stdout,
    stderr,
    ...(withheld.length > 0 && { withheld }),
    ...(config.notes.length > 0 && { notes: config.notes }),
    ...(isUnderstood && { said: reading.said, activity: reading.activity }),
  }
}

function argumentProblem(prompt: string): string | null {
  const bytes = Buffer.byteLength(prompt)
  if (bytes > MAX_ARGUMENT_BYTES)
    return `The prompt has ${bytes} bytes; an argument may have at most ${MAX_ARGUMENT_BYTES}.`
  return prompt.includes('\0') ? 'The prompt contains a null character, which no argument can.' : null
}

function unavailable(reason: string, remedy: string | null): AgentRun {
  const nothing = { text: '', omittedBytes: 0 }
  return {
    outcome: 'unavailable',
    exitCode: null,
    signal: null,
    durationMs: 0,
    reason,
    remedy,
    stdout: nothing,
    stderr: nothing,
  }
}
