const TURN_MS = 8

/** Lets others have their turn once some milliseconds have gone. */
export function createPause(): () => Promise<void> | void {
  let sinceMs = performance.now()
  return () => {
    if (performance.now() - sinceMs < TURN_MS) return
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      sinceMs = performance.now()
    })
  }
}
