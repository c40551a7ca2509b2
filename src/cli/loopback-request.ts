import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'

interface Sending {
  readonly method: string
  readonly headers: OutgoingHttpHeaders
  readonly signal?: AbortSignal
  readonly text: string | null
}

/**
 * Sends to the host on this machine. The global `fetch`, and all that names one of its classes, takes longer to
 * load than the rest of a command, and gives up when the first byte takes five minutes, while a heartbeat may take
 * hours; this one waits as long as the connection stands. Rejects where nothing answers.
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

/** The body of an answer; undefined where it has none. Rejects where it is cut off, or no JSON. */
export async function readJson(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}
