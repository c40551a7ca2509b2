import {
  type CreateTerminalRequest,
  RequestError,
  type TerminalExitStatus,
  type TerminalOutputResponse,
} from '@agentclientprotocol/sdk'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { bounded } from './bounded.ts'
import type { Helper } from './helper.ts'
import type { PermissionDesk, Wish } from './permission-desk.ts'
import { commandLine, type ToolCall, type ToolCalls } from './tool-calls.ts'
import { resolvePath } from './workspace-paths.ts'

const MAX_TERMINALS = 16
const MAX_OUTPUT_BYTES = 1024 * 1024

export interface TerminalsOptions {
  readonly directory: string
  readonly desk: PermissionDesk
  readonly emit: (event: AgentEvent) => void
  /** The agent's own reports of running commands. A command's end is merged into them, so that it is reported once. */
  readonly calls?: Pick<ToolCalls, 'running' | 'end'>
  readonly onEnded?: (call: ToolCall) => void
  /** Runs the commands in the agent's sandbox. */
  readonly helper: Pick<Helper, 'start' | 'output' | 'end'>
  readonly killGraceMs: number
  readonly signal: () => AbortSignal
}

interface Terminal {
  readonly exited: Promise<TerminalExitStatus>
  exit: TerminalExitStatus | null
}

/** Commands that an agent runs through us: in the workspace, only if allowed, and killed at the end of the attempt at the latest. */
export class Terminals {
  readonly #options: TerminalsOptions
  readonly #open = new Map<string, Terminal>()
  #count = 0
  /** Terminals with commands that we report ourselves. */
  readonly #told = new Set<string>()

  constructor(options: TerminalsOptions) {
    this.#options = options
  }

  async create(request: CreateTerminalRequest): Promise<{ terminalId: string }> {
    if (this.#open.size >= MAX_TERMINALS)
      throw RequestError.invalidParams(undefined, `${MAX_TERMINALS} terminals are open; release one first`)
    const directory = await this.#admit(request)
    const terminalId = `terminal-${++this.#count}`
    const callId = this.#options.calls?.running(lineOf(request)) ?? null
    if (callId === null) this.#told.add(terminalId)
    const report = (exit: TerminalExitStatus | null): void =>
      callId === null ? this.#report(terminalId, lineOf(request), exit) : this.#end(callId, exit)
    const { ended } = await this.#options.helper
      .start(terminalId, {
        command: programOf(request),
        directory,
        env: variablesOf(request),
        maxBytes: Math.min(request.outputByteLimit ?? MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES),
      })
      .catch((error: unknown) => {
        throw RequestError.internalError(undefined, error instanceof Error ? error.message : String(error))
      })
    const terminal: Terminal = {
      exit: null,
      exited: ended.then((exit) => {
        terminal.exit = exit
        report(exit)
        return exit
      }),
    }
    this.#open.set(terminalId, terminal)
    report(null)
    // A command still running at the end of the attempt must not outlive it.
    if (this.#options.signal().aborted) await this.release(terminalId).catch(() => undefined)
    return { terminalId }
  }

  /** Returns whether there is, or was, such a terminal; its command is reported already. */
  tells(id: string): boolean {
    return this.#told.has(id)
  }

  async output(id: string): Promise<TerminalOutputResponse> {
    const { exit } = this.#find(id)
    const { bytes, truncated } = await this.#options.helper.output(id)
    const text = bytes.toString('utf8')
    // Don't start in the middle of a character.
    const output = truncated ? text.replace(/^\uFFFD{1,3}/, '') : text
    return { output, truncated, ...(exit !== null && { exitStatus: exit }) }
  }

  waitForExit(id: string): Promise<TerminalExitStatus> {
    return this.#find(id).exited
  }

  async kill(id: string): Promise<void> {
    this.#find(id)
    await this.#options.helper.end(id, this.#options.killGraceMs, false)
  }

  async release(id: string): Promise<void> {
    this.#find(id)
    this.#open.delete(id)
    await this.#options.helper.end(id, this.#options.killGraceMs, true)
  }

  /** Called after their processes have ended with the agent's. */
  releaseAll(): void {
    this.#open.clear()
  }

  #find(id: string): Terminal {
    const terminal = this.#open.get(id)
    if (terminal === undefined) throw RequestError.resourceNotFound(id)
    return terminal
  }

  /** Returns the directory in which the command may run, if it may run at all. */
  async #admit(request: CreateTerminalRequest): Promise<string> {
    const { directory, desk, signal } = this.#options
    const command = lineOf(request)
    const place = await resolvePath(directory, request.cwd ?? '.')
    const wish: Wish = {
      kind: 'execute',
      tool: 'terminal',
      title: command,
      command,
      address: null,
      paths: [],
    }
    if (place.inside === null) {
      desk.refuse({ ...wish, paths: [place] })
      throw RequestError.invalidParams(
        { cwd: request.cwd },
        `${request.cwd} is outside the workspace ${directory}`,
      )
    }
    const decision = desk.spendDecision(command) ?? (await desk.decide(wish, signal()))
    if (signal().aborted) throw RequestError.requestCancelled()
    if (decision !== 'allowed')
      throw RequestError.invalidParams({ command }, `Permission to run \`${bounded(command)}\` was denied`)
    return place.real
  }

  #end(callId: string, exit: TerminalExitStatus | null): void {
    const call = exit === null ? null : (this.#options.calls?.end(callId, exit.exitCode ?? null) ?? null)
    if (call !== null) this.#options.onEnded?.(call)
  }

  #report(callId: string, command: string, exit: TerminalExitStatus | null): void {
    this.#options.emit({
      kind: 'command',
      callId,
      tool: 'terminal',
      command: bounded(command),
      exitCode: exit?.exitCode ?? null,
      status: exit === null ? 'started' : exit.exitCode === 0 ? 'succeeded' : 'failed',
    })
  }
}

/** Returns the agent's variables without any of ours, which identify the processes. */
function variablesOf({ env }: CreateTerminalRequest): Record<string, string> {
  const asked = (env ?? []).filter(({ name }) => !/^PULSEWARD_/i.test(name))
  return Object.fromEntries(asked.map(({ name, value }) => [name, value]))
}

function lineOf({ command, args = [] }: CreateTerminalRequest): string {
  return args.length === 0 ? command : commandLine([command, ...args])
}

/** Returns the program to run. A whole command line without separate arguments needs a shell; this exact text was allowed. */
function programOf({ command, args = [] }: CreateTerminalRequest): readonly string[] {
  if (args.length > 0 || !/[\s;&|<>`$()]/.test(command)) return [command, ...args]
  return process.platform === 'win32' ? ['cmd', '/d', '/s', '/c', command] : ['sh', '-c', command]
}
