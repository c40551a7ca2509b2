import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/**
 * Aborted when the client of a response is gone, which it may be before anybody writes: a response says that it is closed only once,
 * and not to those who listen later.
 */
export function clientGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (response.closed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}

/** Writes, and resolves when the client has taken what waited for it, or is gone. */
export async function writeAtPace(response: ServerResponse, text: string, gone: AbortSignal): Promise<void> {
  if (gone.aborted || response.write(text)) return
  await once(response, 'drain', { signal: gone }).catch((error: unknown) => {
    if (!gone.aborted) throw error
  })
}
