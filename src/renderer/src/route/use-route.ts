import { useMemo, useSyncExternalStore } from 'react'
import { parseRoute, type Route } from './route.ts'

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** Where the page is, following back and forward. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return useMemo(() => parseRoute(hash), [hash])
}

/** Goes to an address made by `routeTo`. */
export function navigate(address: string): void {
  location.hash = address
}

/** Replaces the current address: going back leads to the one before it. */
export function replaceAddress(address: string): void {
  // With what is kept of the entry: it is the same one.
  history.replaceState(history.state, '', address)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}
