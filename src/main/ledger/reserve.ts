import { randomBytes } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FILE } from '../files/durable-file.ts'
import { errorCode, storageError } from '../files/storage-error.ts'
import { succeeds } from '../files/succeeds.ts'

/*
 * An agent that fills the disk could prevent its own verdict from being recorded, and a contradiction would cost it nothing. So
 * the space for the end of an attempt is reserved before an agent starts, and released when the disk is full.
 */

/** Far more than the end of a heartbeat with all its tasks takes. */
const BYTES = 256 * 1024
const IS_FULL = new Set(['ENOSPC', 'EDQUOT'])

export interface Reserve {
  /** Ensures that the reserve exists. Rejects with a `StorageError` if there is no space for it. */
  keep(): Promise<void>
  /** Releases the space; returns whether there was any. Never rejects. */
  give(): Promise<boolean>
}

/** Creates the reserve of the ledger in `directory` (`…/workspaces/<id>`). */
export function createReserve(directory: string): Reserve {
  const path = join(directory, 'reserve')
  return {
    keep: async () => {
      const there = await stat(path).catch(() => null)
      if (there?.isFile() === true && there.size === BYTES) return
      try {
        // Random bytes, which no file system can compress.
        await writeFile(path, randomBytes(BYTES), { mode: PRIVATE_FILE })
      } catch (error) {
        await rm(path, { force: true }).catch(() => undefined)
        throw storageError('reserve space for the end of an attempt in', path, error)
      }
    },
    give: () => succeeds(rm(path)),
  }
}

/** True if a write failed for lack of space. */
export function isFull(error: unknown): boolean {
  return IS_FULL.has(errorCode(error))
}
