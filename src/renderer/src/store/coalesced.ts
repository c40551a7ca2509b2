/**
 * `run`, at most once at a time: calls while it runs are answered by one more run after it, started with what is true
 * then. The promise resolves when a run that began after the call has ended; it never rejects if `run` does not.
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
