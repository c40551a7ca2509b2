import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { fileTime, syncDirectory } from './durable-file.ts'
import { errorCode } from './storage-error.ts'

/** What reading a bounded file came to; `code` is the system's (`ENOENT`, `EACCES` …), `TOO_LARGE` or `NOT_A_FILE`. */
export type FileReading =
  | { readonly ok: true; readonly bytes: Buffer; readonly mode: number }
  | { readonly ok: false; readonly code: string; readonly sizeBytes: number }

/**
 * Reads a regular file of at most `maximumBytes`. Never reads more, also where the file grows meanwhile, and never waits
 * for a pipe or device in its place. Never rejects.
 */
export async function readBoundedFile(path: string, maximumBytes: number): Promise<FileReading> {
  try {
    // O_NONBLOCK (absent on Windows): opening a named pipe would otherwise wait for a writer for ever.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const status = await file.stat()
      if (!status.isFile()) return { ok: false, code: 'NOT_A_FILE', sizeBytes: 0 }
      if (status.size > maximumBytes) return { ok: false, code: 'TOO_LARGE', sizeBytes: status.size }
      const buffer = Buffer.alloc(status.size)
      let length = 0
      while (length < buffer.length) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length, length)
        if (bytesRead === 0) break
        length += bytesRead
      }
      return { ok: true, bytes: buffer.subarray(0, length), mode: status.mode & 0o777 }
    } finally {
      await file.close()
    }
  } catch (error) {
    return { ok: false, code: errorCode(error), sizeBytes: 0 }
  }
}

/**
 * Replaces the file at `path` so that a reader, also after a crash, sees the old text or the new one, whole.
 * Rejects with a `RequestProblem` (`unprocessable`) that says why; then the old file stands.
 */
export async function replaceFile(path: string, text: string | Buffer, mode: number): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(text)
      // The mode given to open() is cut by the umask.
      await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    await syncDirectory(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw new RequestProblem('unprocessable', `Cannot write ${path}: ${explainCode(errorCode(error))}`, {
      cause: error,
    })
  }
}

/**
 * Moves an unreadable document to `PATH.corrupt-<time>`, so that it is neither read again nor overwritten in silence.
 * Answers with the new name, or `null` where it could not be moved.
 */
export async function setAside(path: string, nowMs: number): Promise<string | null> {
  const aside = `${path}.corrupt-${fileTime(nowMs)}`
  try {
    await rename(path, aside)
    return aside
  } catch {
    return null
  }
}

const explanations: Readonly<Record<string, string>> = {
  ENOENT: 'a folder on the way does not exist. Create it first.',
  ENOTDIR: 'a part of the path is a file, not a folder. Check the path.',
  EACCES: 'permission denied. Give your user access to it.',
  EPERM: 'operation not permitted. Give your user access to it.',
  EROFS: 'the file system is read-only. Make it writable, or use another folder.',
  ENOSPC: 'the disk is full. Free some space and try again.',
  EDQUOT: 'the disk quota is used up. Free some space and try again.',
  EISDIR: 'it is a folder, not a file. Move the folder away.',
  NOT_A_FILE: 'it is no regular file. Put a text file in its place.',
  ELOOP: 'the symbolic link leads to itself. Put a text file in its place.',
}

/** A system error code as what happened and the remedy, to follow a colon. */
export function explainCode(code: string): string {
  return explanations[code] ?? `the system reports ${code}. Check the file and its folder.`
}
