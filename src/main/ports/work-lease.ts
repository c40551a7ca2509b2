/** What the configuration of a workspace says of sharing its work; `lease: null`: it is this host's alone. */
export interface LeaseTerms {
  readonly lease: string | null
  readonly leaseLabels: readonly string[]
  readonly leaseSeconds: number
}

/** `kept`: another host has it, or nobody can be asked; it is worth asking again after `againMs`. */
export type LeaseAnswer =
  | { readonly kind: 'held' }
  | {
      readonly kind: 'kept'
      readonly reason: string
      readonly againMs: number
      /** Who has it; `null`: nobody could be asked. */
      readonly holder: string | null
    }

/** The lease of a workspace whose work hosts of a fleet share: who has it runs the agent, nobody else. */
export interface WorkLease {
  /**
   * Takes the lease, or makes it last for `forMs` more, also where the hub is away meanwhile. `held` where the work is not shared. Never
   * rejects.
   */
  hold(terms: LeaseTerms, forMs: number): Promise<LeaseAnswer>
  /** What it was to last for has ended: from here on it lasts as long as it is renewed. */
  rest(): void
  /** Gives it back: others need not wait. */
  release(): Promise<void>
  /** Grows whenever another host takes it; `null`: the work is not shared, or another has it. */
  readonly epoch: number | null
}

/** Of a workspace that is one host's alone. */
export const NOT_SHARED: WorkLease = {
  hold: async () => ({ kind: 'held' }),
  rest: () => {},
  release: async () => {},
  epoch: null,
}
