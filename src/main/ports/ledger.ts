import type { AttemptResult, EventBody, RecordedEvent } from '../../core/record/events.ts'
import type { WorkspaceState } from '../../core/record/state.ts'

/** The append-only ledger of one workspace with its state, the fold of all its events. */
export interface Ledger {
  readonly state: WorkspaceState
  /** SHA-256 of the configuration that the operator approved last; `null`: none. What the events alone say of it is not believed. */
  readonly approvedHash: string | null
  /** Appends and fsyncs before it resolves; then `state` has the events. Calls are carried out in order. */
  append(...events: readonly EventBody[]): Promise<readonly RecordedEvent[]>
  /** Events from `fromSeq` on (inclusive), at most `limit`, oldest first. */
  read(fromSeq: number, limit: number): Promise<readonly RecordedEvent[]>
  /** The whole result of an attempt, as recorded; `null` where the ledger has none. */
  attempt(attemptId: string): Promise<AttemptResult | null>
  close(): Promise<void>
}

/** The ledger with `append` done another way; all else of it stays. */
export function withAppend(ledger: Ledger, append: Ledger['append']): Ledger {
  return new LedgerWithAppend(ledger, append)
}

/** A class, for each workspace has several: an object made of functions would be a kilobyte each. */
class LedgerWithAppend implements Ledger {
  readonly append: Ledger['append']
  readonly #ledger: Ledger

  constructor(ledger: Ledger, append: Ledger['append']) {
    this.#ledger = ledger
    this.append = append
  }

  get state(): WorkspaceState {
    return this.#ledger.state
  }

  get approvedHash(): string | null {
    return this.#ledger.approvedHash
  }

  read(fromSeq: number, limit: number): Promise<readonly RecordedEvent[]> {
    return this.#ledger.read(fromSeq, limit)
  }

  attempt(attemptId: string): Promise<AttemptResult | null> {
    return this.#ledger.attempt(attemptId)
  }

  close(): Promise<void> {
    return this.#ledger.close()
  }
}
