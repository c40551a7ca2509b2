import type { AnyRouter, Router } from '@orpc/server'
import { RPCHandler } from '@orpc/server/message-port'
import type { ApiPort } from '../../api/client.ts'

/**
 * Serves a router over one MessagePort (the DOM's, a worker's or Electron's `MessagePortMain`), without a token, to the holder of
 * its other end. Everything still open ends when the port closes.
 */
export function servePort<Context extends object>(
  port: ApiPort,
  // biome-ignore lint/suspicious/noExplicitAny: -- any contract is served
  router: Router<any, Context>,
  context: Context,
): void {
  const anyRouter: AnyRouter = router
  new RPCHandler(anyRouter).upgrade(port, { context })
  port.start?.()
}
