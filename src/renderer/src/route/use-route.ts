import { useMemo, useSyncExternalStore } from 'react'
import { parseRoute, type Route } from './route.ts'

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** Returns the current route, following back and forward. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return useMemo(() => parseRoute(hash), [hash])
}

/** Goes to an address made by `routeTo`. */
export function navigate(address: string): void {
  location.hash = address
}

/** Replaces the current address: going back leads to the previous one. */
export function replaceAddress(address: string): void {
  // Keep the state stored with the entry, because it is the same entry.
  history.replaceState(history.state, '', address)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}
