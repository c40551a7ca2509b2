import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Stands in for the internet, as a program finds it through its proxy settings: refuses every request at once. Programs look
 * there for updates, plugins and feature switches; without an answer some of them would wait.
 */
export interface Outside {
  readonly url: string
  readonly close: () => Promise<void>
}

export async function startOutside(): Promise<Outside> {
  const server = createServer((_request, response) => {
    response.writeHead(403).end('There is no network in this test.')
  })
  server.on('connect', (_request, socket) => {
    // A refused client may hang up first.
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 403 There is no network in this test\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
