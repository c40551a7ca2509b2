import { StringDecoder } from 'node:string_decoder'
import { setTimeout as delay } from 'node:timers/promises'
import { createActivityCollector } from '../../../core/activity/collect.ts'
import { lineOfEvent } from '../../../core/activity/event-line.ts'
import { parsePermissionRules } from '../../../core/activity/permission-rule.ts'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { isOwnToolName } from '../../../core/agents/own-tools.ts'
import type { AcpMode } from '../../../core/agents/program.ts'
import { AGENT_PROGRAMS } from '../../../core/agents/programs.ts'
import { statedFailure } from '../../../core/agents/service-failure.ts'
import type { AgentRequest, AgentRun, OutputChunk } from '../../ports/agent-runner.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Containment } from '../../ports/containment.ts'
import type { Log } from '../../ports/log.ts'
import type { AgentConfig } from '../../ports/workspace-config.ts'
import { createBoundedOutput } from '../../process/bounded-output.ts'
import { type OpenProcess, openProcess } from '../../process/open-process.ts'
import { haltProcessTree, resumeProcessTree } from '../../process/process-tree.ts'
import { noteEnded, noteFor, noteRunning } from '../../process/running-note.ts'
import type { Exit } from '../../process/spawn-child.ts'
import type { AttemptLog } from '../attempt-log.ts'
import { createLineSplitter } from '../streams/line-splitter.ts'
import { AcpSession } from './acp-session.ts'
import { ClientSide } from './client-side.ts'
import { Helper, HelperError, type HelperLink, type HelperRules, helperCommand } from './helper.ts'
import { PermissionDesk } from './permission-desk.ts'
import { UpdateReader } from './read-updates.ts'
import { Terminals } from './terminals.ts'
import { ToolCalls } from './tool-calls.ts'
import { type Denial, endUnasked, meaningOf, type TurnEnd } from './turn-end.ts'
import { WorkspaceFiles } from './workspace-files.ts'

export { helperCommand } from './helper.ts'

/** How much of an agent's words in a turn, and of its stderr, is kept: head and tail. */
const MAX_OUTPUT_BYTES = 1024 * 1024
/** How long a program may take to exit by itself once its input is closed. */
const LEAVE_MS = 500
/** How long an agent may take to cancel its turn cleanly before its processes are killed, in real time. */
const CANCEL_GRACE_MS = 1000

export interface AttemptOptions {
  readonly config: AgentConfig
  readonly env: Readonly<Record<string, string | undefined>>
  /** Names of variables that were withheld from the agent. */
  readonly withheld: readonly string[]
  readonly process: OpenProcess
  /** Its sandbox; `undefined` if there is none. */
  readonly containment: Containment | undefined
  /** The session mode that its sandbox needs; `undefined` if there is none. */
  readonly mode: string | undefined
  readonly rules: HelperRules
  /** The attempt's open output log. */
  readonly output: AttemptLog
  readonly version: string
  readonly killGraceMs: number
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly log: Log
}

/**
 * One run of an agent, in one or more turns: its process, its session, and what it reports.
 *
 * 1. Once the agent's turn has ended, nothing is read, written, run or allowed for it.
 * 2. When `close` resolves, none of its processes is running, including its terminals.
 * 3. Between two turns, its processes are suspended.
 */
export class AcpAttempt {
  readonly #options: AttemptOptions
  readonly #session: AcpSession
  readonly #terminals: Terminals
  readonly #helper: Helper
  #activity = createActivityCollector()
  readonly #stderr = createBoundedOutput(MAX_OUTPUT_BYTES)
  readonly #note: string
  #request: AgentRequest
  #turn = new AbortController()
  #said = createBoundedOutput(MAX_OUTPUT_BYTES)
  #denials: Denial[] = []
  /** How the session began; the same for all its turns. */
  #introduction: AgentEvent | null = null
  #isMidLine = false
  /** The program's ACP mode; `null` for an unknown program. */
  readonly #mode: AcpMode | null
  /** True if the agent reported, outside the protocol, that its turn failed. */
  #hasFailed = false
  /** Why the agent is retrying its service, if that is its latest report. */
  #struggling: string | null = null
  #closing: Promise<Exit | null> | null = null
  /** True while its processes are suspended between two turns. */
  #isHalted = false

