import { rmSync } from 'node:fs'
import type { Database as Connection, JSValue, NormalQueryResult, QueryResult } from 'node-sqlite3-wasm'
import sqlite from 'node-sqlite3-wasm'
import type { RefusedLines } from '../../core/fleet/view.ts'
import { initialState } from '../../core/record/fold.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { timelineEntries } from '../../core/record/timeline.ts'
import type { Refusal } from '../../core/vocabulary/fleet.ts'
import { foldLine } from '../ledger/fold-line.ts'
import { FOLD_VERSION } from '../ledger/snapshot.ts'
import { type Incoming, RECORD_START, type RecordHead, takeLine } from './take-line.ts'

/*
 * What the centre shows, folded from the lines that the hub has: a cache, made anew from the streams wherever it is missing or of another
 * version. SQLite as WebAssembly: it needs no compiler and no build for each runtime, and Node.js 20 has none of its own.
 */

const SCHEMA = `
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS host (host TEXT PRIMARY KEY, position INTEGER NOT NULL, mark TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS record (
  host TEXT NOT NULL, workspace TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL,
  last_at TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (host, workspace)
);
CREATE TABLE IF NOT EXISTS entry (
  host TEXT NOT NULL, workspace TEXT NOT NULL, id TEXT NOT NULL, at_ms INTEGER NOT NULL, json TEXT NOT NULL,
  PRIMARY KEY (host, workspace, id)
);
CREATE INDEX IF NOT EXISTS entry_at ON entry (at_ms);
CREATE INDEX IF NOT EXISTS entry_of ON entry (host, at_ms);
CREATE TABLE IF NOT EXISTS refused (
  host TEXT NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL, last_at TEXT NOT NULL,
  workspace TEXT NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (host, kind)
);
`
/** Raise it with every change of the tables. */
const TABLES_VERSION = 2
const VERSION = `${TABLES_VERSION}.${FOLD_VERSION}`
const KEPT_STATES = 500
/** Hosts that are asked for one after the other; more of them are found in one look at all. */
const MAX_ASKED_BY_ONE = 32
/** Of one host: a bound for what a host can make the centre hold. */
const MAX_RECORDS = 10_000

/** A message of a host's stream. */
export interface HubMessage extends Incoming {
  readonly workspace: string
  /** Its place in the stream. */
  readonly place: number
}

/** Where the record of a workspace stands. */
export interface StoredHead extends RecordHead {
  readonly host: string
  readonly workspace: string
  readonly lastAt: string
}

interface StoredEntry {
  readonly host: string
  readonly workspace: string
  readonly json: string
  /** Of the entry in the order of all. */
  readonly cursor: string
}

/** Of which entries are asked for; `null`: of all. */
export interface EntriesOf {
  readonly hosts: readonly string[] | null
  /** As `HOST/WORKSPACE`. */
  readonly workspaces: readonly string[] | null
}

interface Held extends RecordHead {
  readonly lastAt: string
  readonly state: WorkspaceState
}

export class CentreStore {
  readonly #db: Connection
  /** The records asked for last. */
  readonly #held = new Map<string, Held>()
  /** Where each record stands, by `HOST/WORKSPACE`, and how many lines were taken of each host. */
  #heads = new Map<string, StoredHead>()
  #counts = new Map<string, number>()
  readonly #changed = new Set<string>()

  constructor(path: string) {
    this.#db = openDatabase(path)
    this.#heads = this.#readHeads()
  }

  close(): void {
    this.#db.close()
  }

  /** How far the stream of a host was taken, and the hash of the message there, which shows whether it is the same stream. */
  position(host: string): { readonly place: number; readonly mark: string } {
    const row = one(this.#db.get('SELECT position, mark FROM host WHERE host = ?', [host]))
    return row === null ? { place: 0, mark: '' } : { place: Number(row.position), mark: String(row.mark) }
  }

  /** The stream is another one than was taken: everything of the host is taken again. */
  forget(host: string): void {
    this.#inTransaction(() => {
      for (const table of ['host', 'record', 'entry', 'refused'])
        this.#db.run(`DELETE FROM ${table} WHERE host = ?`, [host])
    })
    for (const key of this.#held.keys()) if (key.startsWith(`${host}/`)) this.#held.delete(key)
    this.#heads = this.#readHeads()
  }

  /**
   * Takes messages of hosts, each host's in their order: all of them or, where the disk refuses, none; answers with what was not taken of
   * each host. Together, because what a transaction costs is waiting for the disk.
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
      // What was folded is not there: the next one reads what is.
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
      // Sent again by the hub after it was taken.
      if (message.place <= place) continue
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

  /** All records, by host and workspace, without what they fold to. */
  heads(): StoredHead[] {
    return [...this.#heads].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, head]) => head)
  }

  /** `null`: there is no such record. `key`: `HOST/WORKSPACE`. */
  head(key: string): StoredHead | null {
    return this.#heads.get(key) ?? null
  }

  /** Which records are new, another or gone since this was asked last, as `HOST/WORKSPACE`; at first, all. */
  drainChanged(): readonly string[] {
    const changed = [...this.#changed]
    this.#changed.clear()
    return changed
  }

  /** What the record of a workspace folds to; the beginning where there is none. */
  state(host: string, workspace: string): WorkspaceState {
    return this.#read(host, workspace).state
  }

  /** Hosts with the number of lines that were taken of them. */
  counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  refusals(host: string): RefusedLines[] {
    return rows(this.#db.all('SELECT * FROM refused WHERE host = ? ORDER BY kind', [host])).map((row) => ({
      kind: row.kind as Refusal,
      count: Number(row.count),
      lastAt: String(row.last_at),
      workspace: String(row.workspace),
      detail: String(row.detail),
    }))
  }

