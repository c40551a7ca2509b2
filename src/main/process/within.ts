import { setTimeout as delay } from 'node:timers/promises'

/**
 * What `awaited` resolves to, or `null` when `ms` of real time have passed or `signal` is aborted before. Nothing is left waiting: a timer
 * that outlived the race would keep the whole process.
 */
export async function within<T>(ms: number, awaited: Promise<T>, signal?: AbortSignal): Promise<T | null> {
  const decided = new AbortController()
  const givenUp = signal === undefined ? decided.signal : AbortSignal.any([signal, decided.signal])
  try {
    return await Promise.race([awaited, delay(ms, null, { signal: givenUp }).catch(() => null)])
  } finally {
    decided.abort()
  }
}
