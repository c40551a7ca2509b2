import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { readJson } from '../core/text/json.ts'

/*
 * A proxy between an editor and its agent, which both speak the Agent Client Protocol: one JSON-RPC message per line. It forwards every line
 * unchanged. Only the answer to a prompt is judged before the editor gets it: if the turn's claims are wrong, the agent gets a prompt with
 * the fact that contradicts them, and the editor gets the answer to that prompt. Permission requests and all other messages pass unread.
 */

/** What the hook is told about one event of a session. */
export interface AcpTurn {
  readonly session_id: string
  readonly cwd: string
  readonly prompt_id?: string
  readonly prompt?: string
  readonly last_assistant_message?: string
  readonly stop_hook_active?: boolean
}

export interface AcpProxyOptions {
  readonly editor: { readonly input: Readable; readonly output: Writable }
  readonly agent: { readonly input: Writable; readonly output: Readable }
  /**
   * Returns the message for the agent, or null: at a stop, why its turn is wrong; with a prompt, the verdict that missed its last stop.
   * Never rejects.
   */
  readonly ask: (event: 'start' | 'prompt' | 'stop', turn: AcpTurn) => Promise<string | null>
}

/** A longer line is passed on in pieces, without being read. */
const MAX_LINE = 32 * 1024 * 1024
/** Only the end of the agent's last message in a turn is kept, because that is where it says that it is done. */
const MAX_SAID = 256 * 1024

const idSchema = z.union([z.string(), z.number()])
const messageSchema = z.looseObject({
  id: idSchema.optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
})
const openedSchema = z.looseObject({ cwd: z.string(), sessionId: z.string().optional() })
const promptSchema = z.looseObject({
  sessionId: z.string(),
  /** As the editor wrote it; `undefined` if it is not a list of blocks. */
  prompt: z.array(z.unknown()).optional().catch(undefined),
})
const textSchema = z.looseObject({ text: z.string() })
const updateSchema = z.looseObject({
  sessionId: z.string(),
  update: z.looseObject({
    sessionUpdate: z.string(),
    content: z.looseObject({ text: z.string() }).optional().catch(undefined),
  }),
})
const namedSchema = z.looseObject({ sessionId: z.string() })
const stopSchema = z.looseObject({ stopReason: z.string() })

interface Prompted {
  /** The id of the editor's request, unchanged. */
  readonly id: string | number
  readonly sessionId: string
  readonly promptId: string
  readonly isAgain: boolean
  readonly line: string
  /** Aborts once the user cancels the prompt or sends the next one. */
  readonly canceled: AbortSignal
}

/** Passes messages both ways until the agent ends. The agent's input ends with the editor's. Never rejects. */
export function proxyAcp(options: AcpProxyOptions): Promise<void> {
  return new AcpProxy(options).run()
}

type Message = z.infer<typeof messageSchema>

class AcpProxy {
  readonly #options: AcpProxyOptions
  readonly #editor: Outlet
  readonly #agent: Outlet
  /** The folder of each session. */
  readonly #folders = new Map<string, string>()
  /** The folders of session requests that the agent has not answered yet. */
  readonly #opening = new Map<string | number, string>()
  /** Prompts that the agent has not answered yet, by request id. */
  readonly #prompts = new Map<string | number, Prompted>()
  /** The agent's last message in the current turn of each session. */
  readonly #said = new Map<string, string>()
  /** Sessions in which another event came after that message, so that the next text starts a new one. */
  readonly #movedOn = new Set<string>()
  /** Cancels the last prompt of each session. */
  readonly #cancels = new Map<string, AbortController>()
  readonly #settling = new Set<Promise<void>>()

  constructor(options: AcpProxyOptions) {
    this.#options = options
    this.#editor = new Outlet(options.editor.output)
    this.#agent = new Outlet(options.agent.input)
  }

