import { ORPCError } from '@orpc/client'
import { createHttpClient, createPortClient } from '../../../api/client.ts'
import type { Log } from '../../ports/log.ts'
import { startHttpServer } from '../http-server.ts'
import { servePort } from '../message-port.ts'
import type { SmallClient, SmallHost } from './small-host.ts'

export const TEST_TOKEN = 'a-token-for-tests'

/** One request to the API, as a procedure call and as the equivalent HTTP request. */
export interface ApiRequest {
  readonly call: (client: SmallClient) => Promise<unknown>
  readonly http: readonly [method: string, path: string, body?: unknown]
}

/** The result of a request, in the same form for every connection. */
type Outcome =
  | { readonly value: unknown }
  | {
      readonly error: {
        readonly code: string
        readonly status: number
        readonly message: string
        readonly data?: unknown
      }
    }

/** A way to reach a host. */
export interface Connection {
  send(request: ApiRequest): Promise<Outcome>
  /** `null` if there are no typed clients. */
  readonly client: SmallClient | null
  close(): Promise<void>
}

export type Connect = (host: SmallHost, log: Log) => Promise<Connection>

/** Every way to reach a host. */
export const adapters: readonly { readonly name: string; readonly connect: Connect }[] = [
  { name: 'in process', connect: connectInProcess },
  { name: 'over a MessagePort', connect: connectPort },
  { name: 'over HTTP, RPC', connect: connectRpc },
  { name: 'over HTTP, OpenAPI', connect: connectOpenApi },
]

async function connectInProcess({ client }: SmallHost): Promise<Connection> {
  return { client, send: ({ call }) => outcomeOf(call(client)), close: async () => {} }
}

async function connectPort({ served }: SmallHost): Promise<Connection> {
  const { port1, port2 } = new MessageChannel()
  servePort(port1, served.router, { stopping: new AbortController().signal, readsOnly: false })
  const client: SmallClient = createPortClient(port2)
  return { client, send: ({ call }) => outcomeOf(call(client)), close: async () => port2.close() }
}

async function connectRpc({ served }: SmallHost, log: Log): Promise<Connection> {
  const server = await startHttpServer({ served, token: TEST_TOKEN, port: 0, staticDirectory: null, log })
  const client: SmallClient = createHttpClient({ url: server.url, token: TEST_TOKEN })
  return { client, send: ({ call }) => outcomeOf(call(client)), close: () => server.stop() }
}

async function connectOpenApi({ served }: SmallHost, log: Log): Promise<Connection> {
  const server = await startHttpServer({ served, token: TEST_TOKEN, port: 0, staticDirectory: null, log })
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
    const { code, status, message, data } = error
    return { error: { code, status, message, ...(data !== undefined && { data }) } }
  }
}
