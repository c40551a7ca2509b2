import { type FleetWorkspaceFacts, unknownFacts } from '../../core/fleet/presence.ts'
import { type WorkspaceFigures, workspaceFigures } from '../../core/read-model/figures.ts'
import { historyView, type ScoreHistory } from '../../core/read-model/score.ts'
import { type Workspace, workspaceView } from '../../core/read-model/workspace.ts'
import type { CentreStore, StoredHead } from './centre-store.ts'
import { recordKey } from './record-key.ts'

/** Records made anew without a turn for others: reading a state costs, and a fleet has ten thousand of them. */
const AT_ONCE = 50

/** A record as it is shown, and from what it was made. */
export interface ShownRecord {
  readonly head: StoredHead
  readonly view: Workspace
  readonly history: ScoreHistory
  readonly figures: WorkspaceFigures
}

/**
 * Every record as it is shown. One is made anew where it or what its host says of it has changed, and nothing else is
 * read.
 *
 * 1. `all` makes a bounded number anew: however much has come, nobody waits for more than that.
 * 2. `caughtUp` makes so many anew of those that had changed, with a turn for others in between, that the next `all`
 *    makes the rest.
 * 3. What is left has changed meanwhile, and whoever looks is told of that change.
 */
export class ShownRecords {
  readonly #store: CentreStore
  /** Here and below by `recordKey`. */
  readonly #facts = new Map<string, FleetWorkspaceFacts>()
  readonly #shown = new Map<string, ShownRecord>()
  readonly #changed = new Set<string>()
  #inOrder: readonly ShownRecord[] | null = null

  constructor(store: CentreStore) {
    this.#store = store
  }

  told(host: string, facts: FleetWorkspaceFacts): void {
    const key = recordKey({ host, workspace: facts.id })
    this.#facts.set(key, facts)
    this.#changed.add(key)
  }

  nameOf(host: string, workspace: string): string {
    return this.#facts.get(recordKey({ host, workspace }))?.name ?? workspace
  }

  find(host: string, workspace: string): ShownRecord | undefined {
    const key = recordKey({ host, workspace })
    this.#collect()
    if (this.#changed.has(key)) this.#makeAnew([key])
    return this.#shown.get(key)
  }

  /** By host and workspace. */
  all(): readonly ShownRecord[] {
    this.#collect()
    this.#makeAnew([...this.#changed].slice(0, AT_ONCE))
    this.#inOrder ??= [...this.#shown].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record)
    return this.#inOrder
  }

  async caughtUp(): Promise<void> {
    this.#collect()
    // Who changed first is first in the set, and one that changes again later than asked goes to its end.
    for (let left = this.#changed.size; left > AT_ONCE; left -= AT_ONCE) {
      this.#makeAnew([...this.#changed].slice(0, AT_ONCE))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #collect(): void {
    for (const key of this.#store.drainChanged()) this.#changed.add(key)
  }

  #makeAnew(keys: readonly string[]): void {
    for (const key of keys) {
      this.#changed.delete(key)
      this.#inOrder = null
      const head = this.#store.head(key)
      if (head === null) this.#shown.delete(key)
      else this.#shown.set(key, this.#shownOf(head, this.#facts.get(key)))
    }
  }

  #shownOf(head: StoredHead, facts: FleetWorkspaceFacts | undefined): ShownRecord {
    const { host, workspace } = head
    const state = this.#store.state(host, workspace)
    const known = facts ?? unknownFacts(workspace)
    const view = workspaceView(state, { ...known, path: '', permissions: [], notices: [] })
    return {
      head,
      view,
      history: historyView(state),
      figures: workspaceFigures({ host, workspace }, state, null),
    }
  }
}
