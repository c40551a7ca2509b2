import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/**
 * `fetch` for the host on this machine. The global one gives up when the first byte takes five minutes, and a heartbeat may
 * take hours; this one waits as long as the connection stands. Rejects where nothing answers.
 */
export async function loopbackFetch(request: Request): Promise<Response> {
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer())
  const answer = await send(request, body)
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const status = answer.statusCode ?? 500
  // These may have no body, and Response insists on it.
  const hasBody = status !== 204 && status !== 205 && status !== 304
  if (!hasBody) answer.resume()
  return new Response(hasBody ? (Readable.toWeb(answer) as ReadableStream) : null, { status, headers })
}

function send(request: Request, body: Buffer | null): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      request.url,
      {
        method: request.method,
        headers: {
          ...Object.fromEntries(request.headers),
          ...(body === null ? {} : { 'content-length': body.byteLength }),
        },
        signal: request.signal,
      },
      resolve,
    )
    outgoing.on('error', reject)
    outgoing.end(body ?? undefined)
  })
}
