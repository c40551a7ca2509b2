import type { SessionAgent, SessionMode } from '../vocabulary/session.ts'
import type { Verdict } from '../vocabulary/verdict.ts'

/** What the state keeps about a run of an agent program that Pulseward did not start. */
export interface SessionRecord {
  readonly sessionId: string
  readonly agent: SessionAgent
  /** ISO 8601. */
  readonly startedAt: string
  /** ISO 8601: time of its last event. */
  readonly lastAt: string
  /** Top of the work tree it works in. */
  readonly directory: string
  /** The tree with which its turns are compared; `null`: it could not be read. */
  readonly tree: string | null
  /** False: the tree is the committed one, which the agent may have moved before the session was first heard from. */
  readonly sawStart: boolean
  /** The task named for it; `null` if there is none. */
  readonly taskId: string | null
  /** Oldest first, at most 30. */
  readonly turns: readonly SessionTurn[]
  /** Why the hook was not called in a turn that changed files; `null`: it was. */
  readonly silent: string | null
  /** Its last turn was contradicted and allowed to stop, and the operator has not reviewed it. */
  readonly needsDecision: boolean
}

/** One turn of a session as it was judged; the whole event is in the ledger at `seq`. */
export interface SessionTurn {
  readonly seq: number
  /** ISO 8601. */
  readonly at: string
  readonly prompt: string
  readonly mode: SessionMode
  readonly verdict: Verdict | null
  readonly contradiction: boolean
  readonly blocked: boolean
  readonly wouldBlock: boolean
  readonly deferred: boolean
  readonly stopped: boolean
  readonly tree: string | null
  /** At most 8, each at most 300 characters. */
  readonly reasons: readonly string[]
}
