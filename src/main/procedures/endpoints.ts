import type { OpenAPI } from '@orpc/contract'
import type { Endpoint } from '../api/api-handlers.ts'
import { writeEventStream } from '../api/event-stream.ts'
import { sendJson, sendText } from '../api/respond.ts'
import type { HostParts } from '../host/host-parts.ts'
import { liveEvents } from './live-events.ts'
import { renderMetrics } from './metrics.ts'
import { sendFleetTimeline, sendTimeline } from './timeline-export.ts'
import { figuresOf } from './workspace-figures.ts'

/** Returns what is requested by GET but is not JSON from a procedure: documents, figures and streams. */
export function endpointsOf(host: HostParts): Readonly<Record<`/${string}`, Endpoint>> {
  let document: Promise<OpenAPI.Document> | null = null
  return {
    '/api/openapi.json': async (_query, response) => {
      document ??= describe(host.version)
      sendJson(response, 200, await document)
    },
    '/metrics': async (_query, response) => {
      await host.workspaces.whenFewAreOpen()
      const { centre } = host.fleet
      const own = {
        version: host.version,
        delay: host.eventLoopDelay(),
        dailyBudgetUsd: (await host.settings.read()).settings.limits.dailyBudgetUsd,
      }
      await centre?.caughtUp()
      const fleet = centre === null ? null : { hosts: centre.hosts(), workspaces: centre.figures() }
      const { text, contentType } = await renderMetrics(host.workspaces.all().map(figuresOf), own, fleet)
      sendText(response, text, contentType)
    },
    '/api/timeline/export': async (query, response) => {
      await host.workspaces.whenOpen(query.get('workspace') ?? undefined)
      await sendTimeline(response, host, query)
    },
    '/api/fleet/timeline/export': (query, response) => sendFleetTimeline(response, host, query),
    '/api/events': async (query, response, stopping) => {
      const workspace = query.get('workspace') ?? undefined
      await (workspace === undefined ? host.workspaces.whenFewAreOpen() : host.workspaces.whenOpen(workspace))
      await writeEventStream(response, liveEvents(host, { workspace }, [stopping]))
    },
  }
}

/** Loaded on demand: few ask for it, and its generator is a separate library. */
async function describe(version: string): Promise<OpenAPI.Document> {
  const { createOpenApiDocument } = await import('./openapi-document.ts')
  return createOpenApiDocument(version)
}
