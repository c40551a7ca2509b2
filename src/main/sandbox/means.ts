import type { BackEnd, Traits } from './back-end.ts'
import { type Bubblewrap, bubblewrap } from './bubblewrap.ts'
import { type Seatbelt, seatbelt } from './seatbelt.ts'
import { type ByUnshare, unshare } from './unshare.ts'

/** A sandbox that was tried and works. */
export type FoundMeans = Bubblewrap | ByUnshare | Seatbelt

const BACK_ENDS: { readonly [Found in FoundMeans as Found['means']]: BackEnd<Found> } = {
  bubblewrap,
  unshare,
  seatbelt,
}

/** The kinds of sandbox on each platform, the strongest first. */
export const MEANS_BY_PLATFORM: Partial<Record<NodeJS.Platform, readonly FoundMeans['means'][]>> = {
  linux: ['bubblewrap', 'unshare'],
  darwin: ['seatbelt'],
}

/** Returns the back end of a kind. The cast is safe because each is only given what it found itself. */
export function backEndOf(means: FoundMeans['means']): BackEnd<FoundMeans> {
  return BACK_ENDS[means] as BackEnd<FoundMeans>
}

/** Returns what a sandbox can do. */
export function traitsOf(found: FoundMeans): Traits {
  return backEndOf(found.means).traits(found)
}
