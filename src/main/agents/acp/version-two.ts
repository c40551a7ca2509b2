import { z } from 'zod'
import { SaidBefore, translateUpdate, type Update } from './version-two-updates.ts'

/*
 * Version 2 of the protocol, which is a draft. It is translated at the connection, so the rest of our code only uses version 1.
 * Differences:
 * 1. `session/prompt` is answered once the prompt is accepted. The turn ends at the first idle state after the agent began to
 *    work on it, with no background work left. States are repeated, so an earlier idle state proves nothing.
 * 2. Messages and calls arrive whole or in pieces, by id.
 * 3. Client files, terminals and `session/load` don't exist: requests for them are refused.
 */

export interface Message {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

/** Our translation of an agent's notification: updates, and an answer that it implies. */
export interface Notified {
  readonly params: readonly unknown[]
  readonly answers: readonly Message[]
}

const UPDATE = 'session/update'
const METHOD_NOT_FOUND = -32_601
/** What a client does for an agent in version 1 only. */
const CLIENT_SIDE = /^(?:fs|terminal)\//

const record = z.record(z.string(), z.unknown())
const text = z.string().optional().catch(undefined)
const list = z.array(record).catch([])
const errorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
const updateSchema = z.object({ sessionId: z.unknown(), update: record })
const introductionSchema = z.object({
  protocolVersion: z.literal(2),
  info: record.optional().catch(undefined),
  authMethods: list,
})
const sessionSchema = z.object({ sessionId: z.string(), configOptions: list })
const permissionSchema = z.object({
  title: text,
  description: text,
  subject: record.nullish().catch(null),
  options: z.array(z.unknown()).catch([]),
})

interface Turn {
  readonly id: unknown
  isAccepted: boolean
  hasBegun: boolean
  end: Message | null
}

/** Translates between an agent that speaks version 2 and everything here. */
export class VersionTwo {
  #introduction: unknown = null
  #isSpoken = false
  readonly #asked = new Map<unknown, string>()
  #sessionId: string | null = null
  #modeOption: string | null = null
  #turn: Turn | null = null
  #hasBackground = false
  readonly #said = new SaidBefore()
  #unnamed = 0

  /** True if the agent has introduced itself in version 2. */
  get isSpoken(): boolean {
    return this.#isSpoken
  }

  /** The answer to the prompt, held back only because of background work; `null` if there is none. */
  get held(): Message | null {
    return this.#turn?.isAccepted === true && this.#hasBackground ? this.#turn.end : null
  }

