import type { Guard } from './guard.ts'
import type { UnshareTools } from './unshare.ts'

/** A means that was tried and holds. `guard`: left out, nothing keeps from what no namespace does. */
export type FoundMeans =
  | {
      readonly means: 'bubblewrap'
      readonly program: string
      readonly hasLayers: boolean
      /** `unshare`, by which layers are made for a bubblewrap that can make none; left out: it cannot either. */
      readonly layering?: string
      readonly guard?: Guard
    }
  | {
      readonly means: 'unshare'
      readonly tools: UnshareTools
      /** It can lay a writable layer over a folder. */
      readonly hasLayers: boolean
      readonly guard?: Guard
    }
  | { readonly means: 'seatbelt' }
