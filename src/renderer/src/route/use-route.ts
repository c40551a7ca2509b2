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

/** Goes to an address in the place of the one before: the way back leads to what was before both. */
export function replaceAddress(address: string): void {
  // With what is kept of the entry: it is the same one.
  history.replaceState(history.state, '', address)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}
