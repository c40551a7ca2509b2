import type { IncomingMessage, ServerResponse } from 'node:http'
import { OpenAPIHandler } from '@orpc/openapi/node'
import type { StandardOpenAPIMatcherOptions } from '@orpc/openapi/standard'
import type { AnyRouter, Router } from '@orpc/server'
import { RPCHandler } from '@orpc/server/node'
import type { StandardHandleResult } from '@orpc/server/standard'
import type { Log } from '../ports/log.ts'
import { allowedMethodsOf } from './allowed-methods.ts'
import { toApiError } from './problems.ts'
import { readJsonBody } from './request-body.ts'
import { errorBody, sendError, sendWrongMethod } from './respond.ts'

/** What the transport knows about a request, for the procedure's context. */
export interface Arrival {
  /** `?workspace=ID` in the address of a plain request. */
  readonly workspace?: string
  /** True if the client may only read. */
  readonly readsOnly: boolean
  /** Aborted when the server stops; ends open event streams. */
  readonly stopping: AbortSignal
}

/** A GET endpoint outside the procedures. Its errors are handled like a procedure's. */
export type Endpoint = (
  query: URLSearchParams,
  response: ServerResponse,
  stopping: AbortSignal,
) => Promise<void>

/** What a server serves: a router with the context that its procedures need, and other endpoints by path. */
export interface Served<Context extends object> {
  // biome-ignore lint/suspicious/noExplicitAny: -- any contract is served
  readonly router: Router<any, Context>
  readonly context: (arrival: Arrival) => Context
  readonly endpoints: Readonly<Record<`/${string}`, Endpoint>>
  /** The names of procedures that change nothing, such as `score/get`. */
  readonly reading: ReadonlySet<string>
}

export interface ApiHandlerOptions<Context extends object> {
  readonly served: Served<Context>
  readonly log: Log
  readonly limits: { readonly maxBodyBytes: number }
  readonly stopping: AbortSignal
}

/** Handles everything under `/api` and `/rpc`, and the endpoints, for authorized clients. */
export function createApiHandlers<Context extends object>(options: ApiHandlerOptions<Context>) {
  const { log, limits, stopping } = options
  const { context, endpoints } = options.served
  const router: AnyRouter = options.served.router
  // A procedure without a path streams its answer; over plain HTTP it is an endpoint.
  const matching: StandardOpenAPIMatcherOptions = {
    filter: ({ contract }) => contract['~orpc'].route.path !== undefined,
  }
  const openApi = new OpenAPIHandler(router, { ...matching, customErrorResponseBodyEncoder: errorBody })
  const allowedMethods = allowedMethodsOf(router, matching)
  const rpc = new RPCHandler(router, { rootInterceptors: [withAllow] })

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    readsOnly: boolean,
  ): Promise<void> => {
    const { method = 'GET' } = request
    const isRpc = url.pathname.startsWith('/rpc')
    const endpoint = endpoints[url.pathname as `/${string}`]
    // An RPC call has its method in its name. For other paths, a wrong method is reported before the body is read; the body doesn't matter
    // then.
    const allowed = isRpc ? [] : endpoint === undefined ? await allowedMethods(url.pathname) : ['GET']
    if (allowed.length > 0 && !allowed.includes(method)) {
      return sendWrongMethod(response, 'api', { method, pathname: url.pathname, allowed })
    }
    if (endpoint !== undefined) {
      try {
        return await endpoint(url.searchParams, response, stopping)
      } catch (error) {
        return sendError(response, 'api', toApiError(error, url.pathname, log))
      }
    }
    const body = await readJsonBody(request, limits.maxBodyBytes)
    if (body.kind === 'gone') return
    if (body.kind === 'refused') return sendError(response, isRpc ? 'rpc' : 'api', body.refusal)
    // oRPC takes an existing `body` as the parsed one. A request without a body is a request without fields.
    const parsed = Object.assign(request, { body: body.value === undefined ? {} : body.value })
    const workspace = url.searchParams.get('workspace')
    const { matched } = isRpc
      ? await rpc.handle(parsed, response, { prefix: '/rpc', context: context({ stopping, readsOnly }) })
      : await openApi.handle(parsed, response, {
          prefix: '/api',
          context: context({ stopping, readsOnly, ...(workspace !== null && { workspace }) }),
        })
    if (matched) return
    const message = `No such endpoint: ${method} ${url.pathname}. GET /api/openapi.json lists them all.`
    sendError(response, isRpc ? 'rpc' : 'api', { status: 404, code: 'NOT_FOUND', message })
  }
}

/** Adds the `Allow` header that a 405 requires: the library refuses changes through GET without sending it. */
async function withAllow({
  next,
}: {
  next: () => Promise<StandardHandleResult>
}): Promise<StandardHandleResult> {
  const result = await next()
  if (!result.matched || result.response.status !== 405) return result
  const { headers } = result.response
  return { ...result, response: { ...result.response, headers: { ...headers, allow: 'POST' } } }
}
