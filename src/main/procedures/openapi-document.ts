import type { OpenAPI } from '@orpc/contract'
import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { contract } from '../../api/api.ts'
import { liveEventSchema } from '../../api/schemas/live-event.ts'
import { SESSION_OPERATIONS } from './session-operations.ts'

const errorSchema: OpenAPI.SchemaObject = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: { code: { type: 'string' }, message: { type: 'string' } },
      required: ['code', 'message'],
    },
  },
  required: ['error'],
}

const errorReference = { $ref: '#/components/schemas/Error' }
const errorContent = { 'application/json': { schema: errorReference } }

const commonResponses = {
  401: { description: 'No token, or a wrong one', content: errorContent },
  403: { description: 'Foreign Host or Origin', content: errorContent },
}

const workspaceParameter: OpenAPI.ParameterObject = {
  name: 'workspace',
  in: 'query',
  description: 'Workspace id; may be left out where there is only one',
  schema: { type: 'string' },
}

/** Creates the OpenAPI document of everything under `/api`, of `/healthz` and of `/metrics`, with the paths as they are requested. */
export async function createOpenApiDocument(version: string): Promise<OpenAPI.Document> {
  const schemaConverter = new ZodToJsonSchemaConverter()
  const document = await new OpenAPIGenerator({ schemaConverters: [schemaConverter] }).generate(contract, {
    info: { title: 'Pulseward', version },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
    filter: ({ contract: procedure }) => procedure['~orpc'].route.path !== undefined,
    customErrorResponseBodySchema: () => errorReference,
  })
  const [, eventSchema] = schemaConverter.convert(liveEventSchema, { strategy: 'output' })
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => [
    `/api${path}`,
    completed(item ?? {}),
  ])
  return {
    ...document,
    paths: {
      ...Object.fromEntries(paths),
      '/api/events': { get: eventsOperation(eventSchema) },
      '/api/timeline/export': { get: exportOperation },
      '/api/fleet/timeline/export': { get: fleetExportOperation },
      ...SESSION_OPERATIONS,
      '/healthz': { get: healthOperation },
      '/metrics': { get: metricsOperation },
    },
  }
}

/** Adds what applies to every operation and is not in the contract: errors, and the workspace in the address. */
function completed(item: OpenAPI.PathItemObject): OpenAPI.PathItemObject {
  const result: OpenAPI.PathItemObject = {}
  for (const method of ['get', 'put', 'post', 'delete'] as const) {
    const operation = item[method]
    if (operation === undefined) continue
    const takesWorkspace = JSON.stringify(operation.requestBody ?? {}).includes('"workspace"')
    result[method] = {
      ...operation,
      parameters: [...(operation.parameters ?? []), ...(takesWorkspace ? [workspaceParameter] : [])],
      responses: { ...operation.responses, ...commonResponses },
    }
  }
  return result
}

function eventsOperation(eventSchema: object): OpenAPI.OperationObject {
  return {
    operationId: 'events',
    summary: 'Live events, from the current score on',
    description:
      'Each event is named by its `type`; its data is one JSON object. A client that falls behind is told to fetch again (`workspace-updated`).',
    parameters: [{ ...workspaceParameter, description: 'Events of this workspace only' }],
    responses: {
      200: { description: 'Server-sent events', content: { 'text/event-stream': { schema: eventSchema } } },
      404: { description: 'No such workspace', content: errorContent },
      ...commonResponses,
    },
  }
}

const exportParameter = (name: string, description: string): OpenAPI.ParameterObject => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
})

const exportOperation: OpenAPI.OperationObject = {
  operationId: 'timeline.export',
  summary: 'The timeline as one document',
  description:
    'Filtered like `/api/timeline`. In CSV, cells that a spreadsheet would take for a formula begin with an apostrophe.',
  parameters: [
    workspaceParameter,
    exportParameter('format', '`json` (an array) or `csv`'),
    exportParameter('kinds', 'With commas between them'),
    exportParameter('types', 'With commas between them'),
    exportParameter('severity', '`critical`, `warning` or `info`'),
    exportParameter('task', 'Task id'),
    exportParameter('cycle', 'Number of the heartbeat'),
    exportParameter('text', 'Words that the entry contains'),
  ],
  responses: {
    200: {
      description: 'The entries, newest first',
      content: {
        'application/json': { schema: { type: 'array', items: { type: 'object' } } },
        'text/csv': { schema: { type: 'string' } },
      },
    },
    400: { description: 'No such filter', content: errorContent },
    404: { description: 'No such workspace', content: errorContent },
    ...commonResponses,
  },
}

const fleetExportOperation: OpenAPI.OperationObject = {
  operationId: 'fleet.export',
  summary: 'For a center: the timeline of all its hosts as one document',
  description: 'As `/api/timeline/export`, with `host` and `workspace` before each entry.',
  parameters: [
    exportParameter('format', '`json` (an array) or `csv`'),
    exportParameter('host', 'Of this host alone'),
    exportParameter('group', 'Of the hosts of this group alone'),
    exportParameter('tag', 'Of the workspaces with this tag alone'),
  ],
  responses: {
    200: exportOperation.responses?.[200] ?? { description: 'The entries, newest first' },
    400: { description: 'No such filter', content: errorContent },
    404: { description: 'Nothing of that kind', content: errorContent },
    409: { description: 'This host is not the center of a fleet', content: errorContent },
    ...commonResponses,
  },
}

const metricsOperation: OpenAPI.OperationObject = {
  operationId: 'metrics',
  summary: "All workspaces' figures in Prometheus' text format",
  responses: {
    200: { description: 'The figures', content: { 'text/plain': { schema: { type: 'string' } } } },
    ...commonResponses,
  },
}

const healthOperation: OpenAPI.OperationObject = {
  operationId: 'healthz',
  summary: 'Whether the server answers; needs no token',
  security: [],
  responses: {
    200: {
      description: 'It does',
      content: {
        'application/json': {
          schema: { type: 'object', properties: { status: { const: 'ok' } }, required: ['status'] },
        },
      },
    },
  },
}
