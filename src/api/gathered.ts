/**
 * Returns a debounced `work`: it runs `ms` after the first request, once for all requests until then, and never twice at the
 * same time. Events come in bursts, and what they change should be fetched or shown once. `work` must not reject.
 */
export function gathered(ms: number, work: () => void | Promise<void>): { ask(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  let busy = false
  let askedMeanwhile = false
  const run = async (): Promise<void> => {
    timer = null
    busy = true
    await work()
    busy = false
    if (!askedMeanwhile) return
    askedMeanwhile = false
    ask()
  }
  const ask = (): void => {
    if (busy) askedMeanwhile = true
    else timer ??= setTimeout(() => void run(), ms)
  }
  return {
    ask,
    cancel: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      askedMeanwhile = false
    },
  }
}
