import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { Message, VersionTwo } from './version-two.ts'

/*
 * The connection between us and an agent: one JSON-RPC message per line. We don't use the SDK's, because the program is untrusted
 * and may not be an agent at all:
 * 1. Notifications are passed on at once and in order, before the answer that follows them. In the SDK, an answer overtakes them,
 *    and unknown ones are dropped.
 * 2. A line that is not a message is passed on as text; an unexpected answer is dropped.
 * 3. Memory is limited by `maxMessageBytes`; the program waits while its messages are not read. Messages to an agent that speaks
 *    version 2 are sent in that version, and its messages are read as if they were version 1.
 */

export interface Wire {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly maxMessageBytes: number
  /** Called with a notification of the agent, unchanged. Must not throw. */
  readonly onNotification: (method: string, params: unknown) => void
  /** Called with a line that is not a message of the protocol. Must not throw. */
  readonly onStray: (line: string) => void
  /** Called after each notification with the end of a turn that still has background work; `null` if there is none. */
  readonly onHeld: (end: Message | null) => void
  /** Translates version 2 of the protocol; `null`: the agent speaks version 1. */
  readonly version: VersionTwo | null
}

/** A message that exceeds the size limit. */
export class OversizedMessage extends Error {}

const NEWLINE = 0x0a

export function openMessageStream(wire: Wire): Stream {
  const asked = new Set<unknown>()
  const post = async (message: object): Promise<void> => {
    if ('method' in message && 'id' in message) asked.add(message.id)
    await send(wire.stdin, `${JSON.stringify(message)}\n`)
  }
  const { version } = wire
  const sendable = new WritableStream<AnyMessage>({
    write: (message) => post(version?.outgoing(message) ?? message),
  })
  const received = messages(wire, asked, post)
  const readable = new ReadableStream<AnyMessage>({
    pull: async (controller) => {
      const { done, value } = await received.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await received.return(undefined)
    },
  })
  return { writable: sendable, readable }
}

/** Resolves when there is room for more, or when the program will never read it. */
async function send(stdin: Writable, line: string): Promise<void> {
  if (stdin.destroyed || stdin.writableEnded || stdin.write(line)) return
  const over = new AbortController()
  const { signal } = over
  await Promise.race([once(stdin, 'drain', { signal }), once(stdin, 'close', { signal })]).catch(() => {})
  over.abort()
}

async function* messages(
  wire: Wire,
  asked: Set<unknown>,
  post: (message: object) => Promise<void>,
): AsyncGenerator<AnyMessage> {
  const { version } = wire
  // The SDK checks the message against its method's schema, translated or not.
  const as = (message: object): AnyMessage => message as AnyMessage
  for await (const line of lines(wire)) {
    const text = line.toString('utf8').trim()
    if (text === '') continue
    const message = parseMessage(text)
    if (message === null) wire.onStray(text)
    else if ('method' in message && !('id' in message)) {
      const { method, params } = message
      // This message is part of the protocol itself, so the SDK handles it.
      if (String(method).startsWith('$/')) {
        yield as(message)
        continue
      }
      const notified = version?.notified(String(method), params) ?? { params: [params], answers: [] }
      for (const each of notified.params) wire.onNotification(String(method), each)
      yield* notified.answers.map(as)
      wire.onHeld(version?.held ?? null)
    } else if ('method' in message) {
      const requested = version?.requested(message) ?? { request: message }
      if ('request' in requested) yield as(requested.request)
      else await post(requested.answer)
    } else if (asked.delete(message.id)) yield* (version?.answered(message) ?? [message]).map(as)
    else wire.onStray(text)
  }
}

/** Parses the envelope of a message; the SDK checks the rest by its method's schema. */
function parseMessage(text: string): Record<string, unknown> | null {
  if (!text.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    const isMessage = typeof value === 'object' && value !== null && 'jsonrpc' in value
    return isMessage ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

async function* lines({ stdout, maxMessageBytes }: Wire): AsyncGenerator<Buffer> {
  let kept: Buffer[] = []
  let keptBytes = 0
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    let rest = chunk
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield Buffer.concat([...kept, rest.subarray(0, end)])
      kept = []
      keptBytes = 0
      rest = rest.subarray(end + 1)
    }
    kept.push(rest)
    keptBytes += rest.length
    if (keptBytes > maxMessageBytes)
      throw new OversizedMessage(`a message of more than ${maxMessageBytes} bytes`)
  }
  if (keptBytes > 0) yield Buffer.concat(kept)
}
