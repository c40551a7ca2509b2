import type { IncomingMessage } from 'node:http'
import type { Refusal } from './request-guard.ts'

/** A body as parsed JSON (`undefined` if there is none), or why it is rejected. */
export type RequestBody =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The client disconnected, or kept sending and was cut off: there is no one to answer. */
  | { readonly kind: 'gone' }

/**
 * How much of an oversized body is read and discarded, as a multiple of the limit. A client that is still sending when the
 * connection closes gets a reset instead of the error message.
 */
const DISCARD_FACTOR = 16

/** Reads a request's body, at most `maxBytes` and JSON only, because foreign pages can send forms without permission. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  const type = request.headers['content-type']
  if (type !== undefined && !/^application\/json *(;|$)/i.test(type)) {
    const message = 'Send the body as JSON, with "Content-Type: application/json".'
    return { kind: 'refused', refusal: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message } }
  }
  const text = await readText(request, maxBytes)
  if (text === null) return { kind: 'gone' }
  if (text === 'too-large') {
    const message = `The body is larger than ${maxBytes / 1024 / 1024} MiB.`
    return { kind: 'refused', refusal: { status: 413, code: 'PAYLOAD_TOO_LARGE', message } }
  }
  try {
    return { kind: 'read', value: text.content === '' ? undefined : JSON.parse(text.content) }
  } catch (error) {
    const message = `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`
    return { kind: 'refused', refusal: { status: 400, code: 'BAD_REQUEST', message } }
  }
}

/** Returns `null` if the body is incomplete. */
async function readText(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ content: string } | 'too-large' | null> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request) {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      else chunks.length = 0
      if (length > maxBytes * DISCARD_FACTOR) {
        request.socket.destroy()
        return null
      }
    }
  } catch {
    return null
  }
  return length > maxBytes ? 'too-large' : { content: Buffer.concat(chunks).toString('utf8') }
}
