/** Delay between two attempts at a server that is reloading its keys. */
const PAUSES_MS = [250, 500, 1_000] as const

/**
 * Repeats `work`, up to three times, while `isReloading` says that its error comes from a server that is reloading its list of keys, which
 * refuses, or does not know, any client at that moment. Rejects with the last error. `isReloading` may be true only if nothing was done.
 */
export async function whileReloading<T>(
  work: () => Promise<T>,
  isReloading: (error: unknown) => boolean,
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work()
    } catch (error) {
      if (!isReloading(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return work()
}
