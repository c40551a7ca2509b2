/** A workspace's configuration of shared work; `lease: null`: it belongs to this host alone. */
export interface LeaseTerms {
  readonly lease: string | null
  readonly leaseLabels: readonly string[]
  readonly leaseSeconds: number
}

/** `kept`: another host has the lease, or the arbiter can't be asked; try again after `againMs`. */
export type LeaseAnswer =
  | { readonly kind: 'held' }
  | {
      readonly kind: 'kept'
      readonly reason: string
      readonly againMs: number
      /** The host that has it; `null`: no one could be asked. */
      readonly holder: string | null
    }

/** The lease of a workspace whose work hosts of a fleet share: only its holder runs the agent. */
export interface WorkLease {
  /**
   * Takes the lease, or extends it by `forMs`, even if the hub goes away in the meantime. `held` if the work is not shared.
   * Never rejects.
   */
  hold(terms: LeaseTerms, forMs: number): Promise<LeaseAnswer>
  /** Call when the work it was held for has ended: from then on the lease lasts only as long as it is renewed. */
  rest(): void
  /** Releases the lease, so that others need not wait. */
  release(): Promise<void>
  /** Grows whenever another host takes it; `null`: the work is not shared, or another has it. */
  readonly epoch: number | null
}

/** For a workspace that only one host works on. */
export const NOT_SHARED: WorkLease = {
  hold: async () => ({ kind: 'held' }),
  rest: () => {},
  release: async () => {},
  epoch: null,
}
