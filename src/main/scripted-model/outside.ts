import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Acts as the internet that a program finds through its proxy settings: refuses every request at once, except to loopback. Programs look
 * there for updates, plugins and feature switches; without an answer some of them would wait.
 */
export interface Outside {
  readonly url: string
  readonly close: () => Promise<void>
}

export async function startOutside(): Promise<Outside> {
  const server = createServer((_request, response) => {
    response.writeHead(403).end('There is no network here.')
  })
  server.on('connect', ({ url = '' }, socket: Duplex) => {
    // A refused client may disconnect first.
    socket.on('error', () => undefined)
    // Some programs send the proxy even the requests that they should make directly.
    const port = /^(?:127\.0\.0\.1|localhost):(\d+)$/.exec(url)?.[1]
    if (port !== undefined) {
      const inside = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        inside.pipe(socket).pipe(inside)
      })
      inside.on('error', () => socket.destroy())
      socket.on('close', () => inside.destroy())
      return
    }
    socket.end('HTTP/1.1 403 There is no network here\r\n\r\n')
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
