import { basename, dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readOperatorFileSync } from '../files/operator-file.ts'
import { sha256 } from '../files/sha256.ts'
import { type Worked, worked } from '../process/do-jobs.ts'
import type { Job, Threads } from '../process/threads.ts'
import { within } from '../process/within.ts'
import { MAX_KEPT_BYTES } from './text-store.ts'

/** A file, and the hash of its content at the last look. */
export interface KnownFile {
  readonly path: string
  readonly hash: string
}

/**
 * The job that finds the groups, by position, in which the content of a file differs from what is known; a file that cannot be read counts
 * as different.
 */
export const CHANGED_FILES: Job<readonly (readonly KnownFile[])[], readonly number[]> = {
  name: 'changed-files',
}

/** Longer than a busy disk needs for the files of a thousand workspaces. */
export const PATIENCE_MS = 10_000

/**
 * Runs the job in threads that do nothing else, because a file system that does not answer blocks a thread for any length of time. Rejects
 * if there is no answer in time; until that answer arrives, further calls reject immediately.
 */
export function createChangedFiles(threads: Pick<Threads, 'run'>, patienceMs: number) {
  let isHeld = false
  return async (groups: readonly (readonly KnownFile[])[]): Promise<readonly number[]> => {
    if (isHeld) throw new Error('The thread that reads files is held.')
    const answer = threads.run(CHANGED_FILES, groups, 'files of all workspaces')
    const changed = await within(patienceMs, answer)
    if (changed !== null) return changed
    isHeld = true
    const goesOn = (): void => {
      isHeld = false
    }
    answer.then(goesOn, goesOn)
    throw new Error('The thread that reads files has not answered.')
  }
}

/** Returns the jobs of a thread that reads the files of many workspaces. */
export function changedFilesJobs(): readonly Worked[] {
  return [worked(CHANGED_FILES, changedFiles)]
}

/** How many groups to read before the thread's other jobs get a turn; takes some milliseconds. */
const GROUPS_AT_A_TIME = 50

/** Does `CHANGED_FILES`. Reads synchronously: for a thousand small files, that takes a tenth of the time that the thread pool needs. */
export async function changedFiles(groups: readonly (readonly KnownFile[])[]): Promise<readonly number[]> {
  const changed: number[] = []
  for (const [index, files] of groups.entries()) {
    if (!files.every(isAsKnown)) changed.push(index)
    if (index % GROUPS_AT_A_TIME === GROUPS_AT_A_TIME - 1) await setImmediate()
  }
  return changed
}

function isAsKnown({ path, hash }: KnownFile): boolean {
  const reading = readOperatorFileSync(dirname(path), basename(path), MAX_KEPT_BYTES)
  return reading.ok && sha256(reading.bytes) === hash
}
