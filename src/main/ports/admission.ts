import type { IncomingMessage } from 'node:http'

/** A request that has shown a token or the page's cookie. */
export interface Arriving {
  readonly request: IncomingMessage
  readonly pathname: string
  /** True if it was sent with the page's cookie instead of the token. */
  readonly isPage: boolean
}

/** The decision about it. */
export interface Admission {
  /** Why it is rejected; `null`: it isn't. */
  readonly refusal: string | null
  /**
   * True if it comes from an agent's process, a check's, or one that either left running: its connection must not block others.
   * Omitted: false.
   */
  readonly isAgents?: boolean
  /** Carries out the work in the sender's name. */
  readonly inName: <T>(work: () => T) => T
}

/** Identifies who sent a request and admits what the sender may do. Never rejects. */
export type Admit = (arriving: Arriving) => Promise<Admission>
