import { RequestProblem } from '../../api/request-problem.ts'
import type { LandingRecord } from '../../core/record/landing-record.ts'
import type { LandingEntry } from '../../core/record/state.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Checkpoint } from './move-target.ts'

export interface JournalOptions {
  readonly ledger: Ledger
  readonly changed: () => void
  /** Called once when the target has other contents than were judged. */
  readonly differs?: (entry: LandingEntry) => void
  /** For tests: called after each step. */
  readonly checkpoint?: Checkpoint
}

const MAX_BECAUSE = 2000

/** The landings of a workspace as the ledger records them, and how to change them. */
export class LandingJournal {
  readonly #options: JournalOptions

  constructor(options: JournalOptions) {
    this.#options = options
  }

  /** Returns all landings, the newest first. */
  entries(): readonly LandingEntry[] {
    return this.#options.ledger.state.landings
  }

  /** Returns one landing. Throws a `RequestProblem` if there is none. */
  known(attemptId: string): LandingEntry {
    const entry = this.entries().find((one) => one.attemptId === attemptId)
    if (entry === undefined)
      throw new RequestProblem(
        'not-found',
        `No work of an attempt ${JSON.stringify(attemptId)} is known here. \`pulseward landing\` lists them.`,
      )
    return entry
  }

  async checkpoint(step: string): Promise<void> {
    await this.#options.checkpoint?.(step)
  }

  /** Records a change, if it is one, and returns the landing as it is then. */
  async record(entry: LandingEntry, change: Partial<LandingRecord>): Promise<LandingEntry> {
    const { at: _at, since: _since, ...before } = entry
    const landing: LandingRecord = { ...before, ...change }
    if (change.because !== undefined) landing.because = change.because.slice(0, MAX_BECAUSE)
    if (JSON.stringify(landing) === JSON.stringify(before)) return entry
    await this.#options.ledger.append({ type: 'landing-changed', landing })
    this.#options.changed()
    const now = this.known(entry.attemptId)
    if (now.differs && !entry.differs) this.#options.differs?.(now)
    return now
  }
}
