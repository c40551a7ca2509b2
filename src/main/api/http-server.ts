import { once, setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RequestProblem } from '../../api/request-problem.ts'
import { ANSWER_PATH } from '../../core/channels/payload.ts'
import type { Admit } from '../ports/admission.ts'
import type { Log } from '../ports/log.ts'
import type { ApiHandlerOptions, createApiHandlers, Served } from './api-handlers.ts'
import { boundConnections, type ConnectionLimits, type Connections } from './connections.ts'
import { createOneTimeCodes, type OneTimeCodes } from './one-time-codes.ts'
import { readJsonBody } from './request-body.ts'
import { createRequestGuard, type RequestGuard } from './request-guard.ts'
import {
  type Audience,
  READING,
  sendError,
  sendJson,
  sendText,
  sendWrongMethod,
  setSecurityHeaders,
} from './respond.ts'
import { createStaticFiles, type StaticFiles, sendNotFound } from './static-files.ts'

/** Never another address: the API can run commands, so it is for programs of this machine only. */
const LOOPBACK = '127.0.0.1'

export interface HttpServerOptions<Context extends object> {
  readonly served: Served<Context>
  /** What a client must show: at least 128 random bits, printable, without white space. */
  readonly token: string
  /** What the page's cookie is made from; left out: the token, and a page does not outlive a restart. */
  readonly pageSecret?: string
  /** 0: any that is free. */
  readonly port: number
  /** The built renderer; `null`: no page is served. */
  readonly staticDirectory: string | null
  /** Whose word a request is decides what it may ask; left out: whoever shows the token may ask everything. */
  readonly admit?: Admit
  /** Answers what lies behind a button's code; left out: no button does anything. */
  readonly answer?: AnswerByCode
  readonly log: Log
  readonly limits?: Partial<HttpLimits>
}

/** Carries out what the code stands for, and says so; `status` is that of HTTP. Never rejects. */
export type AnswerByCode = (code: string) => Promise<{ readonly status: number; readonly words: string }>

/** What one client may take of the server. */
export interface HttpLimits extends ConnectionLimits {
  /** For a request's head to arrive, and for all of it with its body. */
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly maxConnections: number
  readonly maxBodyBytes: number
  /** For requests being answered when the server stops. */
  readonly stopGraceMs: number
}

const DEFAULT_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  maxConnections: 256,
  maxStrangers: 64,
  stalledMs: 60_000,
  settledWithinMs: 2_000,
  maxBodyBytes: 4 * 1024 * 1024,
  stopGraceMs: 5_000,
}

/** The running server. */
export interface HttpServer {
  /** `http://127.0.0.1:PORT`, without a token. */
  readonly url: string
  readonly port: number
  /** The page's address with a code that is good once, for 60 s. */
  pageAddress(): string
  /** Resolves once those who asked just now are answered, and ask no more; see `Connections`. */
  settled(): Promise<void>
  /**
   * Ends event streams, and connections on which no whole request waits for its answer; waits for those on which one does (5 s at
   * most), then resolves.
   */
  stop(): Promise<void>
}

/** The port cannot be had; the message says why and what to do. */
export class PortUnavailable extends RequestProblem {
  override readonly name = 'PortUnavailable'
  constructor(message: string, options?: ErrorOptions) {
    super('unavailable', message, options)
  }
}

/**
 * Starts the loopback server: the API under `/api` (OpenAPI) and `/rpc`, its events, the built page at `/`.
 * Rejects with `PortUnavailable` where the port is taken or not allowed, with an `Error` where the page is not built.
 */
export async function startHttpServer<Context extends object>(
  options: HttpServerOptions<Context>,
): Promise<HttpServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const stopping = new AbortController()
  // Each open stream of events listens for it: Node.js 20 would warn of more than ten.
  setMaxListeners(0, stopping.signal)
  const staticFiles =
    options.staticDirectory === null ? null : await createStaticFiles(options.staticDirectory)
  const handleApi = handlersOnceAsked({ ...options, limits, stopping: stopping.signal })
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, 5_000),
  })
  server.maxConnections = limits.maxConnections
  const connections = boundConnections(server, limits)
  const port = await listen(server, options.port)
  const codes = createOneTimeCodes()

  // A connection that fails, or that the system has no descriptor for, must not take the host down with it.
  const warn = (error: Error) => options.log.warn('A connection failed', { cause: error.message })
  server.on('error', warn)
  const parts: Parts = {
    guard: createRequestGuard(options.token, port, options.pageSecret ?? options.token),
    handleApi,
    staticFiles,
    admit: options.admit ?? admitAll,
    answer: options.answer ?? null,
    isReading: readingOnly(options.served.reading),
    codes,
    connections,
  }
  server.on('request', (request, response) => {
    response.on('error', warn)
    answerInTurn(request, response, parts, stopping.signal).catch((error: unknown) => {
      options.log.error('The HTTP server failed to answer', {
        method: request.method,
        cause: error instanceof Error ? error.stack : String(error),
      })
      const message = 'Internal error; the log of the host has its cause.'
      sendError(response, 'api', { status: 500, code: 'INTERNAL', message })
    })
  })

  let stopped: Promise<void> | null = null
  return {
    url: `http://${LOOPBACK}:${port}`,
    port,
    pageAddress: () => `http://${LOOPBACK}:${port}/?code=${codes.issue('full')}`,
    settled: connections.settled,
    stop() {
      stopped ??= stop(server, stopping, connections, limits.stopGraceMs)
      return stopped
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, LOOPBACK)
    await once(server, 'listening')
  } catch (error) {
    throw portProblem(port, error)
  }
  return (server.address() as AddressInfo).port
}

