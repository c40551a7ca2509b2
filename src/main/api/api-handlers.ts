import type { IncomingMessage, ServerResponse } from 'node:http'
import { OpenAPIHandler } from '@orpc/openapi/node'
import type { AnyRouter, Router } from '@orpc/server'
import { RPCHandler } from '@orpc/server/node'
import type { Log } from '../ports/log.ts'
import { toApiError } from './problems.ts'
import { readJsonBody } from './request-body.ts'
import { errorBody, sendError } from './respond.ts'

/** What the transport knows of a request, for its context. */
export interface Arrival {
  /** `?workspace=ID` of a plain request. */
  readonly workspace?: string
  /** Whoever asks may look only. */
  readonly readsOnly: boolean
  /** Aborted when the server stops: open event streams end. */
  readonly stopping: AbortSignal
}

/** A GET that is answered by other means than a procedure's JSON. What it throws is answered as a procedure's error is. */
export type Endpoint = (
  query: URLSearchParams,
  response: ServerResponse,
  stopping: AbortSignal,
) => Promise<void>

/** What a server answers with: a router with the context that its procedures need, and other endpoints by path. */
export interface Served<Context extends object> {
  // biome-ignore lint/suspicious/noExplicitAny: -- any contract is served
  readonly router: Router<any, Context>
  readonly context: (arrival: Arrival) => Context
  readonly endpoints: Readonly<Record<`/${string}`, Endpoint>>
  /** The procedures that change nothing, as in `score/get`. */
  readonly reading: ReadonlySet<string>
}

export interface ApiHandlerOptions<Context extends object> {
  readonly served: Served<Context>
  readonly log: Log
  readonly limits: { readonly maxBodyBytes: number }
  readonly stopping: AbortSignal
}

/** What answers everything under `/api` and `/rpc`, and the endpoints, for clients that have been let in. */
export function createApiHandlers<Context extends object>(options: ApiHandlerOptions<Context>) {
  const { log, limits, stopping } = options
  const { context, endpoints } = options.served
  const router: AnyRouter = options.served.router
  const openApi = new OpenAPIHandler(router, {
    // A procedure without a path answers bit by bit: over plain HTTP it is an endpoint.
    filter: ({ contract }) => contract['~orpc'].route.path !== undefined,
    customErrorResponseBodyEncoder: errorBody,
  })
  const rpc = new RPCHandler(router)

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    readsOnly: boolean,
  ): Promise<void> => {
    const endpoint = request.method === 'GET' ? endpoints[url.pathname as `/${string}`] : undefined
    if (endpoint !== undefined) {
      try {
        return await endpoint(url.searchParams, response, stopping)
      } catch (error) {
        return sendError(response, 'api', toApiError(error, url.pathname, log))
      }
    }
    const isRpc = url.pathname.startsWith('/rpc')
    const body = await readJsonBody(request, limits.maxBodyBytes)
    if (body.kind === 'gone') return
    if (body.kind === 'refused') return sendError(response, isRpc ? 'rpc' : 'api', body.refusal)
    // oRPC takes a `body` that is there for the parsed one. A request without one is a request without fields.
    const parsed = Object.assign(request, { body: body.value === undefined ? {} : body.value })
    const workspace = url.searchParams.get('workspace')
    const { matched } = isRpc
      ? await rpc.handle(parsed, response, { prefix: '/rpc', context: context({ stopping, readsOnly }) })
      : await openApi.handle(parsed, response, {
          prefix: '/api',
          context: context({ stopping, readsOnly, ...(workspace !== null && { workspace }) }),
        })
    if (matched) return
    const message = `No such endpoint: ${request.method} ${url.pathname}. GET /api/openapi.json lists them all.`
    sendError(response, isRpc ? 'rpc' : 'api', { status: 404, code: 'NOT_FOUND', message })
  }
}