  async run(): Promise<void> {
    const { editor, agent } = this.#options
    const heard = eachLine(editor.input, (line) => this.#fromEditor(line), this.#agent).then(() =>
      agent.input.end(),
    )
    await eachLine(agent.output, (line) => this.#fromAgent(line), this.#editor)
    await Promise.all(this.#settling)
    editor.input.destroy()
    await heard
  }

  async #fromEditor(line: string): Promise<void> {
    const { id, method, params } = readJson(messageSchema, line) ?? {}
    if (method === 'session/cancel') {
      const named = namedSchema.safeParse(params)
      if (named.success) this.#cancels.get(named.data.sessionId)?.abort()
    }
    if (id !== undefined && (method === 'session/new' || method === 'session/load')) {
      const opened = openedSchema.safeParse(params).data
      if (opened !== undefined) this.#opening.set(id, opened.cwd)
      if (opened?.sessionId !== undefined) this.#folders.set(opened.sessionId, opened.cwd)
    }
    if (id !== undefined && method === 'session/prompt') {
      const prompted = promptSchema.safeParse(params).data
      const told = prompted === undefined ? null : await this.#begin(id, prompted, line)
      if (prompted?.prompt !== undefined && told !== null) {
        const prompt = [...prompted.prompt, { type: 'text', text: told }]
        return this.#agent.line(
          `${JSON.stringify({ ...readJson(messageSchema, line), params: { ...prompted, prompt } })}\n`,
        )
      }
    }
    return this.#agent.line(line)
  }

