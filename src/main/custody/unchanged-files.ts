import { basename, dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readOperatorFileSync } from '../files/operator-file.ts'
import { type Worked, worked } from '../process/do-jobs.ts'
import type { Job, Threads } from '../process/threads.ts'
import { within } from '../process/within.ts'
import { hashOf, MAX_KEPT_BYTES } from './text-store.ts'

/** A file, and the hash of what it held when it was looked at last. */
export interface KnownFile {
  readonly path: string
  readonly hash: string
}

/**
 * Which of these groups of files hold something else than is known of them, by their place; what cannot be read does.
 */
export const CHANGED_FILES: Job<readonly (readonly KnownFile[])[], readonly number[]> = {
  name: 'changed-files',
}

/** Longer than a busy disk takes for the files of a thousand workspaces. */
export const PATIENCE_MS = 10_000

/**
 * Asks these threads, of which a file system that does not answer holds one for as long as it likes: they do nothing
 * else. Rejects if there was no answer in time and, until there is, at once.
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

/** The jobs of a thread that looks through the files of many workspaces. */
export function changedFilesJobs(): readonly Worked[] {
  return [worked(CHANGED_FILES, changedFiles)]
}

/** Between two turns of the thread's other jobs: some milliseconds. */
const GROUPS_AT_A_TIME = 50

/** What `CHANGED_FILES` does. Read at once and not by way of a pool: of a thousand small files, that costs a tenth. */
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
  return reading.ok && hashOf(reading.bytes) === hash
}
