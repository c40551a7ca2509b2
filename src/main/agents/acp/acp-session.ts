import {
  type ClientConnection,
  client,
  methods,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk'
import type { McpServer } from '../../ports/agent-runner.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OpenProcess } from '../../process/open-process.ts'
import { type ClientSide, serveAgent } from './client-side.ts'
import { OversizedMessage, openMessageStream } from './message-stream.ts'
import type { TurnEnd } from './turn-end.ts'
import { type Message, VersionTwo } from './version-two.ts'

/** How long a program may take to introduce itself. One that takes longer is not an ACP agent, or is waiting for a person. */
const HANDSHAKE_MS = 30_000
/** A message contains at most one file, and this is larger than any file we hand out. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
/** Limit for text before the introduction that is not a message, such as a greeting or another protocol. */
const MAX_STRAY_CHARACTERS = 64 * 1024

/** How long background work may stay silent: a server never ends, but a test run prints something now and then. */
const BACKGROUND_QUIET_MS = 120_000

const AUTH_REQUIRED = -32_000

export interface SessionOptions {
  readonly process: OpenProcess
  readonly directory: string
  /** The version of the protocol. */
  readonly acpVersion: 1 | 2
  readonly version: string
  readonly model: string | null
  /** Whether the agent may read files through us; see `AgentProgram`. */
  readonly offersReading: boolean
  /** The session mode in which the agent asks for permission; see `AcpMode`. */
  readonly askingMode: string | null
  readonly mcpServers: readonly McpServer[]
  readonly clock: Pick<Clock, 'sleep'>
  readonly side: ClientSide
  /** Called with a line that is not a message. */
  readonly onStray: (line: string) => void
}

/** The protocol's session with one running program: opened once, then prompted any number of times. */
export class AcpSession {
  readonly #options: SessionOptions
  readonly #connection: ClientConnection
  readonly #versionTwo: VersionTwo | null
  #sessionId: string | null = null
  #news = new AbortController()
  #endHeld: (end: Message) => void = () => {}
  #introduced = false
  #stray = ''
  #strayTooLong: () => void = () => {}

  constructor(options: SessionOptions) {
    this.#options = options
    const { process, side, acpVersion } = options
    this.#versionTwo = acpVersion === 2 ? new VersionTwo() : null
    const stream = openMessageStream({
      stdin: process.stdin,
      stdout: process.stdout,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      onNotification: (method, params) => side.onNotification(method, params),
      onStray: (line) => this.#takeStray(line),
      onHeld: (end) => void this.#hold(end),
      version: this.#versionTwo,
    })
    this.#connection = serveAgent(client({ name: 'pulseward' }), side).connect(stream)
  }

  /** Introduces us and opens a session; resolves with the reason if that fails, otherwise with `null`. Never rejects. */
  async open(): Promise<TurnEnd | null> {
    const over = new AbortController()
    const tooMuch = new Promise<TurnEnd>((resolve) => {
      this.#strayTooLong = () => resolve(noAgent(`it printed something else: ${firstLine(this.#stray)}`))
    })
    const tooLate = this.#options.clock
      .sleep(HANDSHAKE_MS, over.signal)
      .then(() => noAgent(`it did not introduce itself within ${HANDSHAKE_MS / 1000} s`))
    try {
      const introduced = await Promise.race([this.#introduce(), tooMuch, tooLate])
      return introduced ?? (await this.#newSession())
    } finally {
      over.abort()
    }
  }

  /** Runs one turn: resolves when it has ended in any way. Never rejects. */
  async prompt(text: string): Promise<TurnEnd> {
    const { side } = this.#options
    const held = new Promise<Message>((resolve) => {
      this.#endHeld = resolve
    })
    try {
      const answer = await Promise.race([
        this.#connection.agent.request<Record<string, unknown>>(methods.agent.session.prompt, {
          sessionId: this.#sessionId ?? '',
          prompt: [{ type: 'text', text }],
        }),
        held.then(answerOf),
      ])
      side.onTurnEnd(answer?.usage)
      return { kind: 'stopped', reason: String(answer?.stopReason) }
    } catch (error) {
      side.onTurnEnd(undefined)
      return this.#endOf(error, [])
    }
  }

  /** Asks the agent to end the current turn. */
  async cancel(): Promise<void> {
    if (this.#sessionId === null) return
    await this.#connection.agent
      .notify(methods.agent.session.cancel, { sessionId: this.#sessionId })
      .catch(() => undefined)
  }

  close(): void {
    this.#news.abort()
    this.#connection.close()
  }

  /** Ends a turn once its background work has gone silent. */
  async #hold(end: Message | null): Promise<void> {
    this.#news.abort()
    if (end === null) return
    const { clock, side } = this.#options
    this.#news = new AbortController()
    const { signal } = this.#news
    await clock.sleep(BACKGROUND_QUIET_MS, signal)
    if (signal.aborted) return
    side.warn(
      `Its background work has reported nothing for ${BACKGROUND_QUIET_MS / 1000} s, so the turn is over.`,
    )
    this.#endHeld(end)
  }

  async #introduce(): Promise<TurnEnd | null> {
    const { side, version, offersReading, acpVersion } = this.#options
    try {
      const { protocolVersion, agentInfo, authMethods } = await this.#connection.agent.request(
        methods.agent.initialize,
        {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: { fs: { readTextFile: offersReading, writeTextFile: true }, terminal: true },
          clientInfo: { name: 'pulseward', title: 'Pulseward', version },
        },
      )
      this.#introduced = true
      if (protocolVersion !== PROTOCOL_VERSION || this.#versionTwo?.isSpoken === false)
        return noAgent(`it speaks version ${protocolVersion} of it, not ${acpVersion}`)
      side.onIntroduced(agentInfo?.version ?? null, authMethods ?? [])
      return null
    } catch (error) {
      if (error instanceof RequestError && error.code === AUTH_REQUIRED) return this.#endOf(error, [])
      if (error instanceof RequestError) return noAgent(`it answered \`initialize\` with ${describe(error)}`)
      return noAgent(
        this.#stray === ''
          ? await this.#silence(error)
          : `it printed something else: ${firstLine(this.#stray)}`,
      )
    }
  }

  async #newSession(): Promise<TurnEnd | null> {
    const { side } = this.#options
    try {
      const session = await this.#createSession()
      if (typeof session?.sessionId !== 'string')
        return { kind: 'failed', message: 'a session without an id' }
      this.#sessionId = session.sessionId
      side.onSession(session.sessionId)
      await this.#chooseMode(session)
      await this.#chooseModel(session)
      return null
    } catch (error) {
      return this.#endOf(error, side.loginMethods())
    }
  }

  async #createSession(): Promise<NewSessionResponse> {
    const { directory, mcpServers, side } = this.#options
    const create = (): Promise<NewSessionResponse> =>
      this.#connection.agent.request(methods.agent.session.new, {
        cwd: directory,
        mcpServers: mcpServers.map(({ name, command, args, env }) => ({
          name,
          command,
          args: [...args],
          env: Object.entries(env).map(([variable, value]) => ({ name: variable, value })),
        })),
      })
    try {
      return await create()
    } catch (error) {
      // An API key in the environment allows login without a person; any other method would open a browser.
      const keyed = side.keyMethods()
      const wantsLogin = error instanceof RequestError && error.code === AUTH_REQUIRED
      if (!wantsLogin || keyed.length === 0) throw error
      for (const methodId of keyed) {
        await this.#connection.agent.request(methods.agent.authenticate, { methodId }).catch(() => undefined)
      }
      return create()
    }
  }

  /** Switches a session that begins in a mode without permission requests to one that asks. */
  async #chooseMode({ sessionId, modes }: NewSessionResponse): Promise<void> {
    const { askingMode, side } = this.#options
    if (askingMode === null || modes?.currentModeId === askingMode) return
    const isSet = await this.#connection.agent
      .request(methods.agent.session.setMode, { sessionId, modeId: askingMode })
      .then(
        () => true,
        () => false,
      )
    if (!isSet) side.warn(`Its mode "${askingMode}" could not be set: it may act without asking.`)
  }

  /** Selects the configured model if the agent lets its client choose one; warns if it does not. */
  async #chooseModel(session: {
    readonly sessionId: string
    readonly configOptions?: readonly { readonly id: string; readonly category?: string | null }[] | null
  }): Promise<void> {
    const { model, side } = this.#options
    if (model === null) return
    const option = session.configOptions?.find(({ category, id }) => category === 'model' || id === 'model')
    const chosen =
      option !== undefined &&
      (await this.#connection.agent
        .request(methods.agent.session.setConfigOption, {
          sessionId: session.sessionId,
          configId: option.id,
          value: model,
        })
        .then(
          () => true,
          () => false,
        ))
    if (!chosen) side.warn(`The model ${model} could not be selected: the agent uses its own.`)
  }

  #takeStray(line: string): void {
    this.#options.onStray(line)
    if (this.#introduced) return
    this.#stray = `${this.#stray}${line}\n`.slice(0, MAX_STRAY_CHARACTERS)
    if (this.#stray.length === MAX_STRAY_CHARACTERS) this.#strayTooLong()
  }

  /** Returns why there was no answer: the program has ended, or closed its output. */
  async #silence(error: unknown): Promise<string> {
    if (error instanceof OversizedMessage) return `it sent ${error.message}`
    const exit = await this.#exit()
    if (exit === null) return 'it closed its output without an answer'
    return `it ended with ${exit} without an answer`
  }

  async #exit(): Promise<string | null> {
    const over = new AbortController()
    try {
      return await Promise.race([
        this.#options.process.exited.then(({ exitCode, signal }) =>
          exitCode === null ? String(signal) : `exit code ${exitCode}`,
        ),
        this.#options.clock.sleep(500, over.signal).then(() => null),
      ])
    } finally {
      over.abort()
    }
  }

  async #endOf(error: unknown, loginMethods: readonly string[]): Promise<TurnEnd> {
    if (error instanceof RequestError) {
      return error.code === AUTH_REQUIRED
        ? { kind: 'unauthenticated', methods: loginMethods }
        : { kind: 'failed', message: describe(error) }
    }
    if (error instanceof OversizedMessage) return { kind: 'lost', message: `sent ${error.message}` }
    const exit = await this.#exit()
    return {
      kind: 'lost',
      message:
        exit === null ? 'closed its output before it answered' : `ended with ${exit} before it answered`,
    }
  }
}

function noAgent(message: string): TurnEnd {
  return { kind: 'no-agent', message }
}

/** Returns the result in an answer, or throws its error like the connection does. */
function answerOf({ result, error }: Message): Record<string, unknown> {
  const { code, message, data } = (error ?? {}) as { code?: number; message?: string; data?: unknown }
  if (code !== undefined) throw new RequestError(code, message ?? '', data)
  return result as Record<string, unknown>
}

const MAX_QUOTE = 300

function describe({ code, message, data }: RequestError): string {
  const details = data === undefined || data === null ? '' : ` ${JSON.stringify(data)}`
  return `${message} (${code})${details}`.slice(0, MAX_QUOTE)
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.slice(0, 120) ?? ''
}
