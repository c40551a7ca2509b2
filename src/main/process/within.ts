import { setTimeout as delay } from 'node:timers/promises'

/**
 * Returns what `awaited` resolves to, or `null` if `ms` of real time pass or `signal` aborts first. Leaves no timer, which would
 * keep the process alive.
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
