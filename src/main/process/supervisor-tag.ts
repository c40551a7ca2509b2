import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { SUPERVISOR_VARIABLE } from '../../core/vocabulary/supervisor-variable.ts'
import { sha256 } from '../files/sha256.ts'

let current: string | null = null

/** Returns the tag of a data folder for its processes' environment; the same whichever path names the folder. */
export function supervisorTag(dataDirectory: string): string {
  let path = resolve(dataDirectory)
  try {
    path = realpathSync(path)
  } catch {
    // It does not exist yet.
  }
  return sha256(path).slice(0, 16)
}

/** Adds the data folder's tag to every program that this process starts afterwards. */
export function superviseFor(dataDirectory: string): void {
  current = supervisorTag(dataDirectory)
}

/** Returns what a child process gets in addition to its own environment. */
export function supervisorVariables(): Readonly<Record<string, string>> {
  return current === null ? {} : { [SUPERVISOR_VARIABLE]: current }
}
