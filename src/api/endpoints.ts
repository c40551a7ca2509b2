import type { Takes } from './procedures/base.ts'

/** The header in which the command line names its command, for people. It doesn't identify the sender. */
export const COMMAND_HEADER = 'pulseward-command'

/** What the host answers over HTTP in addition to the procedures, and whose requests each endpoint accepts. */
interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly takes: Takes
  readonly summary: string
}

export const ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/api/openapi.json', takes: 'program', summary: 'The API as OpenAPI' },
  { method: 'GET', path: '/api/events', takes: 'program', summary: 'Live events' },
  { method: 'GET', path: '/api/timeline/export', takes: 'program', summary: 'The timeline as a file' },
  {
    method: 'GET',
    path: '/api/fleet/timeline/export',
    takes: 'program',
    summary: 'For a center: the timeline of the fleet as a file',
  },
  { method: 'GET', path: '/metrics', takes: 'program', summary: 'Metrics for Prometheus' },
  {
    method: 'GET',
    path: '/api/session/reading-token',
    takes: 'program',
    summary: 'A token that can read everything and change nothing',
  },
  {
    method: 'POST',
    path: '/api/session/code',
    takes: 'operator',
    summary: 'A code that opens the page, whose requests count as the operator’s',
  },
]
