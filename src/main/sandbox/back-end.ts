import type { ContainmentPolicy, ProcessStart } from '../ports/containment.ts'
import type { Guard } from './guard.ts'
import type { HeldTrial, Tools } from './kept-trial.ts'
import type { Mount } from './mount-plan.ts'

/** What blocks the things that namespaces don't; empty if nothing does. */
export interface Guarded {
  readonly guard?: Guard
}

/** What the rest of the code needs to know about a sandbox. */
export interface Traits extends Guarded {
  /** It can mount a writable layer over a folder. */
  readonly hasLayers: boolean
  /** It is made of namespaces: it can show one path at another, and needs a guard for the rest. */
  readonly hasNamespaces: boolean
  /** The perl that builds it, with all rights inside: the operator's settings for perl programs must not reach it. */
  readonly builder?: string
}

/**
 * One kind of sandbox. `Found` says which parts of it this machine has. To add a kind, write a file with this and add a line to `means.ts`.
 */
export interface BackEnd<Found> {
  /**
   * Returns what can be tried here, the strongest first, or a sentence that says why there is nothing. `guards`: strongest first;
   * determined on first use. Never rejects.
   */
  readonly find: (
    tools: Tools,
    guards: () => Promise<readonly Guarded[]>,
  ) => Promise<readonly Found[] | string>
  /** Returns what an earlier trial found; `null`: try again. If omitted, trying costs nothing. */
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
