import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The world outside this machine, as a program sees it through its proxy settings: everything is refused and noted. */
export interface Outside {
  readonly url: string
  /** Hosts and addresses asked for. */
  readonly asked: readonly string[]
  readonly close: () => Promise<void>
}

export async function startOutside(): Promise<Outside> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(403).end('There is no network in this test.')
  })
  server.on('connect', ({ url }, socket) => {
    asked.push(`CONNECT ${url}`)
    socket.end('HTTP/1.1 403 There is no network in this test\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
