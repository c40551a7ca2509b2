import type { IncomingMessage } from 'node:http'
import { createORPCClient } from '@orpc/client'
import {
  StandardLink,
  type StandardLinkClient,
  StandardRPCJsonSerializer,
  StandardRPCLinkCodec,
  type StandardRPCSerializer,
} from '@orpc/client/standard'
import type { ApiClient } from '../api/client.ts'

type Request = Parameters<StandardLinkClient<Record<never, never>>['call']>[0]
type Answer = Awaited<ReturnType<StandardLinkClient<Record<never, never>>['call']>>

/**
 * A client of the host on this machine, for answers that are JSON: the command line follows no events. The global `fetch`, and all that
 * names one of its classes, takes longer to load than the rest of a command, and gives up when the first byte takes five minutes,
 * while a heartbeat may take hours; this one waits as long as the connection stands. Calls reject where nothing answers.
 */
export function createLoopbackClient(url: string, token: string): ApiClient {
  const codec = new StandardRPCLinkCodec(jsonOnly() as StandardRPCSerializer, {
    url: new URL('/rpc', url),
    headers: { authorization: `Bearer ${token}` },
  })
  return createORPCClient(new StandardLink(codec, { call: (request) => call(request) }))
}

/** As the RPC link has it, but for files and event streams. */
function jsonOnly(): Pick<StandardRPCSerializer, 'serialize' | 'deserialize'> {
  const serializer = new StandardRPCJsonSerializer()
  return {
    serialize: (data) => {
      const [json, meta] = serializer.serialize(data)
      return { json, meta: meta.length === 0 ? undefined : meta }
    },
    deserialize: (data) => {
      if (data === undefined) return undefined
      const { json, meta = [] } = data as {
        json: unknown
        meta?: Parameters<typeof serializer.deserialize>[1]
      }
      return serializer.deserialize(json, meta)
    },
  }
}

async function call({ url, method, headers, body, signal }: Request): Promise<Answer> {
  const text = body === undefined ? null : JSON.stringify(body)
  const answer = await send(url, {
    method,
    headers: {
      ...headers,
      ...(text !== null && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      }),
    },
    ...(signal && { signal }),
    text,
  })
  return {
    status: answer.statusCode ?? 500,
    headers: answer.headers,
    body: () => readJson(answer),
  }
}

interface Sending {
  readonly method: string
  readonly headers: Request['headers']
  readonly signal?: AbortSignal
  readonly text: string | null
}

function send(url: URL, { text, ...options }: Sending): Promise<IncomingMessage> {
  // Imported the other way, all that this module has is looked at, and `fetch` loaded for it.
  const { request } = process.getBuiltinModule('node:http')
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, resolve)
    outgoing.on('error', reject)
    outgoing.end(text ?? undefined)
  })
}

async function readJson(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}
