import type { IncomingMessage, ServerResponse } from 'node:http'
import { OpenAPIHandler } from '@orpc/openapi/node'
import { BodyLimitPlugin, RPCHandler } from '@orpc/server/node'
import type { HostService, Log } from '../ports.ts'
import { writeEventStream } from './event-stream.ts'
import { liveEvents } from './live-events.ts'
import { createOpenApiDocument, isPlainProcedure } from './openapi-document.ts'
import { toApiError } from './problems.ts'
import { errorBody, sendError, sendJson } from './respond.ts'
import { createRouter } from './router.ts'

export interface ApiHandlerOptions {
  readonly service: HostService
  readonly log: Log
  readonly limits: { readonly maxBodyBytes: number; readonly eventKeepAliveMs: number }
  /** Aborted when the server stops: open event streams end. */
  readonly stopping: AbortSignal
}

/** What answers everything under `/api` and `/rpc`, for clients that have been let in. */
export function createApiHandlers(options: ApiHandlerOptions) {
  const { service, log, limits, stopping } = options
  const router = createRouter(service, log)
  let document: ReturnType<typeof createOpenApiDocument> | null = null
  const openApi = new OpenAPIHandler(router, {
    filter: ({ path }) => isPlainProcedure(path),
    plugins: [new BodyLimitPlugin({ maxBodySize: limits.maxBodyBytes })],
    customErrorResponseBodyEncoder: errorBody,
    // A POST without a body is one without fields.
    clientInterceptors: [(call) => call.next({ ...call, input: call.input ?? {} })],
  })
  const rpc = new RPCHandler(router, {
    plugins: [new BodyLimitPlugin({ maxBodySize: limits.maxBodyBytes })],
  })

  return async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const isRpc = url.pathname.startsWith('/rpc')
    const audience = isRpc ? 'rpc' : 'api'
    if (!hasReadableBody(request)) {
      const message = 'Send the body as JSON, with "Content-Type: application/json".'
      return sendError(response, audience, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message })
    }
    if (request.method === 'GET' && url.pathname === '/api/openapi.json') {
      document ??= createOpenApiDocument(service.status().version)
      return sendJson(response, 200, await document)
    }
    const workspace = url.searchParams.get('workspace') ?? undefined
    if (request.method === 'GET' && url.pathname === '/api/events') return sendEvents(response, workspace)
    const { matched } = isRpc
      ? await rpc.handle(request, response, { prefix: '/rpc', context: { stopping } })
      : await openApi.handle(request, response, { prefix: '/api', context: { workspace } })
    if (matched) return
    const message = `No such endpoint: ${request.method} ${url.pathname}. GET /api/openapi.json lists them all.`
    sendError(response, audience, { status: 404, code: 'NOT_FOUND', message })
  }

  async function sendEvents(response: ServerResponse, workspace: string | undefined): Promise<void> {
    try {
      await writeEventStream(response, liveEvents(service, workspace, [stopping]), limits.eventKeepAliveMs)
    } catch (error) {
      sendError(response, 'api', toApiError(error, 'events', log))
    }
  }
}

/** The API reads JSON and nothing else; forms are what foreign pages can send without being asked. */
function hasReadableBody({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']
  return type === undefined || /^application\/json *(;|$)/i.test(type)
}
