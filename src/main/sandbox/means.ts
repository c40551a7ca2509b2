import type { UnshareTools } from './unshare.ts'

/** A means that was tried and holds. */
export type FoundMeans =
  | { readonly means: 'bubblewrap'; readonly program: string; readonly hasLayers: boolean }
  | { readonly means: 'unshare'; readonly tools: UnshareTools }
  | { readonly means: 'seatbelt' }
