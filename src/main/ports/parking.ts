/** What keeps a workspace from its account, and until when (epoch ms). */
export interface Kept {
  readonly untilMs: number
  /** As one sentence. */
  readonly reason: string
  /** Its service has closed the account until then; else others are let in before. */
  readonly isClosed: boolean
}

/**
 * The accounts whose service has said until when it takes no requests. All workspaces on one wait together; after the reset one
 * tries it, then the rest follow, spread.
 */
export interface Parking {
  /** The service of `account` takes requests again at `untilMs` (epoch ms); `reason` is what it said. */
  park(account: string, by: string, untilMs: number, reason: string): void
  /** What keeps `workspace` from its account now, and from more than its share of a fresh window; `null`: nothing. */
  keeps(account: string, workspace: string, share01?: number | null): Kept | null
  /** A heartbeat of `workspace` begins on the account. */
  begins(account: string, workspace: string): void
  /** It has ended: whether the account answered, or whether that is not known because nothing was asked of it. */
  ends(account: string, workspace: string, hasAnswered: boolean): void
  /** An attempt of `workspace` has used so many tokens. */
  used(account: string, workspace: string, tokens: number): void
}
