import type { Database as Connection, JSValue } from 'node-sqlite3-wasm'
import type { RefusedLines } from '../../core/fleet/view.ts'
import { initialState } from '../../core/record/fold.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { timelineEntries } from '../../core/record/timeline.ts'
import type { Refusal } from '../../core/vocabulary/fleet.ts'
import { foldLine } from '../ledger/fold-line.ts'
import { one, openDatabase, rows } from './centre-database.ts'
import { type RecordPlace, recordKey } from './record-key.ts'
import { StoredEntries } from './stored-entries.ts'
import { type Incoming, RECORD_START, type RecordHead, takeLine } from './take-line.ts'

const KEPT_STATES = 500
/** Per host: bounds what a host can make the center store. */
const MAX_RECORDS = 10_000

/** A message of a host's stream. */
export interface HubMessage extends Incoming {
  readonly workspace: string
  /** Its position in the stream. */
  readonly place: number
}

/** The position of a workspace's record. */
export interface StoredHead extends RecordHead, RecordPlace {
  readonly lastAt: string
}

interface Held extends RecordHead {
  readonly lastAt: string
  readonly state: WorkspaceState
}

export class CentreStore {
  readonly #db: Connection
  readonly entries: StoredEntries
  /** The records used last. Here and below the key is `recordKey`. */
  readonly #held = new Map<string, Held>()
  /** The position of each record. */
  #heads = new Map<string, StoredHead>()
  #counts = new Map<string, number>()
  readonly #changed = new Set<string>()
  /** Hosts whose streams at the hub have lost messages. */
  readonly #gaps: Set<string>

  /** `nowMs`: must be later than when any previous database at this path was created. */
  constructor(path: string, nowMs: number) {
    this.#db = openDatabase(path)
    this.entries = new StoredEntries(this.#db, nowMs)
    this.#heads = this.#readHeads()
    this.#gaps = new Set(
      [...this.refusals()].flatMap(([host, refused]) =>
        refused.some(({ kind }) => kind === 'hub-gap') ? [host] : [],
      ),
    )
  }

  close(): void {
    this.#db.close()
  }