  /** Records the tree at the start of a turn, before the agent can change it. */
  async #begin(
    id: string | number,
    { sessionId, prompt }: z.infer<typeof promptSchema>,
    line: string,
  ): Promise<string | null> {
    const promptId = randomUUID()
    this.#said.delete(sessionId)
    this.#cancels.get(sessionId)?.abort()
    const cancel = new AbortController()
    this.#cancels.set(sessionId, cancel)
    this.#prompts.set(id, { id, sessionId, promptId, isAgain: false, line, canceled: cancel.signal })
    const words = (prompt ?? []).map((block) => textSchema.safeParse(block).data?.text ?? '').join('\n')
    return this.#options.ask('prompt', {
      ...this.#turnOf(sessionId),
      prompt_id: promptId,
      prompt: words.slice(0, MAX_SAID),
    })
  }

  async #fromAgent(line: string): Promise<void> {
    const message = readJson(messageSchema, line)
    if (message?.method === 'session/update') this.#listen(message)
    const id = message?.method === undefined ? message?.id : undefined
    if (id !== undefined) await this.#opened(id, message)
    const prompted = id === undefined ? undefined : this.#prompts.get(id)
    if (id === undefined || prompted === undefined) return this.#editor.line(line)
    this.#prompts.delete(id)
    // Don't await it: messages of other sessions must not wait for the measurement.
    const settled = this.#settle(prompted, message, line).finally(() => this.#settling.delete(settled))
    this.#settling.add(settled)
  }

  #listen({ params }: Message): void {
    const told = updateSchema.safeParse(params).data
    if (told === undefined) return
    const { sessionId, update } = told
    const { sessionUpdate: kind, content } = update
    // Session updates and updates of a running tool may arrive within a message; a tool call, a thought or a plan starts a new one.
    if (kind !== 'agent_message_chunk' && !kind.endsWith('_update')) this.#movedOn.add(sessionId)
    if (kind !== 'agent_message_chunk' || content === undefined) return
    const before = this.#movedOn.delete(sessionId) ? '' : (this.#said.get(sessionId) ?? '')
    this.#said.set(sessionId, `${before}${content.text}`.slice(-MAX_SAID))
  }

  async #opened(id: string | number, message: Message | null): Promise<void> {
    const folder = this.#opening.get(id)
    if (folder === undefined) return
    this.#opening.delete(id)
    const named = namedSchema.safeParse(message?.result)
    if (!named.success) return
    this.#folders.set(named.data.sessionId, folder)
    await this.#options.ask('start', this.#turnOf(named.data.sessionId))
  }

  async #settle(prompted: Prompted, message: Message | null, line: string): Promise<void> {
    // The answer to our own prompt becomes the answer to the editor's.
    const answer = prompted.isAgain ? `${JSON.stringify({ ...message, id: prompted.id })}\n` : line
    const why = await Promise.race([
      this.#refutation(prompted, message?.result),
      aborted(prompted.canceled).then(() => null),
    ])
    const again = { ...prompted, isAgain: true, line: answer }
    if (why !== null && (await this.#sendBack(again, why))) return
    // If our own prompt failed, the turn ends as the agent had originally ended it.
    await this.#editor.line(prompted.isAgain && message?.result === undefined ? prompted.line : answer)
  }

  async #refutation({ sessionId, promptId, isAgain }: Prompted, result: unknown): Promise<string | null> {
    if (stopSchema.safeParse(result).data?.stopReason !== 'end_turn') return null
    const message = this.#said.get(sessionId)
    return this.#options.ask('stop', {
      ...this.#turnOf(sessionId),
      prompt_id: promptId,
      stop_hook_active: isAgain,
      ...(message !== undefined && { last_assistant_message: message }),
    })
  }

  /** Returns false if the user canceled the prompt before the agent was told anything. */
  async #sendBack(prompted: Prompted, why: string): Promise<boolean> {
    const { sessionId, canceled } = prompted
    const id = `pulseward-${randomUUID()}`
    const text = { type: 'text', text: why }
    const update = { sessionUpdate: 'user_message_chunk', content: text }
    // Show in the editor why the agent keeps working.
    await this.#editor.line(
      `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })}\n`,
    )
    if (canceled.aborted) return false
    this.#said.delete(sessionId)
    this.#prompts.set(id, prompted)
    await this.#agent.line(
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'session/prompt', params: { sessionId, prompt: [text] } })}\n`,
    )
    return true
  }

  #turnOf(sessionId: string): AcpTurn {
    return { session_id: sessionId, cwd: this.#folders.get(sessionId) ?? process.cwd() }
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** One side's input. It has several writers, but each line is written whole. */
class Outlet {
  readonly #stream: Writable
  #last: Promise<void> = Promise.resolve()
  /** Lets the next line through once a line in pieces is complete. */
  #release: (() => void) | null = null

  constructor(stream: Writable) {
    this.#stream = stream
  }

  line(text: string): Promise<void> {
    this.#last = this.#last.then(() => send(this.#stream, text))
    return this.#last
  }

  async piece(text: string, isEnd: boolean): Promise<void> {
    if (this.#release === null) {
      const before = this.#last
      this.#last = new Promise((resolve) => {
        this.#release = resolve
      })
      await before
    }
    await send(this.#stream, text)
    if (!isEnd) return
    this.#release?.()
    this.#release = null
  }
}

/** Waits if the other side reads more slowly. Does nothing if that side has closed. */
async function send(stream: Writable, text: string): Promise<void> {
  if (stream.destroyed || stream.writableEnded || stream.write(text)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.on('drain', done).on('close', done)
  })
}

/** Passes on one line after another, each with its line break. A line that is too long is passed on in pieces. */
async function eachLine(
  input: Readable,
  take: (line: string) => Promise<void>,
  outlet: Outlet,
): Promise<void> {
  input.setEncoding('utf8')
  let line = ''
  let isLong = false
  try {
    for await (const chunk of input as AsyncIterable<string>) {
      for (const piece of chunk.split(/(?<=\n)/)) {
        line += piece
        const isWhole = piece.endsWith('\n')
        isLong ||= line.length > MAX_LINE
        if (!isLong && !isWhole) continue
        await (isLong ? outlet.piece(line, isWhole) : take(line))
        line = ''
        if (isWhole) isLong = false
      }
    }
    if (line !== '') await take(line)
  } catch {
    // That side has closed; the other side notices when its own stream ends.
  } finally {
    if (isLong) await outlet.piece('', true)
  }
}
