import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RequestProblem } from '../../api/request-problem.ts'
import type { Admit } from '../ports/admission.ts'
import type { Log } from '../ports/log.ts'
import { createApiHandlers, type Served } from './api-handlers.ts'
import { createRequestGuard, type RequestGuard } from './request-guard.ts'
import { type Audience, sendError, sendJson, setSecurityHeaders } from './respond.ts'
import { createStaticFiles, type StaticFiles, sendNotFound } from './static-files.ts'

/** Never another address: the API can run commands, so it is for programs of this machine only. */
const LOOPBACK = '127.0.0.1'

export interface HttpServerOptions<Context extends object> {
  readonly served: Served<Context>
  /** What a client must show: at least 128 random bits, printable, without white space. */
  readonly token: string
  /** 0: any that is free. */
  readonly port: number
  /** The built renderer; `null`: no page is served. */
  readonly staticDirectory: string | null
  /** Whose word a request is decides what it may ask; left out: whoever shows the token may ask everything. */
  readonly admit?: Admit
  readonly log: Log
  readonly limits?: Partial<HttpLimits>
}

/** What one client may take of the server. */
export interface HttpLimits {
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
  maxBodyBytes: 4 * 1024 * 1024,
  stopGraceMs: 5_000,
}

/** The running server. */
export interface HttpServer {
  /** `http://127.0.0.1:PORT`, without a token. */
  readonly url: string
  readonly port: number
  /** Ends event streams and idle connections, waits for requests being answered (5 s at most), then resolves. */
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
  const staticFiles =
    options.staticDirectory === null ? null : await createStaticFiles(options.staticDirectory)
  const handleApi = createApiHandlers({ ...options, limits, stopping: stopping.signal })
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, 5_000),
  })
  server.maxConnections = limits.maxConnections
  const port = await listen(server, options.port)
  const guard = createRequestGuard(options.token, port)

  // A connection that fails, or that the system has no descriptor for, must not take the host down with it.
  const warn = (error: Error) => options.log.warn('A connection failed', { cause: error.message })
  server.on('error', warn)
  server.on('request', (request, response) => {
    response.on('error', warn)
    response.once('close', () => {
      if (stopping.signal.aborted) server.closeIdleConnections()
    })
    handle(request, response, { guard, handleApi, staticFiles, admit: options.admit ?? admitAll }).catch(
      (error: unknown) => {
        options.log.error('The HTTP server failed to answer', {
          method: request.method,
          cause: error instanceof Error ? error.stack : String(error),
        })
        const message = 'Internal error; the log of the host has its cause.'
        sendError(response, 'api', { status: 500, code: 'INTERNAL', message })
      },
    )
  })

  let stopped: Promise<void> | null = null
  return {
    url: `http://${LOOPBACK}:${port}`,
    port,
    stop() {
      stopped ??= stop(server, stopping, limits.stopGraceMs)
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

async function stop(server: Server, stopping: AbortController, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  stopping.abort()
  server.closeIdleConnections()
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(deadline)
}

interface Parts {
  readonly guard: RequestGuard
  /** Answers what lies under `/api` and `/rpc`, and `/metrics`, for a client already let in. */
  readonly handleApi: (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>
  readonly staticFiles: StaticFiles | null
  readonly admit: Admit
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
  const audience = audienceOf(url.pathname)
  const foreign = guard.refuseForeign(request)
  if (foreign !== null) return sendError(response, audience, foreign)
  if (url.pathname === '/healthz') return sendJson(response, 200, { status: 'ok' })
  if (request.method === 'GET' && url.pathname === '/' && url.searchParams.has('token')) {
    return exchangeToken(response, url, guard)
  }
  const unknown = guard.refuseUnknown(request)
  if (unknown !== null) return sendError(response, audience, unknown)
  const isPage = request.headers.authorization === undefined
  const { refusal, inName } = await admit({ request, pathname: url.pathname, isPage })
  if (refusal !== null) {
    return sendError(response, audience, { status: 403, code: 'FORBIDDEN', message: refusal })
  }
  if (audience !== 'page') return inName(() => handleApi(request, response, url))
  if (staticFiles === null) return sendNotFound(response)
  staticFiles(request, response, url.pathname)
}

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

/** Turns the token of the printed address into the page's cookie, and takes it out of the address. */
function exchangeToken(response: ServerResponse, url: URL, guard: RequestGuard): void {
  if (!guard.isToken(url.searchParams.get('token') ?? '')) {
    const message = 'The token in the address is not the one of this server.'
    sendError(response, 'page', { status: 401, code: 'UNAUTHORIZED', message })
    return
  }
  url.searchParams.delete('token')
  response.writeHead(303, { 'set-cookie': guard.pageCookie, location: `/${url.search}` }).end()
}
