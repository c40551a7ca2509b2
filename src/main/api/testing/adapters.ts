import { ORPCError } from '@orpc/client'
import { createRouterClient } from '@orpc/server'
import { type ApiClient, createHttpClient, createPortClient } from '../../../api/client.ts'
import type { HostService } from '../../ports/host-service.ts'
import type { Log } from '../../ports/log.ts'
import { startHttpServer } from '../http-server.ts'
import { servePort } from '../message-port.ts'
import { createRouter } from '../router.ts'

export const TEST_TOKEN = 'a-token-for-tests'

/** One request to the API, as a procedure call and as the HTTP request that means the same. */
export interface ApiRequest {
  readonly call: (client: ApiClient) => Promise<unknown>
  readonly http: readonly [method: string, path: string, body?: unknown]
}

/** What came of a request, in the same form whichever way it went. */
type Outcome =
  | { readonly value: unknown }
  | { readonly error: { readonly code: string; readonly status: number; readonly message: string } }

/** A way to reach a host. */
export interface Connection {
  send(request: ApiRequest): Promise<Outcome>
  /** `null` where there are no typed clients. */
  readonly client: ApiClient | null
  close(): Promise<void>
}

export type Connect = (service: HostService, log: Log) => Promise<Connection>

/** Every way to reach a host. */
export const adapters: readonly { readonly name: string; readonly connect: Connect }[] = [
  { name: 'in process', connect: connectInProcess },
  { name: 'over a MessagePort', connect: connectPort },
  { name: 'over HTTP, RPC', connect: connectRpc },
  { name: 'over HTTP, OpenAPI', connect: connectOpenApi },
]

async function connectInProcess(service: HostService, log: Log): Promise<Connection> {
  const client: ApiClient = createRouterClient(createRouter(service, log), { context: {} })
  return { client, send: ({ call }) => outcomeOf(call(client)), close: async () => {} }
}

async function connectPort(service: HostService, log: Log): Promise<Connection> {
  const { port1, port2 } = new MessageChannel()
  servePort(port1, service, log)
  const client = createPortClient(port2)
  return { client, send: ({ call }) => outcomeOf(call(client)), close: async () => port2.close() }
}

async function connectRpc(service: HostService, log: Log): Promise<Connection> {
  const server = await startHttpServer({ service, token: TEST_TOKEN, port: 0, staticDirectory: null, log })
  const client = createHttpClient({ url: server.url, token: TEST_TOKEN })
  return { client, send: ({ call }) => outcomeOf(call(client)), close: () => server.stop() }
}

async function connectOpenApi(service: HostService, log: Log): Promise<Connection> {
  const server = await startHttpServer({ service, token: TEST_TOKEN, port: 0, staticDirectory: null, log })
  const send = async ({ http: [method, path, body] }: ApiRequest): Promise<Outcome> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${TEST_TOKEN}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const answer = await response.json()
    return response.ok ? { value: answer } : { error: { ...answer.error, status: response.status } }
  }
  return { client: null, send, close: () => server.stop() }
}

async function outcomeOf(answer: Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await answer }
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error
    return { error: { code: error.code, status: error.status, message: error.message } }
  }
}
