import type { IncomingMessage } from 'node:http'

/** A request that has shown a token or the page's cookie. */
export interface Arriving {
  readonly request: IncomingMessage
  readonly pathname: string
  /** By the page's cookie, not by the token. */
  readonly isPage: boolean
}

/** What is done with it. */
export interface Admission {
  /** Why it goes no further; `null`: it does. */
  readonly refusal: string | null
  /** Of an agent's process, a check's, or of what either left: its connection keeps nobody else out. Left out: it is not. */
  readonly isAgents?: boolean
  /** Carries it out in the name of whoever asked. */
  readonly inName: <T>(work: () => T) => T
}

/** Finds out whose word a request is, and lets in what that one may ask. Never rejects. */
export type Admit = (arriving: Arriving) => Promise<Admission>
