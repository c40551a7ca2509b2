import type { ContainmentPolicy, ProcessStart } from '../ports/containment.ts'
import type { Guard } from './guard.ts'
import type { HeldTrial, Tools } from './kept-trial.ts'
import type { Mount } from './mount-plan.ts'

/** What blocks what namespaces don't; empty if nothing does. */
export interface Guarded {
  readonly guard?: Guard
}

/** What the rest of the code has to know of a sandbox. */
export interface Traits extends Guarded {
  /** It can mount a writable layer over a folder. */
  readonly hasLayers: boolean
  /** It is made of namespaces: it can show one path at another, and needs a guard for the rest. */
  readonly hasNamespaces: boolean
  /** The perl that builds it, with all rights in there: settings of the operator's perl programs must not reach it. */
  readonly builder?: string
}

/** One kind of sandbox. `Found` says what of it this machine has. A new one is a file with this, and a line in `means.ts`. */
export interface BackEnd<Found> {
  /** Returns what can be tried here, the strongest first, or why nothing, in words. `guards`: strongest first; found out on first use. Never rejects. */
  readonly find: (
    tools: Tools,
    guards: () => Promise<readonly Guarded[]>,
  ) => Promise<readonly Found[] | string>
  /** Returns what an earlier trial found; `null`: try again. Left out: trying it costs nothing. */
  readonly restore?: (tools: Tools, held: HeldTrial, guard: Guarded) => Found | null
  readonly traits: (found: Found) => Traits
  /** Returns the command line that runs `start` within `mounts`. */
  readonly wrap: (
    found: Found,
    start: ProcessStart,
    mounts: readonly Mount[],
    policy: ContainmentPolicy,
  ) => readonly string[]
}
