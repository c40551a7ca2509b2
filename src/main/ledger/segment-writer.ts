import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PRIVATE_FILE, syncDirectory } from '../files/durable-file.ts'
import { errorCode, StorageError, storageError } from '../files/storage-error.ts'

/** The newest segment, open for appending. */
export interface SegmentWriter {
  /** Bytes of whole lines, all on disk. */
  readonly length: number
  /** Set once a failed write could not be undone: every later append rejects with it. */
  readonly failure: StorageError | null
  /**
   * Resolves when `bytes` are on disk (fdatasync). Rejects with a `StorageError`, and then none of them are in the file:
   * a part that was written is cut off again. Where even that fails, every later append rejects until the ledger is
   * opened anew, which looks at what is really there. One call at a time.
   */
  append(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Opens a segment whose sound lines end at byte `length`, creating the file durably where it is new. */
export async function openSegmentWriter(path: string, length: number): Promise<SegmentWriter> {
  const handle = await openForWriting(path, length)
  let sound = length
  let failure: StorageError | null = null

  async function cutBack(cause: unknown): Promise<void> {
    try {
      await handle.truncate(sound)
      await handle.sync()
    } catch (error) {
      const message = `Nothing more is recorded in ${path} until Pulseward is started again: a failed write could not be undone (${errorCode(error)})`
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
      if (failure !== null) throw failure
      try {
        await writeAll(handle, bytes, sound)
        await handle.datasync()
        sound += bytes.length
      } catch (error) {
        await cutBack(error)
        throw storageError('record in', path, error)
      }
    },
    close: () => handle.close(),
  }
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
