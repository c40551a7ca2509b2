import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'

interface Sending {
  readonly method: string
  readonly headers: OutgoingHttpHeaders
  readonly signal?: AbortSignal
  readonly text: string | null
}

/**
 * Sends a request to the host on this machine. The global `fetch`, or anything that names one of its classes, takes longer to load than the
 * rest of a command, and gives up if the first byte takes five minutes, while a heartbeat may take hours. This one waits as long as the
 * connection is open. Rejects if nothing answers.
 */
export function send(url: URL, { text, ...options }: Sending): Promise<IncomingMessage> {
  // A namespace import would read every export of this module, and so load `fetch`.
  const { request } = process.getBuiltinModule('node:http')
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, resolve)
    outgoing.on('error', reject)
    outgoing.end(text ?? undefined)
  })
}

/** Returns the parsed body of an answer; undefined if it has none. Rejects if it is cut off or not JSON. */
export async function readJson(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}
