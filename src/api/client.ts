import { createORPCClient, type NestedClient } from '@orpc/client'
import { RPCLink as FetchLink } from '@orpc/client/fetch'
import { RPCLink as PortLink, type SupportedMessagePort } from '@orpc/client/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import type { ApiContract } from './api.ts'

/** Every procedure of the API as a function. A refusal rejects with an `ORPCError` whose `code` the API lists. */
export type ApiClient = ContractRouterClient<ApiContract>

/** A MessagePort of any kind. A port that queues until started (`start`) is started. */
export type ApiPort = SupportedMessagePort & { start?(): void }

/**
 * Returns a client of the loopback server at `url` (its origin, such as `http://127.0.0.1:4170`). It sends `token` as a bearer
 * token; without one only the page's cookie counts, so only a page of that server gets through. Calls reject with the `fetch`
 * error (`TypeError`) if no server answers, and with the code `UNAUTHORIZED` for a wrong token.
 */
export function createHttpClient<Client extends NestedClient<Record<never, never>> = ApiClient>(options: {
  url: string
  token?: string
}): Client {
  const { url, token } = options
  return createORPCClient(
    new FetchLink({
      url: new URL('/rpc', url),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    }),
  )
}

/** Returns a client of the host at the other end of `port`. Pending calls reject when the port closes. */
export function createPortClient<Client extends NestedClient<Record<never, never>> = ApiClient>(
  port: ApiPort,
): Client {
  const client: Client = createORPCClient(new PortLink({ port }))
  port.start?.()
  return client
}
