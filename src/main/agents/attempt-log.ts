import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { withoutSecrets } from '../../core/text/secrets.ts'
import { makeDirectories } from '../files/durable-file.ts'
import { storageError } from '../files/storage-error.ts'
import type { Log } from '../ports/log.ts'
import { createBoundedOutput } from '../process/bounded-output.ts'

/** 1 MiB, including the first 256 KiB: enough to see what happened, small enough to keep for every attempt. */
const MAX_LOG_BYTES = 1024 * 1024

/** The file that keeps an attempt's output. Nothing here rejects: output that cannot be stored must not fail the attempt. */
export interface AttemptLog {
  write(text: string): void
  /** Resolves when the file has everything that will be kept. */
  close(): Promise<void>
}

/**
 * Stores output in `file` (mode 0600; creates its folder), limited to head and tail. The first MiB is written as it comes, so
 * that a crash loses little; longer output is cut down to head and tail at the end. Logs the first error as a warning and writes
 * nothing after it.
 */
export function openAttemptLog(file: string, log: Log): AttemptLog {
  const kept = createBoundedOutput(MAX_LOG_BYTES)
  let written = 0
  const giveUp = (error: unknown): null => {
    log.warn('the output of an attempt could not be stored', {
      file,
      error: storageError('write', file, error).message,
    })
    return null
  }
  // Runs all steps in order, each with the open file, or with null once one has failed.
  let last: Promise<FileHandle | null> = openPrivate(file).catch(giveUp)
  const next = (step: (open: FileHandle) => Promise<void>): void => {
    last = last.then(async (open) => {
      if (open === null) return null
      try {
        await step(open)
        return open
      } catch (error) {
        await open.close().catch(() => undefined)
        return giveUp(error)
      }
    })
  }

  return {
    write: (text) => {
      const bytes = Buffer.from(withoutSecrets(text))
      kept.write(bytes)
      if (written < MAX_LOG_BYTES) next((open) => open.appendFile(bytes))
      written += bytes.length
    },
    close: async () => {
      const { text } = kept.read()
      // A secret may have been split across two chunks.
      const whole = withoutSecrets(text)
      if (written > MAX_LOG_BYTES || whole !== text) next((open) => rewrite(open, whole))
      const open = await last
      await open?.close().catch(giveUp)
    },
  }
}

async function openPrivate(file: string): Promise<FileHandle> {
  await makeDirectories(dirname(file))
  return open(file, 'w', 0o600)
}

async function rewrite(handle: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  for (let offset = 0; offset < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset, offset)
    offset += bytesWritten
  }
  await handle.truncate(bytes.length)
}