function portProblem(port: number, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  const remedy = 'choose another with --port, or --port 0 for any that is free'
  if (code === 'EADDRINUSE') {
    return new PortUnavailable(
      `Port ${port} on ${LOOPBACK} is in use: stop the program that has it, or ${remedy}.`,
      { cause },
    )
  }
  if (code === 'EACCES') {
    return new PortUnavailable(`Port ${port} on ${LOOPBACK} is not allowed for this user: ${remedy}.`, {
      cause,
    })
  }
  if (code === 'ERR_SOCKET_BAD_PORT') {
    return new PortUnavailable(`There is no port ${port}: ports go from 1 to 65535; ${remedy}.`, { cause })
  }
  return cause
}

async function stop(
  server: Server,
  stopping: AbortController,
  connections: Connections,
  graceMs: number,
): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  stopping.abort()
  connections.stop()
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(deadline)
}

type HandleApi = ReturnType<typeof createApiHandlers>

interface Parts {
  readonly guard: RequestGuard
  /** Answers what lies under `/api` and `/rpc`, and `/metrics`, for a client already let in. */
  readonly handleApi: HandleApi
  readonly staticFiles: StaticFiles | null
  readonly admit: Admit
  readonly answer: AnswerByCode | null
  /** Changes nothing, whatever is asked. */
  readonly isReading: (request: IncomingMessage, url: URL) => boolean
  readonly codes: OneTimeCodes
  readonly connections: Connections
}

/**
 * Requests that come on one connection before the first of them is answered wait for their turn: in Node.js 20 the response that has
 * it is the only one that is told when the connection closes. When the server stops, no other has its turn.
 */
async function answerInTurn(
  request: IncomingMessage,
  response: ServerResponse,
  parts: Parts,
  stopping: AbortSignal,
): Promise<void> {
  if (response.socket === null) await once(response, 'socket')
  if (stopping.aborted) return void request.socket.destroy()
  parts.connections.answers(response)
  await handle(request, response, parts)
}

const READING_ONLY = 'This token is for reading: it shows everything and changes nothing.'

/** Calls over `/rpc` are all POST: there their names tell. */
function readingOnly(names: ReadonlySet<string>): Parts['isReading'] {
  return ({ method }, { pathname }) =>
    pathname.startsWith('/rpc/')
      ? names.has(pathname.slice('/rpc/'.length))
      : method === 'GET' || method === 'HEAD'
}

/** A window and a command ask their host without a connection: what answers over one is loaded and made for the first request. */
function handlersOnceAsked<Context extends object>(options: ApiHandlerOptions<Context>): HandleApi {
  let made: Promise<HandleApi> | null = null
  const make = async (): Promise<HandleApi> => (await import('./api-handlers.ts')).createApiHandlers(options)
  return async (...request) => {
    made ??= make()
    return (await made)(...request)
  }
}

const admitAll: Admit = async () => ({ refusal: null, inName: (work) => work() })

async function handle(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const { guard, handleApi, staticFiles, admit } = parts
  setSecurityHeaders(response)
  const url = parseTarget(request.url)
  if (url === null) {
    const message = 'The request target must be a path.'
    return sendError(response, 'api', { status: 400, code: 'BAD_REQUEST', message })
  }
  if (url.pathname.startsWith(ANSWER_PATH)) return answerByCode(request, response, url, parts)
  const audience = audienceOf(url.pathname)
  const foreign = guard.refuseForeign(request)
  if (foreign !== null) return sendError(response, audience, foreign)
  const { method = 'GET' } = request
  if (url.pathname === '/healthz') {
    if (READING.includes(method)) return sendJson(response, 200, { status: 'ok' })
    return sendWrongMethod(response, audience, { method, pathname: url.pathname, allowed: READING })
  }
  const isPage = !guard.showsToken(request)
  if (opensSession(request, url)) {
    const { refusal } = await parts.admit({ request, pathname: url.pathname, isPage })
    if (refusal !== null) {
      return sendError(response, audience, { status: 403, code: 'FORBIDDEN', message: refusal })
    }
    return openSession(request, response, url, parts)
  }
  const unknown = guard.refuseUnknown(request)
  if (unknown !== null) return sendError(response, audience, unknown)
  const { refusal, isAgents, inName } = await admit({ request, pathname: url.pathname, isPage })
  if (refusal !== null) {
    return sendError(response, audience, { status: 403, code: 'FORBIDDEN', message: refusal })
  }
  if (isAgents !== true) parts.connections.letIn(request.socket)
  const sessions = SESSION_METHODS[url.pathname]
  if (sessions !== undefined && !sessions.includes(method)) {
    return sendWrongMethod(response, audience, { method, pathname: url.pathname, allowed: sessions })
  }
  if (url.pathname.startsWith('/api/session/')) return giveSession(request, response, url, parts)
  if (guard.readsOnly(request) && !parts.isReading(request, url)) {
    return sendError(response, audience, { status: 403, code: 'FORBIDDEN', message: READING_ONLY })
  }
  if (audience !== 'page') return inName(() => handleApi(request, response, url, guard.readsOnly(request)))
  if (staticFiles === null) return sendNotFound(response)
  return staticFiles(request, response, url.pathname)
}

