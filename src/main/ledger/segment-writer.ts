import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PRIVATE_FILE, syncDirectory } from '../files/durable-file.ts'
import { errorCode, StorageError, storageError } from '../files/storage-error.ts'

/** The newest segment, open for appending. */
export interface SegmentWriter {
  /** Bytes of whole lines, all on disk. */
  readonly length: number
  /** Set while the file is not ours, or a failed write could not be undone; then every append rejects with it. */
  readonly failure: StorageError | null
  /**
   * Resolves when `bytes` are on disk (fdatasync). Rejects with a `StorageError`, and then none of them are in the file: a
   * partial write is cut off again. If even that fails, each later append tries it first and rejects until it succeeds. If
   * another process writes to the file, every later append rejects. One call at a time.
   */
  append(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Opens a segment whose valid lines end at byte `length`, creating the file durably if it is new. */
export async function openSegmentWriter(path: string, length: number): Promise<SegmentWriter> {
  const handle = await openForWriting(path, length)
  let sound = length
  let failure: StorageError | null = null

  let isToBeCut = false

  /**
   * Cuts the file back after a failed write. Once this resolves the segment is valid again: what is cut off was never acknowledged, and
   * what comes before it was synced.
   */
  async function cutBack(cause: unknown): Promise<void> {
    isToBeCut = true
    try {
      await handle.truncate(sound)
      await handle.sync()
      isToBeCut = false
      failure = null
    } catch (error) {
      const message = `Nothing is recorded in ${path} until a failed write can be undone: ${storageError('cut', path, error).message}`
      failure = new StorageError(message, path, errorCode(cause), cause)
    }
  }

  return {
    get length() {
      return sound
    },
    get failure() {
      return failure
    },
    async append(bytes) {
      if (isToBeCut) await cutBack(failure?.cause)
      if (failure !== null) throw failure
      try {
        // Checked before, so that nothing of another process is overwritten, and after, because the write counts only if it is there.
        await assertOwn(handle, path, sound)
        await writeAll(handle, bytes, sound)
        await handle.datasync()
        await assertOwn(handle, path, sound + bytes.length)
        sound += bytes.length
      } catch (error) {
        if (error instanceof StorageError) {
          failure = error
          throw error
        }
        await cutBack(error)
        throw storageError('record in', path, error)
      }
    },
    close: () => handle.close(),
  }
}

/** Syncs a segment that was read: a host that was killed during an append may have left it in memory only. */
export async function syncSegment(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/**
 * Checks that readers of the ledger will find what was written: the file still has its name, and holds only what we wrote. A
 * write succeeds even if the file was deleted, replaced or written to by another process.
 */
async function assertOwn(handle: FileHandle, path: string, length: number): Promise<void> {
  const [own, there] = await Promise.all([handle.stat(), stat(path).catch(() => null)])
  const isThere = there !== null && there.ino === own.ino && there.dev === own.dev
  if (isThere && own.size === length) return
  const what = isThere
    ? `it has ${own.size} bytes, but Pulseward wrote ${length}: another process writes to it`
    : 'it was deleted or replaced by another process'
  throw new StorageError(
    `Nothing more is recorded in ${path} until Pulseward is restarted: ${what}`,
    path,
    'ESTALE',
  )
}

async function openForWriting(path: string, length: number): Promise<FileHandle> {
  if (length > 0) return open(path, 'r+').catch((error: unknown) => rethrow(path, error))
  try {
    // Reuse a file without a valid line, which a failed attempt may have left.
    const handle = await open(path, 'a+', PRIVATE_FILE)
    await handle.close()
    await syncDirectory(dirname(path))
    return await open(path, 'r+')
  } catch (error) {
    return rethrow(path, error)
  }
}

function rethrow(path: string, error: unknown): never {
  throw storageError('open for recording', path, error)
}

/** A write may take only part of the bytes, for instance at the end of a full disk. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
