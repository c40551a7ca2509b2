import type { CheckFault } from '../../core/vocabulary/fault.ts'
import type { Clock } from '../ports/clock.ts'
import { MAX_READ_BYTES } from './program.ts'
import { messageOf } from './workspace-file.ts'

export type UrlReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly fault: CheckFault }

/** Status codes that mean that the service can't answer now, not that the request was wrong. */
const TRANSIENT = new Set([408, 425, 429])

/** Fetches a text of at most 1 MiB by GET within `timeoutMs`, following redirects (fetch's limit: 20). Never rejects. */
export async function readUrl(
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
  clock: Pick<Clock, 'sleep'>,
): Promise<UrlReading> {
  if (!/^https?:\/\//i.test(url))
    return { ok: false, reason: `${url} is not an http or https address`, fault: 'contract' }
  const deadline = new AbortController()
  const finished = new AbortController()
  const timer = clock.sleep(timeoutMs, finished.signal).then(() => {
    if (!finished.signal.aborted) deadline.abort()
  })
  try {
    return await get(url, AbortSignal.any([signal, deadline.signal]))
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    const reason = signal.aborted
      ? 'it was stopped with the supervisor'
      : deadline.signal.aborted
        ? `${url} did not answer within ${timeoutMs / 1000} s`
        : `${url} could not be reached: ${messageOf(cause)}`
    return { ok: false, reason, fault: 'environment' }
  } finally {
    finished.abort()
    await timer
  }
}

async function get(url: string, signal: AbortSignal): Promise<UrlReading> {
  const response = await fetch(url, { signal, headers: { accept: '*/*' } })
  if (!response.ok) {
    await response.body?.cancel()
    const isTransient = response.status >= 500 || TRANSIENT.has(response.status)
    return {
      ok: false,
      reason: `${url} answered ${response.status} ${response.statusText}`.trim(),
      fault: isTransient ? 'environment' : 'contract',
    }
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the body.
    if (size > MAX_READ_BYTES)
      return {
        ok: false,
        reason: `${url} answered with more than ${MAX_READ_BYTES} bytes`,
        fault: 'contract',
      }
    chunks.push(chunk)
  }
  return { ok: true, text: Buffer.concat(chunks).toString('utf8') }
}
