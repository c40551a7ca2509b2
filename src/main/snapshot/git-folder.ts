import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'

/*
 * Locates a repository's data and reads its files safely: anyone who can write them may have put anything there. A snapshot reads
 * about a dozen small files, usually in a thread; reading them synchronously takes a tenth of the time.
 */

const MAX_TEXT_BYTES = 1024 * 1024

/** Resolves `.git` at the top of a work tree: a folder, or a file that names the folder. */
export function realGitDirectory(path: string): string {
  // Parsed like git does: the rest of the file, including white space at the end of the path.
  const target = /^gitdir: (.+?)[\r\n]*$/s.exec(readText(path))?.[1]
  if (target === undefined) return path
  return isAbsolute(target) ? target : resolve(path, '..', target)
}

/** Returns the shared folder: a linked work tree shares the data of the main one. */
export function commonDirectory(gitDirectory: string): string {
  const target = readText(join(gitDirectory, 'commondir')).trim()
  return target === '' ? gitDirectory : resolve(gitDirectory, target)
}

/** Returns the text of a regular file, at most a mebibyte; empty if there is none. */
export function readText(path: string): string {
  return readRegular(path, MAX_TEXT_BYTES)?.toString('utf8') ?? ''
}

/**
 * The same with one character per byte, so that no two files give the same text; for a longer file, its metadata is appended as a
 * comment, so that writes show.
 */
export function readEveryByte(path: string | Buffer): string {
  const text = readRegular(path, MAX_TEXT_BYTES)?.toString('latin1') ?? ''
  return text.length < MAX_TEXT_BYTES ? text : `${text}\n# ${stateOf(path)}\n`
}

function stateOf(path: string | Buffer): string {
  try {
    const { size, ino, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return [size, ino, mtimeNs, ctimeNs].join(' ')
  } catch {
    return 'gone'
  }
}

/** Returns the first bytes of a regular file; null if there is none. Does not wait for a pipe. */
export function readRegular(path: string | Buffer, maxBytes: number): Buffer | null {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const info = fstatSync(file)
      if (!info.isFile()) return null
      const buffer = Buffer.allocUnsafe(Math.min(info.size, maxBytes))
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}
