import { constants, existsSync } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { errorCode, isAbsence } from '../files/storage-error.ts'
import type { EarlierFiles } from '../ports/custody.ts'

/** A path held against the workspace, symbolic links followed. */
export type Location =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' }
  /** A symbolic link stands there that leads to nothing. */
  | { readonly kind: 'dangling' }
  /** One that leads out of the repository. */
  | { readonly kind: 'led-out' }
  /** It lies in a folder that such a link stands for: whether anything is there nobody looks. */
  | { readonly kind: 'beyond' }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** The workspace, with files taken to be as they were. */
export interface FileWorld {
  readonly directory: string
  readonly earlier?: EarlierFiles
}

export type FileReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }

/**
 * Reads the text of a file of the workspace, as `locate` finds it and `readTextFile` reads it; where it leads to no file, that.
 */
export async function readFileIn(
  world: FileWorld,
  path: string,
  maxBytes: number,
): Promise<FileReading | Exclude<Location, { kind: 'inside' }>> {
  const kept = keptOf(world, path)
  if (kept?.kind === 'file') return { kind: 'text', text: decoded(kept.bytes) }
  const location = kept ?? (await locate(world.directory, path))
  return location.kind === 'inside' ? readTextFile(location.path, maxBytes) : location
}

/** Where a path of the workspace leads, with files taken to be as they were. */
export async function locateIn(world: FileWorld, path: string): Promise<Location> {
  const kept = keptOf(world, path)
  if (kept?.kind === 'file') return { kind: 'inside', path: resolve(world.directory, path) }
  return kept ?? locate(world.directory, path)
}

/** What is known of a path by the files as they were; `null`: nothing else than what stands there. A folder is that of a file. */
function keptOf(
  { directory, earlier }: FileWorld,
  path: string,
): { readonly kind: 'file'; readonly bytes: Buffer } | Extract<Location, { kind: 'missing' }> | null {
  if (earlier === undefined) return null
  const name = relative(directory, resolve(directory, path)).split(sep).join('/')
  const file = earlier.write.find((one) => one.path === name)
  if (file !== undefined) return { kind: 'file', bytes: file.bytes }
  return earlier.remove.includes(name) ? { kind: 'missing' } : null
}

/**
 * Where a path of the workspace leads. A path that leaves it by `..`, or as an absolute path, is `outside`: so it was written. One that
 * a symbolic link leads out of the repository, which an agent may have put there, is never followed. A name is the same name in Unicode's
 * composed form and in its decomposed one, which nobody sees the difference of and some systems write.
 */
export async function locate(directory: string, path: string): Promise<Location> {
  const located = await locateAsWritten(directory, path)
  if (located.kind !== 'missing') return located
  for (const spelling of new Set([path.normalize('NFC'), path.normalize('NFD')])) {
    if (spelling === path) continue
    const other = await locateAsWritten(directory, spelling)
    if (other.kind !== 'missing' && other.kind !== 'unreadable') return other
  }
  return located
}

async function locateAsWritten(directory: string, path: string): Promise<Location> {
  if (path.includes('\0')) return { kind: 'unreadable', reason: 'its name holds a NUL character' }
  const target = resolve(directory, path)
  if (!isWithin(directory, target)) return { kind: 'outside' }
  try {
    const root = await realpath(directory)
    if (target === resolve(directory)) return { kind: 'inside', path: root }
    const top = topOf(root)
    const folder = await realpath(dirname(target))
    if (!isWithin(top, folder)) return { kind: 'beyond' }
    const place = join(folder, basename(target))
    return (await lstat(place)).isSymbolicLink()
      ? await locateLink(place, top)
      : { kind: 'inside', path: place }
  } catch (error) {
    return isAbsence(error) ? { kind: 'missing' } : { kind: 'unreadable', reason: messageOf(error) }
  }
}

async function locateLink(link: string, top: string): Promise<Location> {
  try {
    const real = await realpath(link)
    return isWithin(top, real) ? { kind: 'inside', path: real } : { kind: 'led-out' }
  } catch (error) {
    if (isAbsence(error) || errorCode(error) === 'ELOOP') return { kind: 'dangling' }
    throw error
  }
}

/** Reads a regular file of at most `maxBytes` as UTF-8, or as UTF-16 where a mark at its start says so. Pipes and devices are refused before they can block. */
export async function readTextFile(path: string, maxBytes: number): Promise<FileReading> {
  try {
    // Without O_NONBLOCK, opening a named pipe waits for somebody to write into it.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const info = await file.stat()
      if (!info.isFile()) return { kind: 'unreadable', reason: 'it is not a regular file' }
      const buffer = Buffer.alloc(Math.min(info.size, maxBytes) + 1)
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
      if (info.size > maxBytes) return { kind: 'unreadable', reason: `it is larger than ${maxBytes} bytes` }
      return { kind: 'text', text: decoded(buffer.subarray(0, bytesRead)) }
    } finally {
      await file.close()
    }
  } catch (error) {
    return isAbsence(error) ? { kind: 'missing' } : { kind: 'unreadable', reason: messageOf(error) }
  }
}

/** Windows' shells write UTF-16, with a mark at the start. */
function decoded(bytes: Buffer): string {
  const mark = bytes.length % 2 === 0 ? bytes.subarray(0, 2).toString('hex') : ''
  if (mark === 'fffe') return bytes.toString('utf16le', 2)
  return mark === 'feff' ? bytes.swap16().toString('utf16le', 2) : bytes.toString('utf8')
}

/** The repository that a folder lies in; else the folder. One whose top is the home folder is none: it is of dot files. */
function topOf(directory: string): string {
  for (let folder = directory; folder !== dirname(folder) && folder !== homedir(); folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return folder
  return directory
}

/** An error of the system as words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
