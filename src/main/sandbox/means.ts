import type { UnshareTools } from './unshare.ts'

/** A means that was tried and holds. `perl`: the program that keeps what shares the network from sockets without a file; left out: nothing does. */
export type FoundMeans =
  | {
      readonly means: 'bubblewrap'
      readonly program: string
      readonly hasLayers: boolean
      /** `unshare`, by which layers are made for a bubblewrap that can make none; left out: it cannot either. */
      readonly layering?: string
      readonly perl?: string
    }
  | { readonly means: 'unshare'; readonly tools: UnshareTools; readonly perl?: string }
  | { readonly means: 'seatbelt' }
