const TURN_MS = 8

/** Returns a function that lets other work run once some milliseconds have passed. */
export function createPause(): () => Promise<void> | void {
  let sinceMs = performance.now()
  return () => {
    if (performance.now() - sinceMs < TURN_MS) return
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      sinceMs = performance.now()
    })
  }
}
