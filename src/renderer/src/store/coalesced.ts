/**
 * Returns a function that calls `run`, at most one at a time. Calls during a run share one more run after it, which
 * sees the state at that time. The promise resolves when a run that began after the call has ended; it never rejects
 * if `run` doesn't.
 */
export function coalesced(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null
  let following: Promise<void> | null = null
  const start = (): Promise<void> => {
    current = run().finally(() => {
      current = null
    })
    return current
  }
  return () => {
    if (current === null) return start()
    following ??= current.then(() => {
      following = null
      return start()
    })
    return following
  }
}
