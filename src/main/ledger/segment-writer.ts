import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PRIVATE_FILE, syncDirectory } from '../files/durable-file.ts'
import { errorCode, StorageError, storageError } from '../files/storage-error.ts'

/** The newest segment, open for appending. */
export interface SegmentWriter {
  /** Bytes of whole lines, all on disk. */
  readonly length: number
  /** Set while the file is not ours, or a failed write could not be undone: then an append rejects with it. */
  readonly failure: StorageError | null
  /**
   * Resolves when `bytes` are on disk (fdatasync). Rejects with a `StorageError`, and then none of them are in the file:
   * a part that was written is cut off again. Where even that fails, each later append tries that first, and rejects as long as
   * it does not succeed; where another writes to the file, every later one rejects. One call at a time.
   */
  append(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Opens a segment whose sound lines end at byte `length`, creating the file durably where it is new. */
export async function openSegmentWriter(path: string, length: number): Promise<SegmentWriter> {
  const handle = await openForWriting(path, length)
  let sound = length
  let failure: StorageError | null = null

  let isToBeCut = false

  /** Sound again once it resolves: what is cut off was never acknowledged, and what stands before it was synced. */
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
        // Before, so that nothing of another's is written over; and after, for it counts only if it is there.
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

/**
 * What a reader finds in a segment is on disk once this resolves: a host that was killed amid an append may have left
 * it in memory alone.
 */
export async function syncSegment(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/**
 * That what was written is what a reader of the ledger will find: the file still has its name, and holds nothing but what we
 * wrote. A write to a file that was deleted, replaced or written to by another succeeds as any other does.
 */
async function assertOwn(handle: FileHandle, path: string, length: number): Promise<void> {
  const [own, there] = await Promise.all([handle.stat(), stat(path).catch(() => null)])
  const isThere = there !== null && there.ino === own.ino && there.dev === own.dev
  if (isThere && own.size === length) return
  const what = isThere
    ? `it has ${own.size} bytes where Pulseward wrote ${length}: another process writes to it`
    : 'it was deleted or replaced by another process'
  throw new StorageError(
    `Nothing more is recorded in ${path} until Pulseward is started again: ${what}`,
    path,
    'ESTALE',
  )
}

async function openForWriting(path: string, length: number): Promise<FileHandle> {
  if (length > 0) return open(path, 'r+').catch((error: unknown) => rethrow(path, error))
  try {
    // A file without a sound line may be left from an attempt that failed: it is used again.
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

/** A write may take only a part of the bytes, at the end of a full disk for instance. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
