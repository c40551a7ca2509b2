import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/**
 * Returns a signal that aborts when a response's client is gone, possibly before anything is written: a response emits `close`
 * only once, and not to later listeners.
 */
export function clientGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (response.closed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}

/** Writes, and resolves when the client has read what was buffered for it, or is gone. */
export async function writeAtPace(response: ServerResponse, text: string, gone: AbortSignal): Promise<void> {
  if (gone.aborted || response.write(text)) return
  await once(response, 'drain', { signal: gone }).catch((error: unknown) => {
    if (!gone.aborted) throw error
  })
}
