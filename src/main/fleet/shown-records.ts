import { type FleetWorkspaceFacts, unknownFacts } from '../../core/fleet/presence.ts'
import { type WorkspaceFigures, workspaceFigures } from '../../core/read-model/figures.ts'
import { historyView, type ScoreHistory } from '../../core/read-model/score.ts'
import { type Workspace, workspaceView } from '../../core/read-model/workspace.ts'
import type { CentreStore, StoredHead } from './centre-store.ts'
import { recordKey } from './record-key.ts'

/** How many records to rebuild before yielding: reading a state is expensive, and a fleet has ten thousand. */
const AT_ONCE = 50

/** A record as shown, with what it was built from. */
export interface ShownRecord {
  readonly head: StoredHead
  readonly view: Workspace
  readonly history: ScoreHistory
  readonly figures: WorkspaceFigures
}

/**
 * All records as they are shown. A record is rebuilt when it or its host's facts about it change; nothing else is read.
 *
 * 1. `all` rebuilds a limited number, so no caller waits for more than that, however much has arrived.
 * 2. `caughtUp` rebuilds changed records, yielding in between, until few enough are left for the next `all`.
 * 3. Records that are left over changed in the meantime, and clients are notified of that change.
 */
export class ShownRecords {
  readonly #store: CentreStore
  /** In this and the following maps, the key is `recordKey`. */
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

  /** Returns all records, sorted by host and workspace. */
  all(): readonly ShownRecord[] {
    this.#collect()
    this.#makeAnew([...this.#changed].slice(0, AT_ONCE))
    this.#inOrder ??= [...this.#shown].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record)
    return this.#inOrder
  }

  async caughtUp(): Promise<void> {
    this.#collect()
    // The set is in order of change, and a record that changes during this loop moves to the end.
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
