import type { Database as Connection, NormalQueryResult } from 'node-sqlite3-wasm'
import { type CursorPlace, cursorOf, newestFirst, placeOf } from '../../core/fleet/cursor.ts'
import { one, rows } from './centre-database.ts'
import type { RecordPlace } from './record-key.ts'

/** How many rows to read at once, or from each source if there are several. */
const READ_OF_ALL = 500
const READ_OF_EACH = 50
/** Sources read in parallel; for more of them, read all entries instead. */
const MAX_SOURCES = 64
/** More than can arrive in a millisecond. */
const ARRIVALS_IN_A_MS = 1_000

/** A stored entry of a workspace's timeline. */
export interface StoredEntry {
  readonly host: string
  readonly workspace: string
  readonly json: string
  /** Position of the entry in the order of all entries. */
  readonly cursor: string
}

/** Where to search; `null`: everywhere. */
export interface EntriesOf {
  readonly hosts: readonly string[] | null
  readonly workspaces: readonly RecordPlace[] | null
}

/** The entries from one index, newest first, read in pieces. */
interface Source {
  /** The part of the query after its columns. */
  readonly from: string
  readonly given: readonly string[]
  readonly atOnce: number
  ahead: NormalQueryResult[]
  /** Where reading continues; `null`: there is nothing more. */
  place: CursorPlace | null
}

/** The entries of all records, by time and by arrival. */
export class StoredEntries {
  readonly #db: Connection

  constructor(db: Connection, nowMs: number) {
    this.#db = db
    if (this.knownFrom() === 0) this.beginArrivals(nowMs)
  }

  /**
   * Gives later arrivals numbers that were never used before, neither by this database nor by an earlier one at its path; what arrived
   * after the old numbers is then unknown. Needed because row numbers of deleted rows are reused.
   */
  beginArrivals(nowMs: number): void {
    const from = Math.max(this.last() + 1, nowMs * ARRIVALS_IN_A_MS)
    this.#db.run("INSERT OR REPLACE INTO meta VALUES ('arrivals_from', ?)", [String(from)])
  }

  /** Returns the lowest arrival number after which all arrivals are known. */
  knownFrom(): number {
    return Number(one(this.#db.get("SELECT value FROM meta WHERE key = 'arrivals_from'"))?.value ?? 0)
  }

  /**
   * Yields entries after a cursor (`null`: from the newest), newest first. Reads only as far as the caller consumes. For a few hosts or
   * workspaces, reads each by its own index; for more, entries of others may be among them.
   */
  *behind(cursor: string | null, { hosts, workspaces }: EntriesOf): Generator<StoredEntry, undefined, void> {
    const place = cursor === null ? { atMs: Number.MAX_SAFE_INTEGER, row: 0 } : placeOf(cursor)
    const sources = sourcesOf(hosts, workspaces).map((source): Source => ({ ...source, ahead: [], place }))
    for (;;) {
      for (const source of sources) this.#read(source)
      const next = sources.reduce<Source | null>(
        (newest, source) => (isBefore(source.ahead.at(-1), newest?.ahead.at(-1)) ? source : newest),
        null,
      )
      const row = next?.ahead.pop()
      if (row === undefined) return undefined
      yield storedEntry(row)
    }
  }

  /** Returns entries that arrived after that number. */
  since(arrival: number, limit: number): StoredEntry[] {
    const found = this.#db.all('SELECT rowid AS row, * FROM entry WHERE rowid > ? ORDER BY rowid LIMIT ?', [
      arrival - this.knownFrom(),
      limit,
    ])
    return rows(found).map(storedEntry)
  }

  /** Returns the number of the last arrival; if there is none, the number from which arrivals are known. */
  last(): number {
    const row = Number(one(this.#db.get('SELECT max(rowid) AS row FROM entry'))?.row ?? 0)
    return this.knownFrom() + row
  }

  /** Returns the arrival number of a cursor. */
  arrivalOf(cursor: string): number {
    return this.knownFrom() + placeOf(cursor).row
  }

  find(host: string, workspace: string, id: string): StoredEntry | null {
    const found = one(
      this.#db.get('SELECT rowid AS row, * FROM entry WHERE host = ? AND workspace = ? AND id = ?', [
        host,
        workspace,
        id,
      ]),
    )
    return found === null ? null : storedEntry(found)
  }

  /** Reads the next entries of an empty source; the newest is last in the buffer. */
  #read(source: Source): void {
    const { place, from, given, atOnce } = source
    if (source.ahead.length > 0 || place === null) return
    const { atMs, row } = place
    const found = rows(
      this.#db.all(
        `SELECT rowid AS row, * FROM entry INDEXED BY ${from} at_ms <= ? AND (at_ms < ? OR rowid < ?)
         ORDER BY at_ms DESC, rowid DESC LIMIT ?`,
        [...given, atMs, atMs, row, atOnce],
      ),
    )
    const last = found.length < atOnce ? undefined : found.at(-1)
    source.place = last === undefined ? null : placeIn(last)
    source.ahead = found.toReversed()
  }
}

function sourcesOf(
  hosts: EntriesOf['hosts'],
  workspaces: EntriesOf['workspaces'],
): readonly Pick<Source, 'from' | 'given' | 'atOnce'>[] {
  if (workspaces !== null && workspaces.length <= MAX_SOURCES)
    return workspaces.map(({ host, workspace }) => ({
      from: 'entry_in WHERE host = ? AND workspace = ? AND',
      given: [host, workspace],
      atOnce: READ_OF_EACH,
    }))
  const few = hosts ?? (workspaces === null ? null : [...new Set(workspaces.map(({ host }) => host))])
  if (few !== null && few.length <= MAX_SOURCES)
    return few.map((host) => ({ from: 'entry_of WHERE host = ? AND', given: [host], atOnce: READ_OF_EACH }))
  return [{ from: 'entry_at WHERE', given: [], atOnce: READ_OF_ALL }]
}

/** True if a row comes before another one; any row comes before none. */
function isBefore(row: NormalQueryResult | undefined, other: NormalQueryResult | undefined): boolean {
  if (row === undefined) return false
  if (other === undefined) return true
  return newestFirst(placeIn(row), placeIn(other)) < 0
}

function storedEntry(row: NormalQueryResult): StoredEntry {
  return {
    host: String(row.host),
    workspace: String(row.workspace),
    json: String(row.json),
    cursor: cursorOf(placeIn(row)),
  }
}

function placeIn({ at_ms, row }: NormalQueryResult): CursorPlace {
  return { atMs: Number(at_ms), row: Number(row) }
}
