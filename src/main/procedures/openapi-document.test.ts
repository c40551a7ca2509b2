import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'
import { createOpenApiDocument } from './openapi-document.ts'

interface Operation {
  readonly operationId: string
  readonly parameters?: unknown
  readonly responses: Record<string, { content: unknown }>
}

// The document as it is sent.
const document = JSON.parse(JSON.stringify(await createOpenApiDocument('1.2.3')))

describe('the OpenAPI document', () => {
  const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )

  it('is valid', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it.each([
    'GET /api/status',
    'GET /api/score',
    'GET /api/score/history',
    'POST /api/score/feedback',
    'POST /api/attempts/{id}/overrule',
    'GET /api/workspaces',
    'POST /api/workspaces',
    'GET /api/workspaces/{id}',
    'DELETE /api/workspaces/{id}',
    'GET /api/workspaces/{id}/trust',
    'POST /api/workspaces/{id}/trust',
    'POST /api/sample',
    'GET /api/contract',
    'PUT /api/contract',
    'POST /api/contract/check',
    'POST /api/contract/preview',
    'POST /api/contract/try-hint',
    'POST /api/contract/dry-run',
    'GET /api/tasks',
    'GET /api/tasks/blocked',
    'POST /api/tasks/{id}/unblock',
    'POST /api/tasks/unblock',
    'POST /api/tasks/retry-blocked',
    'POST /api/tasks/sweep',
    'POST /api/heartbeat/run',
    'POST /api/heartbeat/pause',
    'POST /api/heartbeat/resume',
    'GET /api/attempts',
    'GET /api/attempts/{id}',
    'GET /api/interventions',
    'GET /api/interventions/metrics',
    'POST /api/interventions/reset',
    'GET /api/agents/installed',
    'GET /api/agents/{id}/profile',
    'POST /api/heartbeat/lift-suspension',
    'GET /api/permissions',
    'POST /api/permissions/{id}',
    'GET /api/settings',
    'PUT /api/settings',
    'GET /api/configuration',
    'PUT /api/configuration',
    'POST /api/setup/create',
    'GET /api/events',
    'POST /api/session',
    'POST /api/session/code',
    'GET /api/session/reading-token',
    'GET /metrics',
    'GET /healthz',
  ])('lists %s', (name) => {
    expect(operations.map((operation) => operation.name)).toContain(name)
  })

  it('gives each operation a unique name', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(operations.length)
  })

  it.each(operations.filter(({ name }) => name.includes('/api/')))(
    'says what errors $name can return',
    ({ name, operation }) => {
      const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
      expect(operation.responses['401']?.content).toEqual(error)
      // A session can't be missing.
      const other = name.includes('/api/session') ? '403' : '404'
      expect(operation.responses[other]?.content).toEqual(error)
    },
  )

  it.each(['GET /api/score', 'PUT /api/contract', 'POST /api/heartbeat/run', 'GET /api/events'])(
    'lets %s name its workspace in the address',
    (name) => {
      const parameters = operations.find((operation) => operation.name === name)?.operation.parameters
      expect(parameters).toContainEqual(expect.objectContaining({ name: 'workspace', in: 'query' }))
    },
  )
})

describe('a path of the document, requested with another method', () => {
  let host: TemporaryHost

  beforeAll(async () => {
    host = await temporaryHost()
  })

  afterAll(() => host.remove())

  it.each(Object.entries<object>(document.paths))(
    'answers 405 with the methods that %s has',
    async (path, item) => {
      const declared = Object.keys(item).map((method) => method.toUpperCase())
      const response = await fetch(`${host.server.url}${path.replace(/\{\w+\}/g, 'x')}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${host.server.token}` },
      })
      expect(response.status).toBe(405)
      const allowed = response.headers.get('allow')?.split(', ')
      expect(allowed?.filter((method) => method !== 'HEAD')).toEqual(expect.arrayContaining(declared))
      expect(await response.json()).toEqual({
        error: { code: 'METHOD_NOT_SUPPORTED', message: expect.stringContaining(path.split('{')[0] ?? path) },
      })
    },
  )
})