  /** Entries behind a cursor (`MS-ROW`; `null`: from the newest on), newest first, as they were made. */
  entries(cursor: string | null, limit: number, { hosts, workspaces }: EntriesOf): StoredEntry[] {
    const [atMs, row] = cursor === null ? [Number.MAX_SAFE_INTEGER, 0] : placeOf(cursor)
    const wanted = hosts ?? workspaces?.map((each) => each.slice(0, each.indexOf('/'))) ?? null
    const few = wanted === null ? null : [...new Set(wanted)]
    const behind = 'at_ms <= ?1 AND (at_ms < ?1 OR rowid < ?2)'
    const among = "(?4 IS NULL OR host || '/' || workspace IN (SELECT value FROM json_each(?4)))"
    const order = 'ORDER BY at_ms DESC, rowid DESC LIMIT ?3'
    const given = [atMs, row, limit, jsonOrNull(workspaces)]
    // Host by host, where they are few: what is looked for may be anywhere in a history that is long.
    const found =
      few === null || few.length > MAX_ASKED_BY_ONE
        ? this.#db.all(
            `SELECT rowid AS row, * FROM entry WHERE ${behind} AND ${among}
             AND (?5 IS NULL OR host IN (SELECT value FROM json_each(?5))) ${order}`,
            [...given, jsonOrNull(few)],
          )
        : few.flatMap((host) =>
            this.#db.all(
              `SELECT rowid AS row, * FROM entry INDEXED BY entry_of WHERE host = ?5 AND ${behind} AND ${among} ${order}`,
              [...given, host],
            ),
          )
    return rows(found)
      .toSorted(
        (one, other) => Number(other.at_ms) - Number(one.at_ms) || Number(other.row) - Number(one.row),
      )
      .slice(0, limit)
      .map((entry) => ({
        host: String(entry.host),
        workspace: String(entry.workspace),
        json: String(entry.json),
        cursor: `${entry.at_ms}-${entry.row}`,
      }))
  }

  #takeOne(host: string, message: HubMessage, changed: Map<string, Held>, now: string): Refusal | null {
    const { workspace } = message
    const known = changed.get(workspace) ?? this.#read(host, workspace)
    if (known.seq === 0 && this.#recordsOf(host) >= MAX_RECORDS)
      return this.#refuse(host, workspace, 'oversized', 'more workspaces than a host may have', now)
    const taken = takeLine(known, message)
    if ('refusal' in taken) return this.#refuse(host, workspace, taken.refusal, taken.detail, now)
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

  /** What stands in the database; all of it counts as changed. */
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
      const key = `${head.host}/${head.workspace}`
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
    const key = `${host}/${workspace}`
    const held = this.#held.get(key)
    if (held !== undefined) return held
    const row = one(this.#db.get('SELECT * FROM record WHERE host = ? AND workspace = ?', [host, workspace]))
    if (row === null) return { ...RECORD_START, lastAt: '', state: initialState() }
    // Safe: this program wrote it from a value of this type, under the same version.
    const state = JSON.parse(String(row.state)) as WorkspaceState
    return { seq: Number(row.seq), hash: String(row.hash), lastAt: String(row.last_at), state }
  }

  #write(host: string, workspace: string, held: Held): void {
    const values: JSValue[] = [host, workspace, held.seq, held.hash, held.lastAt, JSON.stringify(held.state)]
    this.#db.run('INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)', values)
    const key = `${host}/${workspace}`
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

/** Of this version, or a new one. */
function openDatabase(path: string): Connection {
  // Left by a process that was killed: the data folder has one owner.
  rmSync(`${path}.lock`, { recursive: true, force: true })
  try {
    const found = prepare(path)
    const row = one(found.get("SELECT value FROM meta WHERE key = 'version'"))
    if (row === null || row.value === VERSION) {
      found.run("INSERT OR REPLACE INTO meta VALUES ('version', ?)", [VERSION])
      return found
    }
    found.close()
  } catch {
    // What cannot be read is made anew from the streams.
  }
  for (const name of [path, `${path}-journal`]) rmSync(name, { force: true })
  rmSync(`${path}.lock`, { recursive: true, force: true })
  const made = prepare(path)
  made.run("INSERT OR REPLACE INTO meta VALUES ('version', ?)", [VERSION])
  return made
}

function prepare(path: string): Connection {
  const db = new sqlite.Database(path)
  try {
    // The data folder has one owner. Else the file is locked for each question, by making and removing a folder.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    db.exec('PRAGMA journal_mode = TRUNCATE')
    db.exec('PRAGMA synchronous = NORMAL')
    db.exec(SCHEMA)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function placeOf(cursor: string): [number, number] {
  const [, atMs, row] = /^(-?\d+)-(\d+)$/.exec(cursor) ?? []
  return [Number(atMs), Number(row)]
}

function jsonOrNull(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list)
}

function one(row: QueryResult | null): NormalQueryResult | null {
  return row as NormalQueryResult | null
}

function rows(found: readonly QueryResult[]): readonly NormalQueryResult[] {
  return found as readonly NormalQueryResult[]
}
