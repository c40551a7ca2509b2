import { RPCHandler } from '@orpc/server/message-port'
import type { ApiPort } from '../../api/client.ts'
import type { HostService } from '../ports/host-service.ts'
import type { Log } from '../ports/log.ts'
import { createRouter } from './router.ts'

/**
 * Serves the API over one MessagePort (the DOM's, a worker's or Electron's `MessagePortMain`), to whoever holds its other
 * end: no token is asked for. Everything still open ends when the port closes.
 */
export function servePort(port: ApiPort, service: HostService, log: Log): void {
  new RPCHandler(createRouter(service, log)).upgrade(port, { context: {} })
  port.start?.()
}
