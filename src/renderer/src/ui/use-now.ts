import { useSyncExternalStore } from 'react'

/*
 * One timer for all relative times on the page, so that all of them change at the same moment.
 */
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = Date.now()
    timer = setInterval(() => {
      nowMs = Date.now()
      for (const notify of listeners) notify()
    }, 1000)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Returns the wall clock in epoch ms, updated once a second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs)
}
