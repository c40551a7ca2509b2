/** Between two tries at a server that takes in its keys. */
const PAUSES_MS = [250, 500, 1_000] as const

/**
 * Does `work` again, up to three times, while `isReloading` takes its error for a server that is reading a changed list
 * of keys: it refuses, or does not know, whoever comes at that moment. Rejects with the last error. Nothing may have
 * been done where `isReloading` says yes.
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