  /** Returns how far a host's stream was read, and the hash of the message there, which shows whether it is the same stream. */
  position(host: string): { readonly place: number; readonly mark: string } {
    const row = one(this.#db.get('SELECT position, mark FROM host WHERE host = ?', [host]))
    return row === null ? { place: 0, mark: '' } : { place: Number(row.position), mark: String(row.mark) }
  }

  /** Discards everything of a host whose stream was replaced; all of it is read again. */
  forget(host: string, nowMs: number): void {
    this.#inTransaction(() => {
      // A reader who has seen the discarded entries has not seen their replacements.
      this.entries.beginArrivals(nowMs)
      for (const table of ['host', 'record', 'entry', 'refused'])
        this.#db.run(`DELETE FROM ${table} WHERE host = ?`, [host])
    })
    for (const [key, head] of this.#heads) {
      if (head.host !== host) continue
      this.#heads.delete(key)
      this.#held.delete(key)
      this.#changed.add(key)
    }
    this.#counts.delete(host)
    this.#gaps.delete(host)
  }

  /** Records a finding about a host; it is shown until the host's stream is replaced. */
  note(host: string, kind: Refusal, detail: string, now: string): void {
    this.#refuse(host, '', kind, detail, now)
  }

  /**
   * Processes messages of hosts, each host's in order: all of them or, if the disk refuses, none. Returns what was refused of each host.
   * Does so in one transaction, because its cost is waiting for the disk.
   */
  take(
    given: ReadonlyMap<string, readonly HubMessage[]>,
    now: string,
  ): ReadonlyMap<string, readonly Refusal[]> {
    const refusals = new Map<string, readonly Refusal[]>()
    try {
      this.#inTransaction(() => {
        for (const [host, messages] of given) refusals.set(host, this.#takeOf(host, messages, now))
      })
    } catch (error) {
      // The folded states were rolled back: read the stored ones.
      this.#held.clear()
      this.#heads = this.#readHeads()
      throw error
    }
    return refusals
  }

  #takeOf(host: string, messages: readonly HubMessage[], now: string): readonly Refusal[] {
    const refusals: Refusal[] = []
    const changed = new Map<string, Held>()
    let { place, mark } = this.position(host)
    for (const message of messages) {
      // The hub sent it again after it was taken.
      if (message.place <= place) continue
      // Only this host writes there, so positions are consecutive unless messages were removed.
      if (message.place !== place + 1) {
        const lost = message.place - place - 1
        refusals.push(
          this.#refuse(
            host,
            message.workspace,
            'hub-gap',
            `${lost} messages before position ${message.place}`,
            now,
          ),
        )
        this.#gaps.add(host)
      }
      const refusal = this.#takeOne(host, message, changed, now)
      if (refusal !== null) refusals.push(refusal)
      place = message.place
      mark = message.header('Pw-Hash')
    }
    for (const [workspace, held] of changed) this.#write(host, workspace, held)
    this.#db.run(
      'INSERT INTO host VALUES (?, ?, ?) ON CONFLICT (host) DO UPDATE SET position = excluded.position, mark = excluded.mark',
      [host, place, mark],
    )
    return refusals
  }

  /** Returns `null` if there is no such record. */
  head(key: string): StoredHead | null {
    return this.#heads.get(key) ?? null
  }

  /** Returns which records are new, changed or gone since the last call; the first call returns all. */
  drainChanged(): readonly string[] {
    const changed = [...this.#changed]
    this.#changed.clear()
    return changed
  }

  /** Returns the state of a workspace's record; the initial one if there is none. */
  state(host: string, workspace: string): WorkspaceState {
    return this.#read(host, workspace).state
  }

  /** Returns how many lines were taken of each host. */
  counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** Returns what was refused of each host, by kind. */
  refusals(): ReadonlyMap<string, readonly RefusedLines[]> {
    const found = new Map<string, RefusedLines[]>()
    for (const row of rows(this.#db.all('SELECT * FROM refused ORDER BY host, kind'))) {
      const host = String(row.host)
      const refused = found.get(host) ?? []
      refused.push({
        kind: row.kind as Refusal,
        count: Number(row.count),
        lastAt: String(row.last_at),
        workspace: String(row.workspace),
        detail: String(row.detail),
      })
      found.set(host, refused)
    }
    return found
  }

  #takeOne(host: string, message: HubMessage, changed: Map<string, Held>, now: string): Refusal | null {
    const { workspace } = message
    const known = changed.get(workspace) ?? this.#read(host, workspace)
    if (known.seq === 0 && this.#recordsOf(host) >= MAX_RECORDS)
      return this.#refuse(host, workspace, 'oversized', 'more workspaces than allowed for a host', now)
    const taken = takeLine(known, message)
    if ('refusal' in taken) {
      // Lines lost at the hub are missing here; the host is not at fault.
      const isBehindGap = taken.refusal === 'out-of-order' && this.#gaps.has(host)
      return isBehindGap ? null : this.#refuse(host, workspace, taken.refusal, taken.detail, now)
    }
    const { line, head } = taken
    const { state, event } = foldLine(known.state, line)
    changed.set(workspace, { ...head, lastAt: line.at, state })
    for (const entry of event === null ? [] : timelineEntries(event)) {
      const atMs = Date.parse(entry.at)
      this.#db.run('INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?)', [
        host,
        workspace,
        entry.id,
        Number.isNaN(atMs) ? 0 : atMs,
        JSON.stringify(entry),
      ])
    }
    return null
  }

  #refuse(host: string, workspace: string, kind: Refusal, detail: string, now: string): Refusal {
    this.#db.run(
      'INSERT INTO refused VALUES (?, ?, 1, ?, ?, ?) ON CONFLICT (host, kind) DO UPDATE SET count = count + 1, last_at = excluded.last_at, workspace = excluded.workspace, detail = excluded.detail',
      [host, kind, now, workspace.slice(0, 60), detail.slice(0, 300)],
    )
    return kind
  }

  /** Reads all positions from the database and marks them as changed. */
  #readHeads(): Map<string, StoredHead> {
    for (const key of this.#heads.keys()) this.#changed.add(key)
    this.#counts = new Map()
    const columns = 'host, workspace, seq, hash, last_at'
    const found = rows(this.#db.all(`SELECT ${columns} FROM record ORDER BY host`)).map((row) => ({
      host: String(row.host),
      workspace: String(row.workspace),
      seq: Number(row.seq),
      hash: String(row.hash),
      lastAt: String(row.last_at),
    }))
    const heads = new Map<string, StoredHead>()
    for (const head of found) {
      const key = recordKey(head)
      heads.set(key, head)
      this.#changed.add(key)
      this.#counts.set(head.host, (this.#counts.get(head.host) ?? 0) + head.seq)
    }
    return heads
  }

  #recordsOf(host: string): number {
    return Number(one(this.#db.get('SELECT count(*) AS n FROM record WHERE host = ?', [host]))?.n ?? 0)
  }

  #read(host: string, workspace: string): Held {
    const key = recordKey({ host, workspace })
    const held = this.#held.get(key)
    if (held !== undefined) return held
    const row = one(this.#db.get('SELECT * FROM record WHERE host = ? AND workspace = ?', [host, workspace]))
    if (row === null) return { ...RECORD_START, lastAt: '', state: initialState() }
    // Safe: this program wrote it from a value of this type, in the same version.
    const state = JSON.parse(String(row.state)) as WorkspaceState
    return { seq: Number(row.seq), hash: String(row.hash), lastAt: String(row.last_at), state }
  }

  #write(host: string, workspace: string, held: Held): void {
    const values: JSValue[] = [host, workspace, held.seq, held.hash, held.lastAt, JSON.stringify(held.state)]
    this.#db.run('INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)', values)
    const key = recordKey({ host, workspace })
    const more = held.seq - (this.#heads.get(key)?.seq ?? 0)
    this.#counts.set(host, (this.#counts.get(host) ?? 0) + more)
    this.#heads.set(key, { host, workspace, seq: held.seq, hash: held.hash, lastAt: held.lastAt })
    this.#changed.add(key)
    this.#held.delete(key)
    this.#held.set(key, held)
    const oldest = this.#held.size > KEPT_STATES ? this.#held.keys().next().value : undefined
    if (oldest !== undefined) this.#held.delete(oldest)
  }

  #inTransaction(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      work()
      this.#db.exec('COMMIT')
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }
}
