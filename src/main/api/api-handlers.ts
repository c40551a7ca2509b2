import type { IncomingMessage, ServerResponse } from 'node:http'
import { OpenAPIHandler } from '@orpc/openapi/node'
import { RPCHandler } from '@orpc/server/node'
import type { HostService } from '../ports/host-service.ts'
import type { Log } from '../ports/log.ts'
import { writeEventStream } from './event-stream.ts'
import { liveEvents } from './live-events.ts'
import { createOpenApiDocument, isPlainProcedure } from './openapi-document.ts'
import { toApiError } from './problems.ts'
import { renderMetrics } from './prometheus.ts'
import { readJsonBody } from './request-body.ts'
import { errorBody, sendError, sendJson, sendText } from './respond.ts'
import { createRouter } from './router.ts'
import { sendTimeline } from './timeline-export.ts'

export interface ApiHandlerOptions {
  readonly service: HostService
  readonly log: Log
  readonly limits: { readonly maxBodyBytes: number; readonly eventKeepAliveMs: number }
  /** Aborted when the server stops: open event streams end. */
  readonly stopping: AbortSignal
}

/** What answers everything under `/api` and `/rpc`, and `/metrics`, for clients that have been let in. */
export function createApiHandlers(options: ApiHandlerOptions) {
  const { service, log, limits, stopping } = options
  const router = createRouter(service, log)
  let document: ReturnType<typeof createOpenApiDocument> | null = null
  const openApi = new OpenAPIHandler(router, {
    filter: ({ path }) => isPlainProcedure(path),
    customErrorResponseBodyEncoder: errorBody,
  })
  const rpc = new RPCHandler(router)

  return async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const isRpc = url.pathname.startsWith('/rpc')
    const audience = isRpc ? 'rpc' : 'api'
    if (request.method === 'GET' && url.pathname === '/api/openapi.json') {
      document ??= createOpenApiDocument(service.status().version)
      return sendJson(response, 200, await document)
    }
    if (request.method === 'GET' && url.pathname === '/metrics') {
      const { text, contentType } = await renderMetrics(service.figures(), service.status().version)
      return sendText(response, text, contentType)
    }
    if (request.method === 'GET' && url.pathname === '/api/timeline/export')
      return exportTimeline(response, url)
    const workspace = url.searchParams.get('workspace') ?? undefined
    if (request.method === 'GET' && url.pathname === '/api/events') return sendEvents(response, workspace)
    const body = await readJsonBody(request, limits.maxBodyBytes)
    if (body.kind === 'gone') return
    if (body.kind === 'refused') return sendError(response, audience, body.refusal)
    // oRPC takes a `body` that is there for the parsed one. A request without one is a request without fields.
    const parsed = Object.assign(request, { body: body.value === undefined ? {} : body.value })
    const { matched } = isRpc
      ? await rpc.handle(parsed, response, { prefix: '/rpc', context: { stopping } })
      : await openApi.handle(parsed, response, { prefix: '/api', context: { workspace } })
    if (matched) return
    const message = `No such endpoint: ${request.method} ${url.pathname}. GET /api/openapi.json lists them all.`
    sendError(response, audience, { status: 404, code: 'NOT_FOUND', message })
  }

  async function exportTimeline(response: ServerResponse, url: URL): Promise<void> {
    try {
      await sendTimeline(response, service, url.searchParams)
    } catch (error) {
      sendError(response, 'api', toApiError(error, 'timeline.export', log))
    }
  }

  async function sendEvents(response: ServerResponse, workspace: string | undefined): Promise<void> {
    try {
      await writeEventStream(response, liveEvents(service, workspace, [stopping]), limits.eventKeepAliveMs)
    } catch (error) {
      sendError(response, 'api', toApiError(error, 'events', log))
    }
  }
}
