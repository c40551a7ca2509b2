import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { followScript, isSideCall, type Reaction, sideAnswer, standOf } from './answer.ts'
import { asObject, type Json, type ModelAnswer, type ModelRequest, type Wire } from './model-request.ts'
import { checkedScript, type Script } from './script.ts'
import { anthropicWire } from './wire/anthropic.ts'
import { chatWire } from './wire/chat.ts'
import { geminiWire } from './wire/gemini.ts'
import { responsesWire } from './wire/responses.ts'

const WIRES: readonly Wire[] = [anthropicWire, responsesWire, chatWire, geminiWire]
const LISTS_MODELS = /\/models$/
const COUNTS_TOKENS = /:countTokens$|\/count_tokens$/
const DEFAULT_USAGE = { inputTokens: 1000, outputTokens: 50 }

/** A request that the server received. */
export interface TakenRequest {
  readonly wire: Wire['name']
  /** `side`: the request isn't about the work; see `isSideCall`. */
  readonly kind: 'work' | 'side'
  /** The last prompt of the conversation, with what the program added around it. */
  readonly prompt: string
  /** Which prompt of the script it counts as, from 0; -1 for a side call. */
  readonly promptNumber: number
  /** How many answers of the model the conversation contained since its prompt. */
  readonly step: number
  readonly request: ModelRequest
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string
  /** In order of arrival. */
  readonly requests: readonly TakenRequest[]
  /** The distinct prompts of work requests, in order of arrival. */
  readonly prompts: readonly string[]
  /** Requested addresses that no wire format knows. */
  readonly strays: readonly string[]
  /** Resolves once a request is left without an answer. */
  readonly untilHanging: () => Promise<void>
  readonly close: () => Promise<void>
}

/** A model on loopback that follows the script, for programs that use any of the four wire formats. */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const model = new ScriptedModel(checkedScript(script))
  const server = createServer((request, response) => {
    model.serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests: model.requests,
    prompts: model.prompts,
    strays: model.strays,
    untilHanging: () => model.hanging.promise,
    close: () => close(server),
  }
}

class ScriptedModel {
  readonly requests: TakenRequest[] = []
  readonly prompts: string[] = []
  readonly strays: string[] = []
  readonly hanging = withResolvers()
  readonly script: Script

  constructor(script: Script) {
    this.script = script
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://model').pathname
    const body = request.method === 'POST' ? asObject(await json(readable(request))) : {}
    const [wire, asked] = readBy(request.method === 'POST' ? WIRES : [], path, body)
    if (wire !== null) this.answer(wire, asked, response)
    else if (LISTS_MODELS.test(path)) sendJson(response, 200, { data: [], models: [] })
    else if (COUNTS_TOKENS.test(path)) sendJson(response, 200, { totalTokens: 1000, input_tokens: 1000 })
    else this.stray(request, response)
  }

  private answer(wire: Wire, asked: ModelRequest, response: ServerResponse): void {
    const taken = this.take(wire, asked)
    const reaction = this.react(taken)
    if (reaction.kind === 'answer') this.write(wire, asked, reaction, response)
    else if (reaction.kind === 'hang') this.hanging.resolve()
    else sendJson(response, reaction.status, wire.error(reaction.status, reaction.message))
  }

  private write(
    wire: Wire,
    asked: ModelRequest,
    reaction: Pick<ModelAnswer, 'text' | 'calls'>,
    response: ServerResponse,
  ): void {
    const answer: ModelAnswer = {
      id: `answer_${this.requests.length}`,
      text: reaction.text,
      calls: reaction.calls,
      usage: this.script.usage ?? DEFAULT_USAGE,
    }
    if (!asked.isStream) {
      sendJson(response, 200, wire.whole(asked, answer))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    for (const { event, data } of wire.events(asked, answer)) {
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      response.write(`${event === null ? '' : `event: ${event}\n`}data: ${text}\n\n`)
    }
    response.end()
  }

  private take({ name }: Wire, request: ModelRequest): TakenRequest {
    const isSide = isSideCall(request)
    const { prompt, step } = standOf(request)
    const promptNumber = isSide ? -1 : this.numberOf(prompt, step)
    const taken: TakenRequest = {
      wire: name,
      kind: isSide ? 'side' : 'work',
      prompt,
      promptNumber,
      step,
      request,
    }
    this.requests.push(taken)
    return taken
  }

  /**
   * Returns the prompt's number. A conversation in progress belongs to the newest prompt, even if the program has changed the text around
   * it.
   */
  private numberOf(prompt: string, step: number): number {
    const known = this.prompts.indexOf(prompt)
    if (known >= 0) return known
    if (step > 0 && this.prompts.length > 0) return this.prompts.length - 1
    this.prompts.push(prompt)
    return this.prompts.length - 1
  }

  private react({ kind, promptNumber, step, request }: TakenRequest): Reaction {
    const first = this.script.prompts[0]?.[0]
    if (kind === 'work') return followScript(this.script, promptNumber, step, request)
    // A service that refuses work requests refuses everything.
    return first?.kind === 'fail' ? first : { kind: 'answer', text: sideAnswer(request), calls: [] }
  }

  private stray({ method, url }: IncomingMessage, response: ServerResponse): void {
    this.strays.push(`${method} ${url}`)
    sendJson(response, 404, { error: { message: 'The scripted model knows no such address.' } })
  }
}

function readBy(
  wires: readonly Wire[],
  path: string,
  body: Json,
): readonly [Wire, ModelRequest] | readonly [null, null] {
  for (const wire of wires) {
    const asked = wire.read(path, body)
    if (asked !== null) return [wire, asked]
  }
  return [null, null]
}

function readable(request: IncomingMessage): NodeJS.ReadableStream {
  return request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

/** Replaces `Promise.withResolvers`, which Node 20 doesn't have. */
function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