  constructor(options: AttemptOptions, request: AgentRequest) {
    this.#options = options
    this.#request = request
    const { process, config, killGraceMs, log } = options
    this.#mode = options.config.preset === null ? null : AGENT_PROGRAMS[options.config.preset].acp
    const { directory, askOperator } = request
    this.#note = noteFor(request.logFile)
    noteRunning(this.#note, process.tree, log)
    const emit = (event: AgentEvent): void => this.#take(event)
    const signal = (): AbortSignal => this.#turn.signal
    const calls = new ToolCalls()
    const [allow, deny] = [parsePermissionRules(config.allow), parsePermissionRules(config.deny)]
    const askingMode = this.#mode?.askingMode?.({ allow, deny }) ?? null
    const desk = new PermissionDesk({
      config,
      directory,
      emit,
      ...(askOperator !== undefined && { askOperator }),
    })
    this.#helper = new Helper(() => openHelper(options, directory))
    const files = new WorkspaceFiles({
      ...{ directory, desk, emit, signal, helper: this.#helper },
      isReported: (path, inside) => calls.isEditing(path, inside),
    })
    const updates = new UpdateReader(
      {
        emit,
        say: (text) => this.#say(text),
        readTrouble: this.#mode?.readTrouble,
        isReadOnly: askingMode === 'read-only',
        isTerminal: (id) => this.#terminals.tells(id),
        wasWritten: (path) => files.takeWritten(path),
        onFailed: () => {
          this.#hasFailed = true
        },
      },
      calls,
    )
    this.#terminals = new Terminals({
      ...{ directory, desk, emit, killGraceMs, signal, calls, helper: this.#helper },
      onEnded: (call) => updates.emitCall(call),
    })
    this.#session = new AcpSession({
      process,
      directory,
      acpVersion: config.acpVersion,
      version: options.version,
      model: config.model,
      offersReading: this.#mode?.readsByItself !== true,
      askingMode: options.mode ?? askingMode,
      mcpServers: request.mcpServers ?? [],
      clock: options.clock,
      side: new ClientSide({
        emit,
        updates,
        calls,
        desk,
        files,
        terminals: this.#terminals,
        signal,
      }),
      onStray: (line) => this.#print('stdout', `${line}\n`),
    })
    this.#readStderr()
  }

  /**
   * Runs the first turn, or a further one, and resolves with its result. Stays open only if the prompt was answered and may be
   * continued.
   */
  async take(request: AgentRequest, isFirst: boolean): Promise<AgentRun> {
    const { clock, config, withheld } = this.#options
    const startedMs = clock.monotonicMs()
    this.#resume()
    this.#request = request
    this.#turn = new AbortController()
    this.#said = createBoundedOutput(MAX_OUTPUT_BYTES)
    this.#denials = []
    this.#hasFailed = false
    this.#struggling = null
    this.#activity = createActivityCollector()
    if (this.#introduction !== null) this.#activity.add(this.#introduction)
    const end = await this.#untilEnd(isFirst)
    const durationMs = clock.monotonicMs() - startedMs
    const { final, ...verdict } = meaningOf({
      config,
      withheld,
      end,
      timeoutMs: request.timeoutMs,
      denials: this.#denials,
      failureSaid: this.#failureSaid(end),
    })
    this.#take({ kind: 'final', status: final, reason: verdict.reason })
    if (verdict.outcome !== 'completed')
      this.#print('stdout', `${this.#isMidLine ? '\n' : ''}[end] ${verdict.reason}\n`)
    const mayGoOn = request.keepSession === true && end.kind === 'stopped'
    // The work is judged before the agent continues, so it must not change in the meantime.
    if (mayGoOn) this.#halt()
    const exit = mayGoOn ? null : await this.close(end.kind === 'stopped')
    const stdout = this.#said.read()
    return {
      ...verdict,
      ...this.#exitOf(end, exit),
      durationMs,
      stdout,
      stderr: this.#stderr.read(),
      said: stdout.text,
      withheld,
      ...(this.#options.containment !== undefined && { containedBy: this.#options.containment.means }),
      activity: this.#activity.activity(),
    }
  }

  /** Kills all of its processes; resolves with how the program exited by itself, or with `null`. Never rejects. */
  close(inPeace = true): Promise<Exit | null> {
    this.#closing ??= this.#end(inPeace)
    return this.#closing
  }

  get isOpen(): boolean {
    return this.#closing === null
  }

  #halt(): void {
    this.#isHalted = true
    haltProcessTree(this.#options.process.tree)
  }

  #resume(): void {
    if (this.#isHalted) resumeProcessTree(this.#options.process.tree)
    this.#isHalted = false
  }

  async #end(inPeace: boolean): Promise<Exit | null> {
    const { process, output, killGraceMs, log } = this.#options
    this.#turn.abort()
    this.#resume()
    this.#helper.close()
    const exit = await process.end(inPeace ? LEAVE_MS : 0, killGraceMs)
    this.#session.close()
    this.#terminals.releaseAll()
    await this.#options.containment?.close?.()
    noteEnded(this.#note, log)
    await output.close()
    return exit
  }

  /** Opens the session if there is none, and sends the prompt; ends at the first answer, timeout or cancellation. */
  async #untilEnd(isFirst: boolean): Promise<TurnEnd> {
    const { signal, timeoutMs, prompt } = this.#request
    const decided = new AbortController()
    let isAsked = false
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true, signal: decided.signal })
      if (signal.aborted) resolve()
    })
    const work = (async (): Promise<TurnEnd> => {
      const problem = isFirst ? await this.#session.open() : null
      // The turn has ended: send the agent nothing more.
      if (problem !== null || decided.signal.aborted) return problem ?? { kind: 'cancelled' }
      isAsked = true
      return this.#session.prompt(prompt)
    })()
    try {
      const end = await Promise.race<TurnEnd>([
        work,
        stopped.then(() => ({ kind: 'cancelled' })),
        this.#options.clock.sleep(timeoutMs, decided.signal).then(() => ({ kind: 'timeout' })),
        this.#gone(decided.signal),
      ])
      decided.abort()
      this.#turn.abort()
      if (end.kind === 'timeout' || end.kind === 'cancelled') await this.#breakOff(work)
      return isAsked ? end : endUnasked(end)
    } finally {
      decided.abort()
    }
  }

  /** Resolves when the program has exited although a child holds its output open, because then no answer will come. */
  async #gone(signal: AbortSignal): Promise<TurnEnd> {
    const { exitCode, signal: endedBy } = await this.#options.process.exited
    await realTime(LEAVE_MS, signal)
    return {
      kind: 'lost',
      message: `ended with ${endedBy ?? `exit code ${exitCode}`} before it answered`,
    }
  }

  /**
   * Returns the program's own message about a failure of its service, if the program then ends its turn as if nothing were wrong, or
   * retries until its timeout. If the agent did anything in the turn, the failure did not stop it.
   */
  #failureSaid(end: TurnEnd): string | null {
    const said = this.#said.read().text.trim()
    const { calls } = this.#activity.activity()
    if (end.kind === 'timeout') return calls.length === 0 && said === '' ? ofService(this.#struggling) : null
    if (end.kind !== 'stopped') return null
    if (this.#hasFailed)
      return (
        said
          .split(/\n{2,}/)
          .at(-1)
          ?.trim() ||
        (this.#struggling ?? 'its turn failed')
      )
    return calls.length > 0 ? null : ofService(this.#mode?.saysFailure?.exec(said)?.[1] ?? null)
  }

  /** Asks the agent to cancel, and gives it a moment. */
  async #breakOff(work: Promise<unknown>): Promise<void> {
    const over = new AbortController()
    void this.#session.cancel()
    await Promise.race([work, realTime(CANCEL_GRACE_MS, over.signal)])
    over.abort()
  }

  /** Once a program has answered, its exit code means nothing. */
  #exitOf(end: TurnEnd, exit: Exit | null): Pick<AgentRun, 'exitCode' | 'signal'> {
    if (exit === null) return { exitCode: null, signal: null }
    if (end.kind !== 'stopped' || exit.exitCode === 0) return exit
    this.#take({
      kind: 'warning',
      text: `It ended with ${exit.signal ?? `exit code ${exit.exitCode}`} after its turn.`,
    })
    return { exitCode: null, signal: null }
  }

  #take(event: AgentEvent): void {
    this.#activity.add(event)
    if (event.kind === 'session') this.#introduction = event
    this.#request.onEvent?.(event)
    this.#struggling = event.kind === 'retry' ? event.reason : this.#struggling
    if (event.kind === 'permission' && event.decision !== 'allowed' && !isOwnToolName(event.target))
      this.#denials.push(event)
    const line = lineOfEvent(event)
    if (line !== null) this.#print('stdout', `${this.#isMidLine ? '\n' : ''}${line}\n`)
  }

  #say(text: string): void {
    this.#said.write(Buffer.from(text))
    this.#print('stdout', text)
  }

  #print(stream: OutputChunk['stream'], text: string): void {
    if (stream === 'stdout' && text !== '') this.#isMidLine = !text.endsWith('\n')
    this.#options.output.write(text)
    this.#request.onOutput({ stream, text })
  }

  #readStderr(): void {
    const { stderr } = this.#options.process
    const decoder = new StringDecoder('utf8')
    const lines = createLineSplitter((line) => {
      const reason = this.#mode?.readErrorLine?.(line) ?? null
      if (reason !== null) this.#take({ kind: 'retry', reason })
    })
    stderr.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk)
      this.#stderr.write(chunk)
      this.#print('stderr', text)
      lines.write(text)
    })
  }
}

/** Opens the helper in the agent's sandbox; without a sandbox, as an ordinary program of its process tree. */
async function openHelper({ process, env, rules }: AttemptOptions, directory: string): Promise<HelperLink> {
  if (process.companion !== null) {
    process.companion.write('\n')
    return { input: process.companion, output: process.companion }
  }
  const command = helperCommand(rules, '-')
  const opened = await openProcess({ command, directory, env, partOf: process.tree.marker })
  if (!('tree' in opened)) throw new HelperError('GONE', opened.message)
  opened.stderr.resume()
  return { input: opened.stdin, output: opened.stdout }
}

/** Returns the message if it is about a service failure, otherwise `null`. */
function ofService(words: string | null): string | null {
  return words === null || statedFailure(words, null) === null ? null : words
}

/** Resolves after `ms` of real time, or when `signal` aborts: this waits for a real process. */
function realTime(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => undefined)
}
