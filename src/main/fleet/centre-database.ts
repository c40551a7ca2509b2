import { rmSync } from 'node:fs'
import type { Database as Connection, NormalQueryResult, QueryResult } from 'node-sqlite3-wasm'
import sqlite from 'node-sqlite3-wasm'
import { FOLD_VERSION } from '../ledger/snapshot.ts'

/*
 * What the center shows, folded from the hub's lines: a cache, rebuilt from the streams if it is missing or of another version.
 * Uses SQLite as WebAssembly, which needs no compiler and no build for each runtime; Node.js 20 has no built-in SQLite.
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
CREATE INDEX IF NOT EXISTS entry_in ON entry (host, workspace, at_ms);
CREATE TABLE IF NOT EXISTS refused (
  host TEXT NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL, last_at TEXT NOT NULL,
  workspace TEXT NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (host, kind)
);
`
/** Raise it with every change of the tables. */
const TABLES_VERSION = 3
const VERSION = `${TABLES_VERSION}.${FOLD_VERSION}`

/** Opens a database of this version, or creates a new one. */
export function openDatabase(path: string): Connection {
  // Left by a process that was killed, because a data folder has only one owner.
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
    // An unreadable database is rebuilt from the streams.
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
    // The data folder has one owner, so keep the lock: otherwise SQLite locks the file for each query by creating and removing a folder.
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

export function one(row: QueryResult | null): NormalQueryResult | null {
  return row as NormalQueryResult | null
}

export function rows(found: readonly QueryResult[]): readonly NormalQueryResult[] {
  return found as readonly NormalQueryResult[]
}
