import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { fleetExportInput } from '../../api/procedures/fleet.ts'
import { timelineExportInput } from '../../api/procedures/timeline.ts'
import { RequestProblem } from '../../api/request-problem.ts'
import { withoutSecrets } from '../../core/text/secrets.ts'
import { clientGone, writeAtPace } from '../api/client-pace.ts'
import type { HostParts } from '../host/host-parts.ts'
import { centreOf, entryFilterOf, fleetDocument } from './fleet.ts'
import { filterOf, timelineDocument } from './timeline.ts'

const CONTENT_TYPES = { json: 'application/json', csv: 'text/csv; charset=utf-8' } as const

/**
 * Answers `GET /api/timeline/export`. Rejects with a `RequestProblem` before anything is written if the filter is invalid or the workspace
 * unknown.
 */
export async function sendTimeline(
  response: ServerResponse,
  { workspaces }: HostParts,
  query: URLSearchParams,
): Promise<void> {
  const input = parsed(timelineExportInput, query)
  const { workspace, format } = input
  const timeline = workspaces.get(workspace)
  await sendDocument(response, format, () => timelineDocument(timeline, filterOf(input), format))
}

/** Answers `GET /api/fleet/timeline/export`. Rejects with a `RequestProblem` if this host is not a center, or the filter is invalid. */
export async function sendFleetTimeline(
  response: ServerResponse,
  { fleet }: HostParts,
  query: URLSearchParams,
): Promise<void> {
  const { format, ...input } = parsed(fleetExportInput, query)
  const centre = centreOf(fleet)
  await sendDocument(response, format, (signal) =>
    fleetDocument(centre, entryFilterOf(input), format, signal),
  )
}

function parsed<T>(schema: z.ZodType<T>, query: URLSearchParams): T {
  const input = schema.safeParse(Object.fromEntries(query))
  if (!input.success) throw new RequestProblem('bad-request', z.prettifyError(input.error))
  return input.data
}

/**
 * Writes one document while it is read: the reader sets the pace, and memory does not grow with the record's length. `documentOf` stops
 * reading when the reader is gone.
 */
async function sendDocument(
  response: ServerResponse,
  format: 'json' | 'csv',
  documentOf: (signal: AbortSignal) => AsyncGenerator<string, undefined, void>,
): Promise<void> {
  const gone = clientGone(response)
  for await (const piece of documentOf(gone)) {
    if (gone.aborted) return
    if (!response.headersSent) {
      response.writeHead(200, {
        'content-type': CONTENT_TYPES[format],
        'content-disposition': `attachment; filename="timeline.${format}"`,
      })
    }
    await writeAtPace(response, withoutSecrets(piece), gone)
  }
  response.end()
}
