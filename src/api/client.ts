import { createORPCClient, type NestedClient } from '@orpc/client'
import { RPCLink as FetchLink } from '@orpc/client/fetch'
import { RPCLink as PortLink, type SupportedMessagePort } from '@orpc/client/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import type { ApiContract } from './api.ts'

/** Every procedure of the contract as a function. A refusal rejects with an `ORPCError` whose `code` the contract lists. */
export type ApiClient = ContractRouterClient<ApiContract>

/** A MessagePort of any kind; a port that queues until started (`start`) is started. */
export type ApiPort = SupportedMessagePort & { start?(): void }

/**
 * A client of the loopback server at `url` (its origin, such as `http://127.0.0.1:4170`). With a `token` it sends it as a
 * bearer; without one the page's cookie counts, so only a page of the server itself gets through.
 * Calls reject with the `fetch` error (`TypeError`) where no server answers, and with the code `UNAUTHORIZED` for a wrong token.
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

/** A client of the host at the other end of `port`. Calls pending when the port closes reject. */
export function createPortClient<Client extends NestedClient<Record<never, never>> = ApiClient>(
  port: ApiPort,
): Client {
  const client: Client = createORPCClient(new PortLink({ port }))
  port.start?.()
  return client
}
