import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { ApiClient } from '../../../api/client.ts'
import { serveAssistant } from '../assistant-server.ts'
import type { ResourceHosts } from '../resources.ts'

/** Serves the assistant over two pipes until the test ends, and returns the client's end. */
export function servedOver(client: ApiClient, hosts: Partial<ResourceHosts> = {}): PipeTransport {
  const [toServer, toClient] = [new PassThrough(), new PassThrough({ highWaterMark: 4096 })]
  const ended = new AbortController()
  void serveAssistant(
    {
      version: '1.2.3',
      workspace: null,
      input: toServer,
      output: toClient,
      withHost: (work) => work(client),
      findHost: async () => client,
      ...hosts,
    },
    ended.signal,
  )
  onTestFinished(() => ended.abort())
  return new PipeTransport(toServer, toClient)
}

/** One line of JSON per message, like standard input and output. */
export class PipeTransport {
  // biome-ignore lint/suspicious/noExplicitAny: -- the two clients use different message types
  onmessage?: (message: any) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #out: PassThrough
  readonly #back: PassThrough
  #lines: ReturnType<typeof createInterface> | null = null

  constructor(out: PassThrough, back: PassThrough) {
    this.#out = out
    this.#back = back
  }

  async start(): Promise<void> {
    this.#lines = createInterface({ input: this.#back })
    this.#lines.on('line', (line) => this.onmessage?.(JSON.parse(line)))
  }

  /** Stops reading. */
  pause(): void {
    this.#lines?.pause()
  }

  /** Bytes that the server has written and no one has read yet. */
  get unread(): number {
    return this.#back.readableLength + this.#back.writableLength
  }

  async send(message: unknown): Promise<void> {
    if (!this.#out.write(`${JSON.stringify(message)}\n`)) await once(this.#out, 'drain')
  }

  async close(): Promise<void> {
    this.#out.end()
    this.#lines?.close()
    this.onclose?.()
  }
}