/**
 * A button that was pressed on a phone comes by a tunnel, under a name of the operator's own and without a token: its code is what it shows.
 * It is as long as the token, good once, and stands for one answer. A process of an agent's is refused here as everywhere.
 */
async function answerByCode(
  request: IncomingMessage,
  response: ServerResponse,
  { pathname }: URL,
  { admit, answer }: Parts,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST')
    return sendText(response, 'A button is answered by POST: press it where you got it.\n', TEXT, 405)
  }
  const { refusal } = await admit({ request, pathname: ANSWER_PATH, isPage: false })
  if (refusal !== null || answer === null)
    return sendText(response, `${refusal ?? 'There is none.'}\n`, TEXT, 403)
  const { status, words } = await answer(pathname.slice(ANSWER_PATH.length))
  sendText(response, `${words}\n`, TEXT, status)
}

const TEXT = 'text/plain; charset=utf-8'

/** Only the path form: in the absolute form the target would name a host of its own, past the check of `Host`. */
function parseTarget(target = ''): URL | null {
  if (!target.startsWith('/')) return null
  const [pathname = '/', ...query] = target.split('?')
  const url = new URL('http://localhost')
  url.pathname = pathname
  url.search = query.join('?')
  return url
}

function audienceOf(pathname: string): Audience {
  const isUnder = (root: string) => pathname === root || pathname.startsWith(`${root}/`)
  if (isUnder('/rpc')) return 'rpc'
  return isUnder('/api') || pathname === '/healthz' || pathname === '/metrics' ? 'api' : 'page'
}

/** How the server is asked for what it answers itself, before there is anybody to ask a procedure. */
const SESSION_METHODS: Readonly<Record<string, readonly string[]>> = {
  '/api/session': ['POST'],
  '/api/session/code': ['POST'],
  '/api/session/reading-token': ['GET'],
}

function opensSession({ method }: IncomingMessage, url: URL): boolean {
  if (method === 'GET' && url.pathname === '/') return url.searchParams.has('code')
  return method === 'POST' && url.pathname === '/api/session'
}

/** A code for another page, and the token for reading: for who shows a token. */
function giveSession(
  request: IncomingMessage,
  response: ServerResponse,
  { pathname }: URL,
  { guard, codes }: Parts,
): void {
  const readsOnly = guard.readsOnly(request)
  if (!guard.showsToken(request) || (readsOnly && pathname !== '/api/session/code')) {
    const message = readsOnly ? READING_ONLY : 'A code is given to who shows the token.'
    sendError(response, 'api', { status: 403, code: 'FORBIDDEN', message })
  } else if (pathname === '/api/session/code') {
    sendJson(response, 200, { code: codes.issue(readsOnly ? 'reading' : 'full') })
  } else if (pathname === '/api/session/reading-token') {
    sendJson(response, 200, { token: guard.readingToken })
  } else {
    const message = `No such endpoint: ${request.method} ${pathname}.`
    sendError(response, 'api', { status: 404, code: 'NOT_FOUND', message })
  }
}

const MAX_CODE_BODY_BYTES = 4096

/** Turns a one-time code into the page's cookie, and takes it out of the address. */
async function openSession(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { guard, codes }: Parts,
): Promise<void> {
  const isPlain = url.pathname === '/api/session'
  const code = isPlain ? await codeInBody(request) : (url.searchParams.get('code') ?? '')
  // Who has the cookie already, as after a reload of the address, goes on with it.
  const isKnown = !isPlain && guard.showsCookie(request)
  const opened = codes.take(code)
  if (opened === null && !isKnown) {
    const message =
      'The code is not one of this server, was used already, or is older than a minute. Get another with "pulseward serve --open".'
    sendError(response, isPlain ? 'api' : 'page', { status: 401, code: 'UNAUTHORIZED', message })
    return
  }
  const kind = opened ?? (guard.readsOnly(request) ? 'reading' : 'full')
  response.setHeader('set-cookie', guard.pageCookie(kind))
  if (isPlain) return sendJson(response, 200, { session: 'open' })
  url.searchParams.delete('code')
  response.writeHead(303, { location: `/${url.search}` }).end()
}

async function codeInBody(request: IncomingMessage): Promise<string> {
  const body = await readJsonBody(request, MAX_CODE_BODY_BYTES)
  const value: unknown = body.kind === 'gone' || body.kind === 'refused' ? null : body.value
  const isObject = typeof value === 'object' && value !== null && 'code' in value
  return isObject && typeof value.code === 'string' ? value.code : ''
}
