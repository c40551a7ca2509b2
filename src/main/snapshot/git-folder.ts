import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'

/** Where a repository keeps its data, and how files there are read: whoever could write them may have put anything there. */

const MAX_TEXT_BYTES = 1024 * 1024

/** `.git` at the top of a work tree is a folder, or a file that says where the folder is. */
export async function realGitDirectory(path: string): Promise<string> {
  // As git reads it: the rest of the file, white space at the end of the path included.
  const target = /^gitdir: (.+?)[\r\n]*$/s.exec(await readText(path))?.[1]
  if (target === undefined) return path
  return isAbsolute(target) ? target : resolve(path, '..', target)
}

/** Of a work tree beside the main one, what is shared lies with that. */
export async function commonDirectory(gitDirectory: string): Promise<string> {
  const target = (await readText(join(gitDirectory, 'commondir'))).trim()
  return target === '' ? gitDirectory : resolve(gitDirectory, target)
}

/** The text of a regular file, at most a mebibyte; empty where there is none. */
export async function readText(path: string): Promise<string> {
  return (await readRegular(path, MAX_TEXT_BYTES))?.toString('utf8') ?? ''
}

/** The first bytes of a regular file; null where there is none. A pipe is not waited for. */
export async function readRegular(path: string, maxBytes: number): Promise<Buffer | null> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const info = await file.stat()
      if (!info.isFile()) return null
      const buffer = Buffer.allocUnsafe(Math.min(info.size, maxBytes))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}
