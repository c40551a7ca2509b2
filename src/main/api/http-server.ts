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

/** Never change this address: the API can run commands, so it is only for programs on this machine. */
const LOOPBACK = '127.0.0.1'

export interface HttpServerOptions<Context extends object> {
  readonly served: Served<Context>
  /** What a client must send: at least 128 random bits, printable, without white space. */
  readonly token: string
  /** What the page's cookie is derived from; if omitted, the token, and then a page does not survive a restart. */
  readonly pageSecret?: string
  /** 0 picks any free port. */
  readonly port: number
  /** The built renderer; `null`: no page is served. */
  readonly staticDirectory: string | null
  /** Decides what a request may do by its sender; if omitted, anyone with the token may do everything. */
  readonly admit?: Admit
  /** Handles a notification button's code; if omitted, buttons do nothing. */
  readonly answer?: AnswerByCode
  readonly log: Log
  readonly limits?: Partial<HttpLimits>
}

/** Carries out the code's action and reports it; `status` is an HTTP status. Never rejects. */
export type AnswerByCode = (code: string) => Promise<{ readonly status: number; readonly words: string }>

/** Limits for one client's use of the server. */
export interface HttpLimits extends ConnectionLimits {
  /** Limits for receiving a request's head, and the whole request with its body. */
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly maxConnections: number
  readonly maxBodyBytes: number
  /** How long requests being answered may take after the server is told to stop. */
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
  /** Returns the page's address with a code that is valid once, for 60 s. */
  pageAddress(): string
  /** Resolves once current requests are answered and no more come; see `Connections`. */
  settled(): Promise<void>
  /** Ends event streams and idle connections; waits for connections with a complete request (at most 5 s), then resolves. */
  stop(): Promise<void>
}

/** The port is not available; the message says why and what to do. */
export class PortUnavailable extends RequestProblem {
  override readonly name = 'PortUnavailable'
  constructor(message: string, options?: ErrorOptions) {
    super('unavailable', message, options)
  }
}

/**
 * Starts the loopback server: the API under `/api` (OpenAPI) and `/rpc`, its events, the built page at `/`. Rejects with
 * `PortUnavailable` if the port is taken or not allowed, with an `Error` if the page is not built.
 */
export async function startHttpServer<Context extends object>(
  options: HttpServerOptions<Context>,
): Promise<HttpServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const stopping = new AbortController()
  // Each open event stream listens to this signal; Node.js 20 would warn about more than ten listeners.
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

  // A failing connection, or running out of descriptors, must not crash the host.
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
      const message = "Internal error; see the host's log for its cause."
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
  const remedy = 'choose another with --port, or --port 0 for any free one'
  if (code === 'EADDRINUSE') {
    return new PortUnavailable(
      `Port ${port} on ${LOOPBACK} is in use: stop the program that uses it, or ${remedy}.`,
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
  /** Handles `/api`, `/rpc` and `/metrics`, for an authorized client. */
  readonly handleApi: HandleApi
  readonly staticFiles: StaticFiles | null
  readonly admit: Admit
  readonly answer: AnswerByCode | null
  /** Returns whether the request cannot change anything. */
  readonly isReading: (request: IncomingMessage, url: URL) => boolean
  readonly codes: OneTimeCodes
  readonly connections: Connections
}

/**
 * Answers the requests of one connection in order: each waits for the earlier ones, because in Node.js 20 only the current response is
 * notified when the connection closes. After the server stops, no waiting request is answered.
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

const READING_ONLY = 'This token is read-only: it shows everything and changes nothing.'

/** Returns a function that decides whether a request only reads: for RPC calls by name, because all of them are POST. */
function readingOnly(names: ReadonlySet<string>): Parts['isReading'] {
  return ({ method }, { pathname }) =>
    pathname.startsWith('/rpc/')
      ? names.has(pathname.slice('/rpc/'.length))
      : method === 'GET' || method === 'HEAD'
}

/** Loads and creates the HTTP handlers at the first request: the app's window and a command's own host don't need them. */
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
 * Answers a notification button pressed on a phone. The request arrives through a tunnel, under the operator's own host name and without a
 * token: its code is the credential. The code is as long as the token, valid once, and allows one answer. A request by an agent's process
 * is refused here as everywhere.
 */
async function answerByCode(
  request: IncomingMessage,
  response: ServerResponse,
  { pathname }: URL,
  { admit, answer }: Parts,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST')
    return sendText(response, 'Buttons are answered by POST: press it where you got it.\n', TEXT, 405)
  }
  const { refusal } = await admit({ request, pathname: ANSWER_PATH, isPage: false })
  if (refusal !== null || answer === null)
    return sendText(response, `${refusal ?? 'There is none.'}\n`, TEXT, 403)
  const { status, words } = await answer(pathname.slice(ANSWER_PATH.length))
  sendText(response, `${words}\n`, TEXT, status)
}

const TEXT = 'text/plain; charset=utf-8'

/** Accepts only a path: an absolute target would name another host, bypassing the check of `Host`. */
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

/** Methods of the paths that the server handles itself, before a procedure is involved. */
const SESSION_METHODS: Readonly<Record<string, readonly string[]>> = {
  '/api/session': ['POST'],
  '/api/session/code': ['POST'],
  '/api/session/reading-token': ['GET'],
}

function opensSession({ method }: IncomingMessage, url: URL): boolean {
  if (method === 'GET' && url.pathname === '/') return url.searchParams.has('code')
  return method === 'POST' && url.pathname === '/api/session'
}

/** Returns a code for another page, and the read-only token, to a client that sends a token. */
function giveSession(
  request: IncomingMessage,
  response: ServerResponse,
  { pathname }: URL,
  { guard, codes }: Parts,
): void {
  const readsOnly = guard.readsOnly(request)
  if (!guard.showsToken(request) || (readsOnly && pathname !== '/api/session/code')) {
    const message = readsOnly ? READING_ONLY : 'Send a token to get a code.'
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

/** Exchanges a one-time code for the page's cookie, and removes it from the address. */
async function openSession(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { guard, codes }: Parts,
): Promise<void> {
  const isPlain = url.pathname === '/api/session'
  const code = isPlain ? await codeInBody(request) : (url.searchParams.get('code') ?? '')
  // Keep the page's existing cookie, for example after a reload.
  const isKnown = !isPlain && guard.showsCookie(request)
  const opened = codes.take(code)
  if (opened === null && !isKnown) {
    const message =
      'The code is not from this server, was already used, or is older than a minute. Get another with "pulseward serve --open".'
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
