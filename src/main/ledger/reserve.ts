import { randomBytes } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FILE } from '../files/durable-file.ts'
import { errorCode, storageError } from '../files/storage-error.ts'

/*
 * An agent that fills the disk would keep its own verdict from being recorded, and a lie would cost it nothing. So before an agent
 * starts, the space for the end of its attempt is set aside, and given back when the disk has no other.
 */

/** Far more than the end of a heartbeat with all its tasks takes. */
const BYTES = 256 * 1024
const IS_FULL = new Set(['ENOSPC', 'EDQUOT'])

export interface Reserve {
  /** Sees that it is there. Rejects with a `StorageError` where there is no space for it. */
  keep(): Promise<void>
  /** Gives the space back; whether there was any. Never rejects. */
  give(): Promise<boolean>
}

/** The reserve of the ledger in `directory` (`…/workspaces/<id>`). */
export function createReserve(directory: string): Reserve {
  const path = join(directory, 'reserve')
  return {
    keep: async () => {
      const there = await stat(path).catch(() => null)
      if (there?.isFile() === true && there.size === BYTES) return
      try {
        // Of bytes that no file system makes less of.
        await writeFile(path, randomBytes(BYTES), { mode: PRIVATE_FILE })
      } catch (error) {
        await rm(path, { force: true }).catch(() => undefined)
        throw storageError('set aside the space that the end of an attempt takes, in', path, error)
      }
    },
    give: () =>
      rm(path).then(
        () => true,
        () => false,
      ),
  }
}

/** Whether there was no space to write. */
export function isFull(error: unknown): boolean {
  return IS_FULL.has(errorCode(error))
}
