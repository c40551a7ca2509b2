import type { Guard } from './guard.ts'
import type { UnshareTools } from './unshare.ts'

/** A sandbox that was tried and works. Without `guard`, nothing blocks what namespaces don't. */
export type FoundMeans =
  | {
      readonly means: 'bubblewrap'
      readonly program: string
      readonly hasLayers: boolean
      /** `unshare`, which mounts layers for a bubblewrap that cannot; omitted if it cannot either. */
      readonly layering?: string
      readonly guard?: Guard
    }
  | {
      readonly means: 'unshare'
      readonly tools: UnshareTools
      /** It can mount a writable layer over a folder. */
      readonly hasLayers: boolean
      readonly guard?: Guard
    }
  | { readonly means: 'seatbelt' }
