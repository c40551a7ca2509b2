/** Why a workspace must not use its account, and until when (epoch ms). */
export interface Kept {
  readonly untilMs: number
  /** The reason, as one sentence. */
  readonly reason: string
  /** True if the service has closed the account until then; otherwise other workspaces may use it earlier. */
  readonly isClosed: boolean
}

/**
 * The accounts whose service has said until when it accepts no requests. All workspaces on one wait together; after the reset
 * one tries it, then the rest follow, spread out.
 */
export interface Parking {
  /** Records that the service of `account` accepts requests again at `untilMs` (epoch ms); `reason` is its message. */
  park(account: string, by: string, untilMs: number, reason: string): void
  /** Returns what currently keeps `workspace` off its account, or limits it to its share of a new window; `null`: nothing. */
  keeps(account: string, workspace: string, share01?: number | null): Kept | null
  /** Records that a heartbeat of `workspace` begins on the account. */
  begins(account: string, workspace: string): void
  /** Records that it has ended. `hasAnswered`: whether the account answered; false also if it got no request. */
  ends(account: string, workspace: string, hasAnswered: boolean): void
  /** Records that an attempt of `workspace` has used this many tokens. */
  used(account: string, workspace: string, tokens: number): void
}
