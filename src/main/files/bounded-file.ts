import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import { readJson } from '../../core/text/json.ts'
import { writeFileAtomically } from './durable-file.ts'
import { errorCode, explainCode } from './storage-error.ts'

/** The result of reading a bounded file; `code` is the system's (`ENOENT`, `EACCES` …), `TOO_LARGE` or `NOT_A_FILE`. */
export type FileReading =
  | { readonly ok: true; readonly bytes: Buffer; readonly mode: number }
  | { readonly ok: false; readonly code: string; readonly sizeBytes: number }

/**
 * Reads a regular file of at most `maximumBytes`. Never reads more, even if the file grows, and never waits for a pipe or device
 * at its path. Never rejects.
 */
export async function readBoundedFile(path: string, maximumBytes: number): Promise<FileReading> {
  try {
    // O_NONBLOCK (missing on Windows): opening a named pipe would otherwise wait for a writer forever.
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
 * Returns what a JSON file of at most `maximumBytes` contains, as this schema reads it; `null` if it can't be read, is not JSON or does not
 * fit. Never rejects.
 */
export async function readStored<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  maximumBytes: number,
): Promise<z.output<Schema> | null> {
  const file = await readBoundedFile(path, maximumBytes)
  return file.ok ? readJson(schema, file.bytes.toString('utf8')) : null
}

/**
 * Replaces a file with `writeFileAtomically` in a folder where others may write too. Rejects with a `RequestProblem` (`unprocessable`) that
 * says why; the old file then remains. `isDurable`: it also survives a power cut.
 */
export async function replaceFile(
  path: string,
  content: string | Buffer,
  mode: number,
  { isDurable = true }: { readonly isDurable?: boolean } = {},
): Promise<void> {
  try {
    await writeFileAtomically(path, content, { mode, isShared: true, isDurable })
  } catch (error) {
    throw new RequestProblem('unprocessable', `Cannot write ${path}: ${explainCode(errorCode(error))}`, {
      cause: error,
    })
  }
}
