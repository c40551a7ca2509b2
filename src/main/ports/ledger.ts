import type { AttemptResult, EventBody, RecordedEvent } from '../../core/record/events.ts'
import type { WorkspaceState } from '../../core/record/state.ts'

/** The append-only ledger of one workspace with its state, the fold of all its events. */
export interface Ledger {
  readonly state: WorkspaceState
  /** SHA-256 of the configuration that the operator approved last; `null`: none. The events alone are not trusted about it. */
  readonly approvedHash: string | null
  /** Appends and fsyncs before it resolves; then `state` includes the events. Calls are carried out in order. */
  append(...events: readonly EventBody[]): Promise<readonly RecordedEvent[]>
  /** Returns events from `fromSeq` on (inclusive), at most `limit`, oldest first. */
  read(fromSeq: number, limit: number): Promise<readonly RecordedEvent[]>
  /** Returns the whole result of an attempt, as recorded; `null` if the ledger has none. */
  attempt(attemptId: string): Promise<AttemptResult | null>
  close(): Promise<void>
}

/**
 * A step that is applied to every event of a ledger. Steps don't depend on each other: `mark` only adds its own field, and `watch` only
 * looks at what is on disk, so their order doesn't matter.
 */
export interface RecordingStep {
  /** Returns the events with additional fields, before they are written. */
  readonly mark?: (events: readonly EventBody[]) => Promise<readonly EventBody[]> | readonly EventBody[]
  /** Called before events are written; what it returns is called with them once they are on disk, and must not reject. */
  readonly watch?: () => (recorded: readonly RecordedEvent[]) => Promise<void> | void
}

/** Returns the ledger with these steps taken at each append. Steps may append to it themselves. */
export function withSteps(ledger: Ledger, stepsOf: (recording: Ledger) => readonly RecordingStep[]): Ledger {
  return new LedgerWithSteps(ledger, stepsOf)
}

/** A class, because a host has one per workspace: an object made of functions takes a kilobyte. */
class LedgerWithSteps implements Ledger {
  readonly #ledger: Ledger
  readonly #steps: readonly RecordingStep[]

  constructor(ledger: Ledger, stepsOf: (recording: Ledger) => readonly RecordingStep[]) {
    this.#ledger = ledger
    this.#steps = stepsOf(this)
  }

  get state(): WorkspaceState {
    return this.#ledger.state
  }

  get approvedHash(): string | null {
    return this.#ledger.approvedHash
  }

  async append(...events: readonly EventBody[]): Promise<readonly RecordedEvent[]> {
    let marked = events
    for (const { mark } of this.#steps) if (mark !== undefined) marked = await mark(marked)
    const watching = this.#steps.flatMap(({ watch }) => watch?.() ?? [])
    const recorded = await this.#ledger.append(...marked)
    for (const told of watching) await told(recorded)
    return recorded
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