  /** Translates a message of ours for the agent. */
  outgoing(message: Message): Message {
    if (message.method === 'initialize') {
      this.#introduction = message.id
      return inVersionTwo(message)
    }
    if (message.id !== undefined && typeof message.method === 'string')
      this.#asked.set(message.id, message.method)
    if (message.method === 'session/prompt')
      this.#turn = { id: message.id, isAccepted: false, hasBegun: false, end: null }
    return asked(message, this.#modeOption)
  }

  /** Translates an answer of the agent; returns nothing if it does not answer the request yet. */
  answered(message: Message): readonly Message[] {
    if (message.id === this.#introduction) {
      const introduction = introductionSchema.safeParse(message.result).data
      this.#isSpoken = introduction !== undefined
      return [introduction === undefined ? message : { ...message, result: inVersionOne(introduction) }]
    }
    const method = this.#asked.get(message.id)
    this.#asked.delete(message.id)
    if (message.error !== undefined) {
      if (this.#turn?.id === message.id) this.#turn = null
      return [message]
    }
    if (method === 'session/new') return [this.#session(message)]
    if (method === 'session/prompt') return this.#accepted(message)
    return [message]
  }

  /** Translates a request of the agent, or returns the answer to it. */
  requested(message: Message): { readonly request: Message } | { readonly answer: Message } {
    if (CLIENT_SIDE.test(String(message.method))) {
      const error = { code: METHOD_NOT_FOUND, message: 'Version 2 has no files or terminals of the client.' }
      return { answer: { jsonrpc: '2.0', id: message.id, error } }
    }
    if (message.method !== 'session/request_permission') return { request: message }
    return {
      request: { ...message, params: this.#permission(record.safeParse(message.params).data ?? {}) },
    }
  }

  notified(method: string, params: unknown): Notified {
    if (method !== UPDATE) return { params: [params], answers: [] }
    const { sessionId, update } = updateSchema.safeParse(params).data ?? {}
    // Errors in it are reported by the reader of updates.
    if (update === undefined || sessionId !== this.#sessionId) return { params: [params], answers: [] }
    if (update.sessionUpdate === 'state_update') return { params: [], answers: this.#state(update) }
    if (update.sessionUpdate === 'user_message' || update.sessionUpdate === 'user_message_chunk')
      this.#begin()
    const updates = translateUpdate(update, this.#said)
    return { params: updates.map((each) => ({ sessionId, update: each })), answers: [] }
  }

  #session(message: Message): Message {
    const session = sessionSchema.safeParse(message.result).data
    if (session === undefined) return message
    this.#sessionId = session.sessionId
    const mode = session.configOptions.find(({ category }) => category === 'mode')
    this.#modeOption = typeof mode?.configId === 'string' ? mode.configId : null
    return {
      ...message,
      result: {
        ...session,
        configOptions: session.configOptions.map((option) => ({ ...option, id: option.configId })),
        ...(mode !== undefined && { modes: { currentModeId: mode.currentValue, availableModes: [] } }),
      },
    }
  }

  #accepted(message: Message): readonly Message[] {
    const turn = this.#turn
    // An agent may answer with the end of the turn anyway; then the turn has ended.
    const { stopReason } = record.safeParse(message.result).data ?? {}
    if (turn === null || typeof stopReason === 'string') return [message]
    turn.isAccepted = true
    return this.#ended()
  }

  #begin(): void {
    if (this.#turn !== null) this.#turn.hasBegun = true
  }

  #state(update: Update): readonly Message[] {
    // The list is always complete. An agent that does not report background work leaves it out.
    this.#hasBackground = list.parse(update.background ?? []).length > 0
    if (update.state !== 'idle') {
      this.#begin()
      // The agent continues with the results of its background work.
      if (this.#turn !== null) this.#turn.end = null
      return []
    }
    if (this.#turn === null || !this.#turn.hasBegun) return []
    const { id, end } = this.#turn
    const { stopReason, usage } = update
    // If the state is repeated while background work continues, the turn does not end again.
    this.#turn.end =
      end !== null && (stopReason === undefined || stopReason === null)
        ? end
        : stopReason === 'error'
          ? { jsonrpc: '2.0', id, error: errorOf(update.error) }
          : { jsonrpc: '2.0', id, result: { stopReason: stopReason ?? 'end_turn', usage } }
    return this.#ended()
  }

  #ended(): readonly Message[] {
    const turn = this.#turn
    if (turn?.end == null || !turn.isAccepted || this.#hasBackground) return []
    this.#turn = null
    return [turn.end]
  }

  /** Translates a permission request: for a call that it names, a command line, or just text. */
  #permission(params: Readonly<Record<string, unknown>>): unknown {
    const { title, description, subject, options } = permissionSchema.parse(params)
    const words = title ?? description ?? ''
    const { type, toolCall, command, cwd, toolCallId } = subject ?? {}
    const named = record.safeParse(toolCall).data
    this.#unnamed += 1
    const ownId = `permission-${this.#unnamed}`
    if (type === 'tool_call' && typeof named?.toolCallId === 'string')
      return { ...params, options, toolCall: { title: words, ...callInVersionOne(named) } }
    const isCommand = type === 'command' && typeof command === 'string'
    return {
      ...params,
      options,
      toolCall: {
        toolCallId: typeof toolCallId === 'string' ? toolCallId : ownId,
        title: isCommand ? command : words,
        kind: isCommand ? 'execute' : 'other',
        ...(isCommand && { rawInput: { command, ...(typeof cwd === 'string' && { cwd }) } }),
      },
    }
  }
}

function inVersionTwo(message: Message): Message {
  const { clientInfo } = record.safeParse(message.params).data ?? {}
  return { ...message, params: { protocolVersion: 2, info: clientInfo, capabilities: {} } }
}

function inVersionOne({ info, authMethods }: z.infer<typeof introductionSchema>): unknown {
  return {
    protocolVersion: 1,
    agentCapabilities: {},
    agentInfo: info,
    authMethods: authMethods.map((method) => ({ ...method, id: method.methodId })),
  }
}

/** Translates a request of ours to version 2. */
function asked(message: Message, modeOption: string | null): Message {
  const params = record.safeParse(message.params).data ?? {}
  switch (message.method) {
    case 'authenticate':
      return { ...message, method: 'auth/login' }
    case 'session/new':
      return {
        ...message,
        params: {
          ...params,
          mcpServers: list.parse(params.mcpServers).map((server) => ({ type: 'stdio', ...server })),
        },
      }
    case 'session/set_config_option':
      return { ...message, params: { type: 'id', ...params } }
    case 'session/set_mode': {
      // In version 2 a mode is an ordinary option; if there is none, the agent refuses the unknown option.
      const { modeId, ...rest } = params
      const setting = { ...rest, type: 'id', configId: modeOption ?? 'mode', value: modeId }
      return { ...message, method: 'session/set_config_option', params: setting }
    }
    default:
      return message
  }
}

function errorOf(error: unknown): z.infer<typeof errorSchema> {
  return errorSchema.safeParse(error).data ?? { code: -32_603, message: 'it ended its turn with an error' }
}

const KINDS = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'other'] as const
const requestedCallSchema = z.object({
  toolCallId: z.string(),
  title: text,
  kind: z.enum(KINDS).optional().catch(undefined),
  rawInput: z.unknown().optional(),
  locations: list,
  content: list,
  _meta: record.optional().catch(undefined),
})

/** Translates the requested call as far as version 1 allows: the files of a diff become its locations. */
function callInVersionOne(call: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { locations, content, ...rest } = requestedCallSchema.parse(call)
  const changed = content.flatMap(({ changes }) => list.parse(changes ?? []))
  const places = [...locations, ...changed].flatMap(({ path, oldPath }) => [path, oldPath])
  const paths = places.filter((path) => typeof path === 'string')
  const known = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null)
  return { ...Object.fromEntries(known), locations: paths.map((path) => ({ path })) }
}
