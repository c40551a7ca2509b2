/** What decides when a heartbeat gets a place among those that run. */
export interface Place {
  /** Since when it has been due (epoch ms); `null`: the operator asked for it. */
  readonly dueMs: number | null
  /** It is not wanted any more. */
  readonly signal: AbortSignal
}

/** Runs `work` once it has a place among the heartbeats that may run at once. */
export type WithSlot = <T>(work: () => Promise<T>, place: Place) => Promise<T>
