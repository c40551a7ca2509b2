import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

/** In the environment of every process that a supervisor starts: which data folder's supervisor that is. */
export const SUPERVISOR_VARIABLE = 'PULSEWARD_SUPERVISOR'

let current: string | null = null

/** What stands for a data folder in the environment of its processes; the same by whatever path it is named. */
export function supervisorTag(dataDirectory: string): string {
  let path = resolve(dataDirectory)
  try {
    path = realpathSync(path)
  } catch {
    // Not there yet.
  }
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}

/** From here on every program this process starts carries the tag of the data folder. */
export function superviseFor(dataDirectory: string): void {
  current = supervisorTag(dataDirectory)
}

/** What a child process is given beside its own environment. */
export function supervisorVariables(): Readonly<Record<string, string>> {
  return current === null ? {} : { [SUPERVISOR_VARIABLE]: current }
}
