import type { Takes } from './procedures/base.ts'

/** By it a command line says which command it is, for people; it says nothing of who asks. */
export const COMMAND_HEADER = 'pulseward-command'

/** What the host answers over HTTP beside the procedures, and whose requests each takes. */
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
    summary: 'Of a centre: the timeline of the fleet as a file',
  },
  { method: 'GET', path: '/metrics', takes: 'program', summary: 'Figures for Prometheus' },
  {
    method: 'GET',
    path: '/api/session/reading-token',
    takes: 'program',
    summary: 'The token that shows everything and changes nothing',
  },
  {
    method: 'POST',
    path: '/api/session/code',
    takes: 'operator',
    summary: 'A code that opens the page, whose requests are the operator’s',
  },
]
