import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import type { ReleaseFile } from '../../core/update/feed.ts'
import { createDirectory, PRIVATE_FILE, syncDirectory } from '../files/durable-file.ts'
import { storageError } from '../files/storage-error.ts'
import { fetchBytes } from './fetch.ts'

/**
 * Downloads a release file into `directory`, exactly as the signed feed says; uses an existing one. Rejects with a
 * `RequestProblem` if it was cut off, has other content, or the disk is full. Then nothing of it remains.
 */
export async function download(file: ReleaseFile, directory: string, signal: AbortSignal): Promise<string> {
  const path = join(directory, file.name)
  if (await isWhole(path, file)) return path
  await createDirectory(directory)
  const part = `${path}.part`
  try {
    await write(part, file, signal)
    if (!(await isWhole(part, file))) {
      throw refused(`${file.url} is not the file that the publisher signed.`)
    }
    await rename(part, path)
    await syncDirectory(directory)
    return path
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined)
    throw error instanceof RequestProblem ? error : storageError('write', part, error)
  }
}

async function write(part: string, file: ReleaseFile, signal: AbortSignal): Promise<void> {
  const handle = await open(part, 'w', PRIVATE_FILE)
  let bytes = 0
  try {
    for await (const chunk of fetchBytes(file.url, signal)) {
      bytes += chunk.length
      if (bytes > file.bytes) throw refused(`${file.url} sends more than its ${file.bytes} bytes.`)
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (bytes < file.bytes) {
    throw refused(`${file.url} was cut off after ${bytes} of ${file.bytes} bytes. Try again.`)
  }
}

/** Checks that `path` is what the feed names, byte for byte; called again right before it is installed. */
export async function isWhole(path: string, { bytes, sha256 }: ReleaseFile): Promise<boolean> {
  const hash = createHash('sha256')
  let length = 0
  try {
    for await (const chunk of createReadStream(path)) {
      length += chunk.length
      if (length > bytes) return false
      hash.update(chunk)
    }
  } catch {
    return false
  }
  return length === bytes && hash.digest('hex') === sha256
}

function refused(message: string): RequestProblem {
  return new RequestProblem('unavailable', `${message} Nothing was installed.`)
}
