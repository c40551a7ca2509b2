import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A whole response. */
export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends one request to the loopback server with exactly these headers (`fetch` would not let a test set all of them). */
export async function sendRequest(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawResponse> {
  const { method = 'GET', headers = {}, body } = options
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false })
  outgoing.end(body)
  const [response] = await once(outgoing, 'response')
  outgoing.on('error', () => {}) // A reset after the answer counts as a normal end.
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode, headers: response.headers, body: text }
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Sends these bytes and returns everything that comes back until the server closes the connection. */
export async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = await openSocket(port)
  socket.write(bytes)
  return readAll(socket)
}

/** Returns everything that the server still sends on this connection before it closes it. */
export async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.on('error', () => {}) // A reset counts as a normal end here too.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  return text
}
