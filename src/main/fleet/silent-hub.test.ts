import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createUser } from '@nats-io/nkeys'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectHub } from './connect-hub.ts'
import type { CentreFile } from './pass-file.ts'

/* Simulates a hub that accepts the connection and sends only this. */

const greeting = `INFO ${JSON.stringify({ server_id: 'x', version: '2.10.0', tls_required: true, max_payload: 1_000_000 })}\r\n`
const server = createServer((socket) => {
  socket.on('error', () => {})
})
let file: CentreFile

beforeEach(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const seed = new TextDecoder().decode(createUser().getSeed())
  const { port } = server.address() as AddressInfo
  file = { v: 1, name: 'host', seed, ca: null, authority: null, url: `tls://127.0.0.1:${port}` }
})

afterEach(() => void server.close())

it.each([
  ['nothing', async () => {}],
  [
    'only that it speaks TLS',
    async (socket: Socket) => {
      socket.write(greeting)
      await once(socket, 'data')
    },
  ],
])('is closed without leaking anything if the hub says %s', async (_, greet) => {
  const ending = new AbortController()
  const refused = expect(connectHub(file, ending.signal)).rejects.toThrow()
  const [socket] = (await once(server, 'connection')) as [Socket]
  await greet(socket)
  const closed = once(socket.resume(), 'close')
  ending.abort()
  await refused
  await closed
})

it('keeps an established connection, even if the signal aborts afterwards', async () => {
  const info = { server_id: 'x', version: '2.10.0', nonce: 'n', max_payload: 1_000_000 }
  server.once('connection', (socket: Socket) => {
    socket.write(`INFO ${JSON.stringify(info)}\r\n`)
    socket.on('data', (data) => {
      if (data.toString().includes('PING')) socket.write('PONG\r\n')
    })
  })
  const ending = new AbortController()
  const connection = await connectHub({ ...file, url: file.url.replace('tls:', 'nats:') }, ending.signal)
  ending.abort()
  await connection.flush()
  await connection.close()
})

it('is closed when it takes too long', async () => {
  const refused = expect(connectHub(file)).rejects.toThrow()
  const [socket] = (await once(server, 'connection')) as [Socket]
  const closed = once(socket.resume(), 'close')
  await refused
  await closed
})
