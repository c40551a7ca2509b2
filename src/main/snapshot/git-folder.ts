import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'

/*
 * Where a repository keeps its data, and how files there are read: whoever could write them may have put anything there. They are a dozen
 * small files for each look, most often in a thread: read at once, they take a tenth of what reading each through a promise takes.
 */

const MAX_TEXT_BYTES = 1024 * 1024

/** `.git` at the top of a work tree is a folder, or a file that says where the folder is. */
export function realGitDirectory(path: string): string {
  // As git reads it: the rest of the file, white space at the end of the path included.
  const target = /^gitdir: (.+?)[\r\n]*$/s.exec(readText(path))?.[1]
  if (target === undefined) return path
  return isAbsolute(target) ? target : resolve(path, '..', target)
}

/** Of a work tree beside the main one, what is shared lies with that. */
export function commonDirectory(gitDirectory: string): string {
  const target = readText(join(gitDirectory, 'commondir')).trim()
  return target === '' ? gitDirectory : resolve(gitDirectory, target)
}

/** The text of a regular file, at most a mebibyte; empty where there is none. */
export function readText(path: string): string {
  return readRegular(path, MAX_TEXT_BYTES)?.toString('utf8') ?? ''
}

/**
 * The same with one character per byte, where it matters that no two files have the same text: of a longer one what tells that it was
 * written to stands below, as a remark.
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

/** The first bytes of a regular file; null where there is none. A pipe is not waited for. */
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
