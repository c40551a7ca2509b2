/** Writes values in the background, one at a time; of those offered during a write only the newest is written. */
export interface LatestWriter<T> {
  offer(value: T): void
  /** Resolves when the newest value offered has been written or has failed. Never rejects. */
  flush(): Promise<void>
}

/** Returns a `LatestWriter` around `write`. Failures go to `onError`, and the next offer tries again. */
export function latestWriter<T>(
  write: (value: T) => Promise<void>,
  onError: (error: unknown) => void,
): LatestWriter<T> {
  let pending: { value: T } | null = null
  let running: Promise<void> | null = null

  async function drain(): Promise<void> {
    while (pending !== null) {
      const { value } = pending
      pending = null
      await write(value).catch(onError)
    }
    running = null
  }

  return {
    offer(value) {
      pending = { value }
      running ??= drain()
    },
    async flush() {
      await running
    },
  }
}
