import { createORPCClient } from '@orpc/client'
import {
  StandardLink,
  type StandardLinkClient,
  StandardRPCJsonSerializer,
  StandardRPCLinkCodec,
  type StandardRPCSerializer,
} from '@orpc/client/standard'
import type { ApiClient } from '../api/client.ts'
import { COMMAND_HEADER } from '../api/endpoints.ts'
import { CliError } from './cli-error.ts'
import { readJson, send } from './loopback-request.ts'

type Request = Parameters<StandardLinkClient<Record<never, never>>['call']>[0]
type Answer = Awaited<ReturnType<StandardLinkClient<Record<never, never>>['call']>>

/**
 * Returns a client of the host on this machine, which is told the `command` that asks. It only supports JSON answers, because the command
 * line follows no events. Calls reject if nothing answers.
 */
export function createLoopbackClient(url: string, token: string, command?: string): ApiClient {
  const codec = new StandardRPCLinkCodec(jsonOnly() as StandardRPCSerializer, {
    url: new URL('/rpc', url),
    headers: {
      authorization: `Bearer ${token}`,
      ...(command !== undefined && { [COMMAND_HEADER]: command }),
    },
  })
  return createORPCClient(new StandardLink(codec, { call: (request) => call(request) }))
}

/** Returns a serializer like the RPC link's, except that it can't carry files or event streams. */
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
  }).catch(explainBreak)
  return {
    status: answer.statusCode ?? 500,
    headers: answer.headers,
    body: () => readJson(answer),
  }
}

/** Replaces Node's "socket hang up", which means that the other end closed the connection before answering. */
function explainBreak(error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error
  throw new CliError(
    3,
    'UNAVAILABLE',
    'The running Pulseward ended before it had answered. Look with `pulseward status` at what it has recorded, and ask again.',
    { cause: error },
  )
}
