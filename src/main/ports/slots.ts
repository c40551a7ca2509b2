/** What determines when a heartbeat gets a slot. */
export interface Place {
  /** When it became due (epoch ms); `null`: the operator asked for it. */
  readonly dueMs: number | null
  /** Aborted when it is no longer wanted. */
  readonly signal: AbortSignal
}

/** Runs `work` once it has one of the slots for parallel heartbeats. */
export type WithSlot = <T>(work: () => Promise<T>, place: Place) => Promise<T>
