import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { freePath, PRIVATE_FILE, syncDirectory } from '../files/durable-file.ts'
import { storageError } from '../files/storage-error.ts'

/** How many parts are kept. Each crash leaves one; after this many crashes the oldest is useless. */
const KEPT_PARTS = 20

/**
 * Cuts the file at byte `length` and keeps what followed as `torn-<time>.part` beside it; the part is on disk before the cut.
 * `time` must be valid in a file name. Resolves with the part's path; rejects with a `StorageError`, and then nothing is cut.
 */
export async function cutTornTail(
  ledgerDirectory: string,
  segment: string,
  length: number,
  time: string,
): Promise<string> {
  try {
    const part = await freePath(join(ledgerDirectory, `torn-${time}.part`))
    await pipeline(
      createReadStream(segment, { start: length }),
      createWriteStream(part, { mode: PRIVATE_FILE, flush: true }),
    )
    await syncDirectory(ledgerDirectory)
    const handle = await open(segment, 'r+')
    try {
      await handle.truncate(length)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await dropOldParts(ledgerDirectory)
    return part
  } catch (error) {
    throw storageError('set aside the torn end of', segment, error)
  }
}

async function dropOldParts(ledgerDirectory: string): Promise<void> {
  const names = await readdir(ledgerDirectory)
  const parts = names.filter((name) => /^torn-.*\.part(-\d+)?$/.test(name)).sort()
  for (const name of parts.slice(0, -KEPT_PARTS)) await rm(join(ledgerDirectory, name), { force: true })
}
